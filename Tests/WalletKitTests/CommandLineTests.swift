import Foundation
import Testing

@testable import WalletKit

private let program: String? = {
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    let folders = bundles.map { ($0 as NSString).deletingLastPathComponent } + [package + "/.build/debug"]
    let found = folders.map { $0 + "/sekisho-wallet" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    if found == nil { print("SKIPPED: sekisho-wallet is not built beside the tests: its command line is not tried") }
    return found
}()

@Suite(.enabled(if: program != nil)) struct `The command line of the wallet` {
    let folder: Folder
    let directory: String

    init() throws {
        folder = try Folder()
        directory = folder.path + "/demo"
    }

    private func wallet(_ arguments: String..., input: String = "") throws -> (output: String, code: Int32) {
        try Tool.run(try #require(program), arguments, input: Array(input.utf8))
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/" + name)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    private func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            contents[name] = FileManager.default.contents(atPath: directory + "/" + name)
        }
        return contents
    }

    @Test func `issue makes the folder once, keeps keys to their owner, and never overwrites`() throws {
        #expect(try wallet("issue", "--directory", directory).code == 0)
        let first = try contents()
        #expect(first.keys.contains("iaca.pem") && first.keys.contains("card-jp.json"))
        for name in first.keys where name.hasSuffix(".key") { #expect(try mode(name) == 0o600, "\(name)") }
        #expect(first.keys.filter { $0.hasSuffix(".key") }.count == 7)
        let sealing = String(decoding: try #require(first["sealing.key"]), as: UTF8.self)
        #expect(sealing.count == 65 && sealing.dropLast().allSatisfy(\.isHexDigit))
        let again = try wallet("issue", "--directory", directory)
        #expect(again.code == 0 && again.output.isEmpty)
        #expect(try contents() == first)
        #expect(try wallet("issue", "--directory", directory, "--profile", "basic").code == 1)
        #expect(try contents() == first)
        #expect(try wallet("issue", "--directory", directory, "--profile", "basic", "--force").code == 0)
        #expect(try contents()["iaca.pem"] != first["iaca.pem"])
    }

    @Test func `an anchor of somebody else is not overwritten, and a key that is there is used`() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let key = try PrivateKey(.p256)
        _ = try folder.write("demo/merchant.key", key.pem)
        #expect(try wallet("issue", "--directory", directory).code == 0)
        #expect(try contents()["merchant.key"] == Data(key.pem.utf8))
        try FileManager.default.removeItem(atPath: directory + "/issuer.json")
        let anchor = try contents()["iaca.pem"]
        #expect(try wallet("issue", "--directory", directory).code == 1)
        #expect(try contents()["iaca.pem"] == anchor)
    }

    @Test func `present answers a request or the whole session, and a fault by its name`() throws {
        _ = try wallet("issue", "--directory", directory)
        let request = try wallet("request").output
        let session = "{\"id\":\"ses_1\",\"status\":\"created\",\"wallet_request\":\(request)}"
        for text in [request, session] {
            let answer = try wallet("present", "--directory", directory, "--request", "-", input: text)
            #expect(answer.code == 0, "\(answer.output)")
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: String])
            let blob = try #require(object["encrypted_data"])
            #expect(blob.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
            #expect((4000...20_000).contains(blob.count))
        }
        let large = try wallet(
            "present", "--directory", directory, "--request", "-", "--portrait", "large", input: request)
        #expect(large.output.count > 80_000)
        let fault = try wallet(
            "present", "--directory", directory, "--request", "-", "--fault", "envelope_empty", input: request)
        #expect(fault.output == "{\"encrypted_data\":\"\"}\n")
    }

    @Test func `what cannot be answered is said, with status 1, and a wrong command line with 2`() throws {
        _ = try wallet("issue", "--directory", directory, "--document", "jp")
        let request = try wallet("request").output
        let licence = try wallet("request", "--document", "mdl").output
        let problem = "{\"type\":\"about:blank\",\"status\":401}"
        func code(_ text: String, _ more: String...) throws -> Int32 {
            try Tool.run(
                try #require(program), ["present", "--directory", directory, "--request", "-"] + more,
                input: Array(text.utf8)
            ).code
        }
        #expect(try code(request) == 0)
        #expect(try code(licence) == 1)
        #expect(try code(problem) == 1)
        #expect(try code("not json") == 1)
        #expect(try code(request, "--fault", "nonsense") == 1)
        #expect(try code(request, "--portrait", "huge") == 2)
        #expect(try code(request, "--at", "yesterday") == 2)
        #expect(try code(request, "--verbose") == 2)
        #expect(try wallet().code == 2)
        #expect(try wallet("present", "--directory", folder.path + "/none", "--request", "-", input: request).code == 1)
    }

    @Test func `a card may be edited by hand`() throws {
        _ = try wallet("issue", "--directory", directory)
        let file = directory + "/card-jp.json"
        var text = String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
        #expect(text.contains("\"text\":\"01101\""))
        let request = try wallet("request", "--elements", "address").output
        let before = try wallet("present", "--directory", directory, "--request", "-", input: request).output.count
        text = text.replacingOccurrences(
            of: "\"text\":\"01101\"", with: "\"text\":\"\(String(repeating: "9", count: 900))\"")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let after = try wallet("present", "--directory", directory, "--request", "-", input: request).output.count
        #expect(after > before + 1000)
        try Data(text.replacingOccurrences(of: "{\"text\":", with: "{\"txt\":").utf8).write(
            to: URL(fileURLWithPath: file))
        #expect(try wallet("present", "--directory", directory, "--request", "-", input: request).code == 1)
    }
}
