import Configuration
import Foundation
import JSONTree
import Testing
import VerificationCore

/// Somebody puts a secret into the wrong place, wherever that is: nothing that is printed may repeat it.
@Suite struct LeakTests {
    static let canary = "c4n4ry-S3cret$USER!"

    private func check(_ tree: JSONValue, in folder: Folder, _ variables: [String: String]) throws -> CheckReport {
        let path = try folder.write(tree.encoded(), to: "config.json5")
        return CheckReport.make(
            path: path, kinds: Scene.kinds, resolver: SecretResolver(variables: variables), now: Scene.now)
    }

    @Test func `F05 a secret in any field of the configuration is in no problem`() throws {
        let folder = try Folder()
        let text = try ExamplesTests.reference(in: folder)
            .replacingOccurrences(
                of: "{ command: [\"/bin/echo\", \"\(Scene.sealingKey)\"], timeout: \"10s\" }",
                with: "{ env: \"SEALING\" }")
        try #require(text.contains("SEALING"))
        let tree = try JSONNode.parse(Array(text.utf8), syntax: .json5)
        let variables = ["SEKISHO_MERCHANT_KEY_2025": "x", "SEALING": Scene.sealingKey]
        #expect(try check(changed(tree, at: -1).value, in: folder, variables).isGood)
        let count = changed(tree, at: -1).count
        #expect(count > 120)
        var refused = 0
        for index in 0..<count {
            for replacement in [
                JSONValue.string(LeakTests.canary), .object([("file", .string(LeakTests.canary))]),
                .array([.string(LeakTests.canary)]),
            ] {
                let report = try check(changed(tree, at: index, to: replacement).value, in: folder, variables)
                #expect(!leaks(report.text), "\(report.text)")
                refused += report.isGood ? 0 : 1
            }
        }
        #expect(refused > 2 * count)
    }

    @Test func `F05 a secret that was read is in no problem, and in no description of the configuration`() throws {
        let folder = try Folder()
        let raw = Array("c4n4ry-c4n4ry-c4n4ry-c4n4ry-c4n4".utf8)
        let path = try folder.write(raw, to: "key")
        let loaded = try Scene.load([("{ env: \"SEALING\" }", "{ file: \"\(path)\" }")])
        #expect(loaded.sealingKeys.first?.key.withValue { $0 } == raw)
        var dumped = ""
        dump(loaded, to: &dumped)
        for text in [
            "\(loaded)", String(reflecting: loaded), dumped, String(decoding: loaded.canonicalForm, as: UTF8.self),
        ] {
            #expect(!leaks(text))
            #expect(!text.contains(ByteText.hex(raw)) && !text.contains(ByteText.base64(raw)))
            // As an array of numbers, as a dump would show it.
            #expect(!text.contains(raw.prefix(6).map(String.init).joined(separator: ", ")))
        }
        let wrong = try folder.write(raw + [0x21], to: "wrong")
        let variables = ["SECRET": "c4n4ry"]
        for place in ["{ file: \"\(wrong)\" }", "{ env: \"SECRET\" }", "{ command: [\"/bin/echo\", \"c4n4ry\"] }"] {
            let problems = try Scene.problems(("{ env: \"SEALING\" }", place), variables: variables)
            #expect(problems.count == 1 && !problems.contains(where: leaks))
        }
    }

    @Test func `F05 what a failing command complains of is in no problem`() throws {
        let script = "{ command: [\"/bin/sh\", \"-c\", \"echo c4n4ry >&2; echo c4n4ry; exit 1\"] }"
        let problems = try Scene.problems(("{ env: \"SEALING\" }", script))
        #expect(problems == ["sealing.keys[0].key: the command for the secret failed"])
    }

    @Test func `F05 the canonical form keeps no argument of a command`() throws {
        let script = "{ command: [\"/bin/echo\", \"\(Scene.sealingKey)\"] }"
        let loaded = try Scene.load([("{ env: \"SEALING\" }", script)])
        let form = String(decoding: loaded.canonicalForm, as: UTF8.self)
        #expect(form.contains("/bin/echo") && !form.contains(Scene.sealingKey))
    }

    private func leaks(_ text: String) -> Bool {
        text.lowercased().contains("c4n4ry") || text.contains("S3cret")
    }

    /// The tree with its n-th value replaced, and how many values it has.
    private func changed(_ tree: JSONNode, at index: Int, to replacement: JSONValue = .null) -> (
        value: JSONValue, count: Int
    ) {
        var seen = 0
        func copy(_ node: JSONNode) -> JSONValue {
            defer { seen += 1 }
            let value: JSONValue =
                switch node.kind {
                case .null: .null
                case .boolean(let flag): .boolean(flag)
                case .number(let number): .integer(number.integer ?? 0)
                case .string(let text): .string(text)
                case .array(let elements): .array(elements.map(copy))
                case .object(let members): .object(members.map { ($0.name, copy($0.value)) })
                }
            return seen == index ? replacement : value
        }
        let value = copy(tree)
        return (value, seen)
    }
}
