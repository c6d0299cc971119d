import Configuration
import Foundation
import JSONTree
import Testing

/// The schema for editors says the same as the loader.
@Suite struct SchemaTests {
    static let schema = try? JSONNode.parse(Array(Scene.shipped("sekisho.schema.json").utf8), syntax: .json)

    @Test func `the reference names every key that the schema has`() throws {
        let schema = try #require(SchemaTests.schema)
        let reference = try JSONNode.parse(Array(Scene.shipped("reference.json5").utf8), syntax: .json5)
        #expect(keys(of: schema).subtracting(names(in: reference)) == [])
    }

    @Test func `the schema names every key that the loader asks for`() throws {
        let schema = try #require(SchemaTests.schema)
        let known = keys(of: schema)
        let folder = Scene.repository.appendingPathComponent("Sources/Configuration")
        let calls =
            /\.?(?:required|optional|string|words|date|timestamp|secret|duration|integer|object|array|boolean|named|optionalString|optionalObject|optionalBoolean|optionalEnumeration|enumeration)\(\s*"([$a-z0-9_]+)"/
        var asked: Set<String> = []
        for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            asked.formUnion(text.matches(of: calls).map { String($0.1) })
        }
        #expect(asked.count > 40)
        #expect(asked.subtracting(known) == [])
    }

    /// The names of all properties of a schema.
    private func keys(of schema: JSONNode) -> Set<String> {
        var found: Set<String> = []
        for member in schema.members ?? [] {
            if member.name == "properties" { found.formUnion(member.value.members?.map(\.name) ?? []) }
            found.formUnion(keys(of: member.value))
        }
        for element in schema.elements ?? [] { found.formUnion(keys(of: element)) }
        return found
    }

    private func names(in node: JSONNode) -> Set<String> {
        var found = Set(node.members?.map(\.name) ?? [])
        for child in (node.members?.map(\.value) ?? []) + (node.elements ?? []) { found.formUnion(names(in: child)) }
        return found
    }

    static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        guard FileManager.default.isExecutableFile(atPath: path) else { return false }
        return (try? run(path, ["-c", "import jsonschema; print('there')"], input: "")) == "there\n"
    }

    static let judge = """
        import json, sys, jsonschema
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        errors = jsonschema.Draft202012Validator(schema).iter_errors(json.load(sys.stdin))
        print("\\n".join(sorted(".".join(map(str, error.absolute_path)) for error in errors)))
        print("judged")
        """

    static func errors(_ text: String) throws -> [String] {
        let tree = try JSONNode.parse(Array(text.utf8), syntax: .json5)
        let path = Scene.repository.appendingPathComponent("Config/sekisho.schema.json").path
        let output = try run(try #require(python), ["-c", judge, path], input: value(tree).text)
        let lines = output.split(separator: "\n").map(String.init)
        try #require(lines.last == "judged")
        return lines.dropLast()
    }

    @Test(.enabled(if: python != nil), arguments: ["reference.json5", "development.json5"])
    func `the schema accepts what we ship`(name: String) throws {
        #expect(try SchemaTests.errors(try Scene.shipped(name)) == [])
    }

    static let wrong = [
        ("environment: \"development\"", "environment: \"prod\"", "environment"),
        ("store: { path: \"x.sqlite3\" }", "store: {}", "store"),
        ("retention: \"1d\"", "retention: 1", "purposes.kyc.retention"),
        ("retention: \"1d\"", "retention: \"5M\"", "purposes.kyc.retention"),
        ("{ env: \"SEALING\" }", "\"literal\"", "sealing.keys.0.key"),
        ("{ env: \"SEALING\" }", "{ env: \"A\", file: \"b\" }", "sealing.keys.0.key"),
        ("routes: [{ verifier: \"main\" }]", "routes: [{ verifier: \"main\", weight: 1 }]", "routes.0"),
        ("role: \"app\", purposes: [\"kyc\"]", "role: \"app\"", "clients.app"),
        ("kind: \"in_house\",", "kind: \"in_house\", trust_anchors: [],", "verifiers.main"),
        ("team_identifier: \"t\", ", "", "verifiers.main.wallet"),
    ]

    @Test(.enabled(if: python != nil), arguments: wrong)
    func `the schema refuses what the loader refuses`(old: String, new: String, place: String) throws {
        let good = Scene.good.replacingOccurrences(
            of: "keys: [] }, trust: []", with: "keys: [{ key: { env: \"K\" } }] }, trust: [{ path: \"p\" }]")
        #expect(try SchemaTests.errors(good) == [])
        let text = good.replacingOccurrences(of: old, with: new)
        try #require(text != good)
        #expect(try SchemaTests.errors(text).contains(place))
        #expect(throws: JSONProblems.self) {
            try Scene.loader(["SEALING": Scene.sealingKey, "K": "k"]).load(Array(text.utf8), at: Scene.now)
        }
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

    /// What a program prints. Its end is not waited for: the end of its output is enough.
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
