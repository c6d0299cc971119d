import Foundation
import JSONTree
import Testing

@testable import Certified

/// The schema for editors, and the page for people, say the same as the reader.
@Suite struct ManifestSchemaTests {
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let schemaPath = repository.appendingPathComponent("Config/providers/manifest.schema.json").path

    private func asked() throws -> Set<String> {
        let folder = Self.repository.appendingPathComponent("Providers/Certified")
        let calls =
            /\.(?:required|optional|string|words|duration|integer|object|array|boolean|credential|headerName|optionalPointer|optionalString|optionalObject|optionalArray|optionalBoolean|optionalEnumeration|enumeration)\(\s*"([$a-z0-9_]+)"/
        var asked: Set<String> = []
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) ?? .init()
        for case let file as URL in files where file.pathExtension == "swift" {
            // These read the configuration, which has a schema of its own.
            if ["CertifiedConfiguration.swift", "TLSReading.swift"].contains(file.lastPathComponent) { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            asked.formUnion(text.matches(of: calls).map { String($0.1) })
        }
        return asked
    }

    private func keys(of schema: JSONNode) -> Set<String> {
        var found: Set<String> = []
        for member in schema.members ?? [] {
            if member.name == "properties" { found.formUnion(member.value.members?.map(\.name) ?? []) }
            found.formUnion(keys(of: member.value))
        }
        for element in schema.elements ?? [] { found.formUnion(keys(of: element)) }
        return found
    }

    @Test func `the schema names every key that the reader asks for, and the page explains each`() throws {
        let asked = try asked()
        #expect(asked.count > 60)
        let schema = try JSONNode.parse(
            Array(try Data(contentsOf: URL(fileURLWithPath: Self.schemaPath))), syntax: .json)
        #expect(asked.subtracting(keys(of: schema)) == [])
        let page = try String(
            contentsOf: Self.repository.appendingPathComponent("docs/adding-a-provider.md"), encoding: .utf8)
        let words = Set(
            page.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "$") }.map(String.init))
        #expect(asked.subtracting(words) == [])
    }

    @Test func `the worked example of the page is a manifest without a problem`() throws {
        let page = try String(
            contentsOf: Self.repository.appendingPathComponent("docs/adding-a-provider.md"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```json5\n").dropFirst().first)
        let text = try #require(block.components(separatedBy: "```").first)
        let problems = JSONProblemList()
        #expect(ManifestReading.manifest(Array(text.utf8), problems: problems) != nil)
        #expect(problems.problems.map(\.description) == [])
    }

    static let judge = """
        import json, sys, jsonschema
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        errors = jsonschema.Draft202012Validator(schema).iter_errors(json.load(sys.stdin))
        print("\\n".join(sorted("/" + "/".join(map(str, error.absolute_path)) for error in errors)))
        print("judged")
        """

    static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        guard FileManager.default.isExecutableFile(atPath: path) else { return false }
        return (try? run(path, ["-c", "import jsonschema; print('there')"], input: "")) == "there\n"
    }

    private func errors(_ text: String) throws -> [String] {
        let tree = try JSONNode.parse(Array(text.utf8), syntax: .json5)
        let output = try Self.run(
            try #require(Self.python), ["-c", Self.judge, Self.schemaPath], input: Self.value(tree).text)
        let lines = output.split(separator: "\n").map(String.init)
        try #require(lines.last == "judged")
        return lines.dropLast()
    }

    @Test(.enabled(if: python != nil), arguments: ManifestReadingTests.shapes)
    func `the schema accepts what the reader accepts`(name: String) throws {
        #expect(try errors(try Fixture.text(name)) == [])
    }

    @Test(
        .enabled(if: python != nil),
        arguments: [
            ("then: \"verified\"", "then: \"passed\""), ("timeout: \"10s\"", "timeout: 10"),
            ("form: \"base64url\"", "form: \"base65\""),
            ("kind: \"bearer\"", "kind: \"barer\""), ("steps: {", "step: {"), ("status: 429", "status: 99"),
        ])
    func `the schema refuses what the reader refuses`(old: String, new: String) throws {
        let text = try Fixture.text("pocketsign").replacingOccurrences(of: old, with: new)
        #expect(try !errors(text).isEmpty)
        let problems = JSONProblemList()
        _ = ManifestReading.manifest(Array(text.utf8), problems: problems)
        #expect(!problems.problems.isEmpty)
    }

    private static func value(_ node: JSONNode) -> JSONValue {
        switch node.kind {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .number(let number): number.integer.map { .integer($0) } ?? .string(number.text)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(value))
        case .object(let members): .object(members.map { ($0.name, value($0.value)) })
        }
    }

    /// What a program prints.
    static func run(_ path: String, _ arguments: [String], input: String) throws -> String {
        let process = Process()
        let (stdin, stdout) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? stdin.fileHandleForWriting.close()
        return String(decoding: try stdout.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
}
