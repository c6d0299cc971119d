import Configuration
import Foundation
import JSONTree
import Testing
import VerificationCore

@Suite struct SecretTests {
    static let exact: [[UInt8]] =
        [
            "S3cret$USER!", "$", "$$", "${HOME}", "${", "a${UNSET}b", "#secret", "\"quoted\"", "'quoted'", " spaces ",
            "tab\t",
            "two\nlines", "two\r\nlines", "\u{FEFF}mark", "秘密🔑", "back\\slash\\n", "%HOME%", "`id`", "\r", "a\r",
        ].map { Array($0.utf8) } + [[0xFF, 0xFE, 0x00, 0x80]]

    @Test(arguments: exact) func `F06 a secret is what stands in the file, without one line end`(secret: [UInt8]) throws
    {
        let folder = try Folder()
        for (end, rest) in [("", ""), ("\n", ""), ("\r\n", ""), ("\n\n", "\n"), ("\r\n\r\n", "\r\n")] {
            // A lone CR at the end would make one CRLF with the LF of the file.
            if secret.last == 0x0D, end.hasPrefix("\n") { continue }
            let path = try folder.write(secret + Array(end.utf8), to: "secret")
            #expect(try SecretReference.file(path).resolve().withValue { $0 } == secret + Array(rest.utf8))
        }
    }

    @Test(arguments: exact.filter { !$0.contains(0) && String(validating: $0, as: UTF8.self) != nil })
    func `F06 a secret is what the variable holds, with every line end`(secret: [UInt8]) throws {
        let text = String(decoding: secret, as: UTF8.self) + "\n"
        let resolver = SecretResolver(variables: ["PLACE": text, "HOME": "wrong", "USER": "wrong"])
        #expect(try SecretReference.env("PLACE").resolve(using: resolver).withValue { $0 } == secret + [0x0A])
    }

    @Test func `F06 a secret is what the command prints, without a shell, and without one line end`() throws {
        let print = ["/usr/bin/printf", #"%s\n\n"#, "$HOME ${X} `id` 'a' \"b\""]
        let secret = try SecretReference.command(print, timeout: .seconds(10)).resolve().withValue { $0 }
        #expect(secret == Array("$HOME ${X} `id` 'a' \"b\"\n".utf8))
    }

    @Test func `F06 a command gets the environment`() throws {
        let resolver = SecretResolver(variables: ["TOKEN_FOR_COMMAND": "t0ken"])
        let show = SecretReference.command(["/usr/bin/printenv", "TOKEN_FOR_COMMAND"], timeout: .seconds(10))
        #expect(try show.resolve(using: resolver).withValue { $0 } == Array("t0ken".utf8))
    }

    @Test func `F06 what is not there is a problem, never an empty secret`() throws {
        let folder = try Folder()
        let empty = try folder.write([], to: "empty")
        let blank = try folder.write([0x0A], to: "blank")
        let large = try folder.write(Array(repeating: 0x61, count: SecretResolver.longestSecret + 1), to: "large")
        let resolver = SecretResolver(variables: ["EMPTY": "", "DAMAGED": "a\u{FFFD}"])
        let table: [(SecretReference, SecretProblem)] = [
            (.env("UNSET"), .variableUnset), (.env("EMPTY"), .empty), (.env("DAMAGED"), .variableNotText),
            (.file(folder.url.path + "/none"), .fileMissing), (.file(folder.url.path), .fileNotRegular),
            (.file("/dev/zero"), .fileNotRegular), (.file(empty), .empty), (.file(blank), .empty),
            (.file(large), .tooLong), (.command(["/nowhere/program"], timeout: .seconds(5)), .commandNotStarted),
            (.command(["/bin/false"], timeout: .seconds(5)), .commandFailed),
            (.command(["/bin/true"], timeout: .seconds(5)), .empty),
            (.command(["/bin/sh", "-c", "echo part; exit 3"], timeout: .seconds(5)), .commandFailed),
            (.command(["/bin/sh", "-c", "echo part; kill -9 $$"], timeout: .seconds(5)), .commandFailed),
            (.command(["/bin/cat", "/dev/zero"], timeout: .seconds(20)), .tooLong),
        ]
        for (reference, problem) in table {
            #expect(throws: problem, "\(problem)") { try reference.resolve(using: resolver) }
        }
    }

    @Test func `a command that does not end is ended, with its children`() throws {
        let folder = try Folder()
        let marker = folder.url.path + "/alive"
        let script = "(sleep 2; touch \(marker)) & echo part; sleep 30"
        let start = ContinuousClock.now
        #expect(throws: SecretProblem.commandTimedOut) {
            try SecretReference.command(["/bin/sh", "-c", script], timeout: .seconds(1)).resolve()
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        Thread.sleep(forTimeInterval: 1.8)
        #expect(!FileManager.default.fileExists(atPath: marker))
    }

    @Test func `a mounted secret may be a link to a link`() throws {
        let folder = try Folder()
        try folder.write(Array("s".utf8), to: "data")
        for (link, target) in [("..data", "data"), ("secret", "..data")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.url.path + "/" + link, withDestinationPath: target)
        }
        #expect(try SecretReference.file(folder.url.path + "/secret").resolve().withValue { $0 } == [0x73])
    }

    static let forms: [(String, String)] = [
        ("\"c4n4ry\"", "never the secret itself"), ("5", "never the secret itself"),
        ("null", "never the secret itself"),
        ("[]", "never the secret itself"), ("{}", "exactly one of"), ("{ c4n4ry: \"file\" }", "none of file, env"),
        ("{ value: \"c4n4ry\" }", "none of file, env"), ("{ file: \"c4n4ry\", env: \"B\" }", "exactly one of"),
        ("{ file: \"\" }", "must be a path"), ("{ file: \"c4n4ry\\u0000\" }", "must be a path"),
        ("{ env: \"c4n4ry!\" }", "name of an environment variable"), ("{ env: \"1c4n4ry\" }", "name of an environment"),
        ("{ env: \"$c4n4ry\" }", "name of an environment variable"),
        ("{ env: \"\" }", "name of an environment variable"),
        ("{ command: \"/bin/c4n4ry\" }", "must be an array"), ("{ command: [] }", "absolute path"),
        ("{ command: [\"c4n4ry\"] }", "absolute path"), ("{ command: [\"/bin/c4n4ry\", 5] }", "must be a string"),
        ("{ command: [\"/bin/x\"], timeout: 5 }", "must be a string"),
        ("{ command: [\"/bin/x\"], timeout: \"5\" }", "with its unit"),
        ("{ command: [\"/bin/x\"], timeout: \"61s\" }", "from 1s to 1m"),
        ("{ file: \"c4n4ry\", timeout: \"5s\" }", "only a command"), ("{ file: 7 }", "must be a string"),
        ("{ file: \"c4n4ry\" }", "does not exist"), ("{ env: \"c4n4ry\" }", "is not set"),
        ("{ command: [\"/c4n4ry\"] }", "cannot be started"),
    ]

    @Test(arguments: forms) func `F05 a secret in the wrong place is told without being shown`(
        form: String, words: String
    ) throws {
        let problems = try Scene.problems(("{ env: \"SEALING\" }", form))
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.hasPrefix("sealing.keys[0].key") && $0.contains(words) }, "\(problems)")
        #expect(!problems.contains { $0.lowercased().contains("c4n4ry") })
    }

    @Test func `F05 a reference shows its kind and nothing of its place`() {
        let references: [SecretReference] = [
            .file("/c4n4ry"), .env("c4n4ry"), .command(["/c4n4ry", "c4n4ry"], timeout: .seconds(1)),
        ]
        var dumped = ""
        dump(references, to: &dumped)
        for text in ["\(references)", String(reflecting: references), dumped] { #expect(!text.contains("c4n4ry")) }
    }

    static let sealingKeys: [(String, [UInt8], Bool)] = [
        ("raw", Array(0..<32), true), ("raw, ending in a line feed", Array(0..<31) + [0x0A], true),
        ("raw and a line end", Array(0..<32) + [0x0A], true), ("hex", Array(Scene.sealingKey.utf8), true),
        ("hex and a line end", Array((Scene.sealingKey.uppercased() + "\n").utf8), true),
        ("base64", Array(ByteText.base64(Array(0..<32)).utf8), true),
        ("base64url", Array(ByteText.base64URL(Array(224...255)).utf8), true), ("31 bytes", Array(0..<31), false),
        ("33 bytes", Array(0..<33), false), ("short hex", Array(Scene.sealingKey.utf8.dropLast(2)), false),
        ("two line ends", Array((Scene.sealingKey + "\n\n").utf8), false),
        ("words", Array("correct horse battery staple".utf8), false),
    ]

    @Test(arguments: sealingKeys) func `a sealing key is 32 bytes, raw, in hexadecimal or in base64`(
        name: String, content: [UInt8], isGood: Bool
    ) throws {
        let folder = try Folder()
        let path = try folder.write(content, to: "key")
        let problems = try Scene.problems(("{ env: \"SEALING\" }", "{ file: \"\(path)\" }"))
        #expect(problems.isEmpty == isGood, "\(name)")
        if isGood {
            let loaded = try Scene.load([("{ env: \"SEALING\" }", "{ file: \"\(path)\" }")])
            #expect(loaded.sealingKeys.first?.key.withValue { $0.count } == 32)
        }
    }
}
