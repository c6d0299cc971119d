import JSONTree
import Testing

@Suite struct ReaderTests {
    enum Colour: String, CaseIterable { case red, green }

    @Test func `all problems are told at once, in the order of the text`() throws {
        let text = """
            {
              name: 5,
              colour: "gren",
              trust_anchor: [],
              nested: { depth: null,
                        other: 1 },
              list: [1, "2", true],
              flag: "yes",
            }
            """
        let list = JSONProblemList()
        let reader = JSONReader(try JSONNode.parse(Array(text.utf8), syntax: .json5), problems: list)
        #expect(reader.string("name") == nil)
        #expect(reader.enumeration("colour", as: Colour.self) == nil)
        #expect(reader.optionalArray("trust_anchors") == nil)
        let nested = try #require(reader.object("nested"))
        #expect(nested.boolean("depth") == nil)
        nested.rejectUnknownKeys()
        #expect(reader.array("list")?.map { $0.string() } == [nil, "2", nil])
        #expect(reader.optionalBoolean("flag") == nil)
        #expect(reader.object("absent") == nil)
        reader.rejectUnknownKeys()
        #expect(
            JSONProblems(list.problems).description == """
                absent (1): is missing
                name (2): must be a string, not a number
                colour (3): must be one of "red", "green"; did you mean "green"?
                trust_anchor (4): is not a known key; did you mean trust_anchors?
                nested.depth (5): must be true or false, not null
                nested.other (6): is not a known key
                list[0] (7): must be a string, not a number
                list[2] (7): must be a string, not a boolean
                flag (8): must be true or false, not a string
                """)
    }

    @Test func `what is right leaves no problem`() throws {
        let list = JSONProblemList()
        let node = try JSONNode.parse(
            Array(#"{"s":"日本","i":-3,"b":false,"e":"red","o":{},"a":[]}"#.utf8), syntax: .json)
        let reader = JSONReader(node, problems: list)
        #expect(reader.string("s", limit: 2) == "日本")
        #expect(reader.integer("i", in: -3...3) == -3)
        #expect(reader.boolean("b") == false)
        #expect(reader.enumeration("e", as: Colour.self) == .red)
        #expect(reader.object("o")?.entries().count == 0)
        #expect(reader.array("a")?.count == 0)
        #expect(reader.optionalString("none") == nil)
        reader.rejectUnknownKeys()
        #expect(list.problems.isEmpty)
    }

    @Test func `names from outside are escaped and cut in a path`() {
        #expect(JSONPath.member("a-b_C9", of: "") == "a-b_C9")
        #expect(JSONPath.member("a", of: "b[0]") == "b[0].a")
        #expect(JSONPath.member("a b\"\n\u{202E}", of: "x") == #"x["a b\"\u{a}\u{202e}"]"#)
        #expect(JSONPath.member("", of: "x") == #"x[""]"#)
        #expect(JSONPath.member(String(repeating: "y", count: 5000), of: "x").utf8.count < 80)
    }

    static let nearest: [(String, String?)] = [
        ("trust_anchor", "trust_anchors"), ("trust-anchors", "trust_anchors"), ("tsl", "tls"), ("TLS", "tls"),
        ("port", nil), ("x", nil), ("", nil), ("envirnoment", "environment"),
    ]

    @Test(arguments: nearest) func `the nearest name is named only where one is near`(name: String, expected: String?) {
        #expect(NearestName.of(name, among: ["trust_anchors", "tls", "environment"]) == expected)
    }
}
