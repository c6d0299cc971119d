import JSONTree
import Testing

@Suite struct StrictnessTests {
    static let duplicates = [
        #"{"session":"A","session":"B"}"#, #"{"session":"A","\u0073ession":"B"}"#, #"{"\ud842\udfb7":1,"𠮷":2}"#,
        #"{"a":1,"b":{},"a":1}"#,
    ]

    @Test(arguments: duplicates) func `S06 a name that occurs twice is refused, escaped or not`(text: String) {
        for syntax in JSONSyntax.allCases {
            #expect(problems(text, syntax).count == 1)
            #expect(problems(text, syntax).allSatisfy { $0.hasSuffix("occurs twice in its object") })
        }
        #expect(problems("{a:1,'a':2,\\u0061:3}", .json5).count == 2)
    }

    @Test func `S06 the same name in two objects is no duplicate`() {
        #expect(problems(#"{"a":{"a":1},"b":{"a":2},"c":[{"a":1},{"a":1}]}"#).isEmpty)
    }

    @Test func `S06 all duplicates are told at once, each with its own place`() {
        let text = "{\n\"a\": {\"x\": 1,\n\"x\": 2},\n\"a\": [\n{\"y\": 1, \"y\": 2}]}"
        #expect(
            problems(text) == [
                "a.x (3): occurs twice in its object", "a (4): occurs twice in its object",
                "a[0].y (5): occurs twice in its object",
            ])
    }

    @Test(arguments: ["{4012: 1}", "{a-b: 1}", "{a.b: 1}", "{äö!: 1}"])
    func `a name that needs quotation marks says so`(text: String) {
        #expect(problems(text, .json5).count == 1)
        #expect(problems(text, .json5).allSatisfy { $0.contains("quotation marks") })
        #expect(problems(#"{"4012": 1, 'a-b': 1, äö: 1}"#, .json5).isEmpty)
    }

    static let wholeNumbers: [(String, Int64?)] = [
        ("60", 60), ("-1", -1), ("0", 0), ("-0", 0), ("9007199254740993", 9_007_199_254_740_993),
        ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil),
        ("-9223372036854775809", nil), ("60.0", nil), ("1e3", nil), ("1E2", nil), ("1e400", nil), ("0.5", nil),
        ("-0.0", nil), ("99999999999999999999999999", nil),
    ]

    @Test(arguments: wholeNumbers) func `S11 a whole number is read from its digits, never through floating point`(
        text: String, expected: Int64?
    ) throws {
        let node = try JSONNode.parse(Array(text.utf8), syntax: .json)
        guard case .number(let number) = node.kind else { throw Failure.notANumber }
        #expect(number.text == text && number.integer == expected)
    }

    enum Failure: Error { case notANumber }

    static let lifetimes =
        [
            ("60", "", 60), (#""60""#, "must be a whole number, not a string", nil),
            ("60.0", "written in digits alone", nil),
            ("1e3", "written in digits alone", nil), ("1e400", "written in digits alone", nil),
            ("-1", "must be from 1", nil),
            ("null", "must be a whole number, not null", nil), ("true", "not a boolean", nil),
            ("[60]", "not an array", nil),
            ("9007199254740993", "must be from 1 to 600", nil),
        ] as [(String, String, Int64?)]

    @Test(arguments: lifetimes) func `S11 a number is a number, and null is not missing`(
        value: String, problem: String, expected: Int64?
    ) throws {
        let list = JSONProblemList()
        let node = try JSONNode.parse(Array("{\"ttl\":\(value)}".utf8), syntax: .json)
        let reader = JSONReader(node, problems: list)
        #expect(reader.optionalInteger("ttl", in: 1...600) == expected)
        #expect(list.problems.count == (expected == nil ? 1 : 0))
        #expect(list.problems.allSatisfy { $0.path == "ttl" && $0.problem.contains(problem) })
    }

    @Test func `S11 a missing number is missing, and only where it must be there`() throws {
        let list = JSONProblemList()
        let reader = JSONReader(try JSONNode.parse(Array("{}".utf8), syntax: .json), problems: list)
        #expect(reader.optionalInteger("ttl", in: 1...600) == nil)
        #expect(list.problems.isEmpty)
        #expect(reader.integer("ttl", in: 1...600) == nil)
        #expect(list.problems.map(\.description) == ["ttl (1): is missing"])
    }

    @Test func `nesting, size and the count of values are bounded, and the bounds themselves are allowed`() {
        let limits = JSONLimits(bytes: 40, depth: 3, values: 5)
        #expect(problems("[[[1]]]", limits: limits).isEmpty)
        #expect(problems("[[[[1]]]]", limits: limits) == ["[0][0][0] (1): is nested deeper than 3"])
        #expect(problems("[1,2,3,4]", limits: limits).isEmpty)
        #expect(problems("[1,2,3,4,5]", limits: limits) == ["[4] (1): holds more than 5 values"])
        #expect(problems(String(repeating: " ", count: 39) + "1", limits: limits).isEmpty)
        #expect(problems(String(repeating: " ", count: 40) + "1", limits: limits).count == 1)
    }

    @Test func `a million brackets neither overflow the stack nor take long`() {
        let many = JSONLimits(bytes: 4 << 20, depth: 32, values: 100_000)
        for text in ["[", "{\"a\":", "[{\"a\":"] {
            #expect(problems(String(repeating: text, count: 400_000), limits: many).count == 1)
        }
    }

    @Test func `a hostile text cannot fill the memory with problems`() {
        let text = "{" + (0..<5000).map { _ in "\"a\":1" }.joined(separator: ",") + "}"
        #expect(problems(text).count == JSONProblemList.limit)
    }

    @Test func `no problem repeats a value of the text`() {
        let canary = "c4n4ry"
        let texts = [
            "{\"a\": \(canary)}", "{\"a\": \"\(canary)", "{\"a\": \"\(canary)\" \"b\"}", "{\"a\": '\(canary)'x}",
            "{\"a\": \"\(canary)\\q\"}", "{\"a\": \"\(canary)\\ud800\"}", "// \(canary)\n[", "/* \(canary)",
            "[1\(canary)]",
            "{\"a\": 0x\(canary)}", "[\"\(canary)\u{1}\"]",
        ]
        for text in texts {
            for syntax in JSONSyntax.allCases {
                let found = problems(text, syntax)
                // JSON5 knows the escape `\q`.
                #expect(found.count == 1 || syntax == .json5 && text.contains("\\q"), "\(text)")
                #expect(!found.contains { $0.contains(canary) }, "\(text)")
            }
        }
    }
}
