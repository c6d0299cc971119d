import JSONTree
import Testing

/// A value as compact JSON, with numbers as they were written: what a test compares.
func rendered(_ node: JSONNode) -> String {
    switch node.kind {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .number(let number): number.text
    case .string(let text): JSONValue.string(text).text
    case .array(let elements): "[" + elements.map(rendered).joined(separator: ",") + "]"
    case .object(let members):
        "{" + members.map { JSONValue.string($0.name).text + ":" + rendered($0.value) }.joined(separator: ",") + "}"
    }
}

func problems(_ text: String, _ syntax: JSONSyntax = .json, limits: JSONLimits = .standard) -> [String] {
    problems(Array(text.utf8), syntax, limits: limits)
}

func problems(_ bytes: [UInt8], _ syntax: JSONSyntax = .json, limits: JSONLimits = .standard) -> [String] {
    do throws(JSONProblems) {
        _ = try JSONNode.parse(bytes, syntax: syntax, limits: limits)
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

@Suite struct GrammarTests {
    static let accepted = [
        ("null", "null"), (" \t\r\n true ", "true"), ("[]", "[]"), ("{}", "{}"), ("[1 , 2]", "[1,2]"),
        (#"{"a" : {"b":[null]}}"#, #"{"a":{"b":[null]}}"#), (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#),
        (#""\u00e9\u65e5""#, "\"é日\""), (#""\ud842\udfb7""#, "\"𠮷\""), (#""\uD842\uDFB7""#, "\"𠮷\""),
        ("\"𠮷　葛\u{E0100}\u{7F}\u{2028}\"", "\"𠮷　葛\u{E0100}\u{7F}\u{2028}\""), (#""\u0000""#, #""\u0000""#),
        ("-0", "-0"), ("0", "0"), ("1e400", "1e400"), ("-1.5E+10", "-1.5E+10"), ("0.0", "0.0"), (#""""#, #""""#),
        (#"{"":1}"#, #"{"":1}"#),
    ]

    @Test(arguments: accepted) func `JSON is read in both grammars`(text: String, expected: String) throws {
        for syntax in JSONSyntax.allCases {
            #expect(rendered(try JSONNode.parse(Array(text.utf8), syntax: syntax)) == expected)
        }
    }

    static let refusedInBoth = [
        "", " ", "nul", "nulll", "True", "yes", "on", "[1", "[1 2]", "{", "{\"a\"}", "{\"a\" 1}", "{\"a\":}",
        "{\"a\":1",
        "[,]", "{,}", "[1,,2]", "\"", "\"a", "\"\n\"", "\"\r\"", "\"\u{0}\"", "\"\u{1f}\"", "01", "-01", "-", "1e",
        "1e+",
        "1.2.3", "1a", "0x", "--1", #""\u12""#, #""\u12g4""#, #""\ud842""#, #""\ud842x""#, #""\ud842\n""#,
        #""\ud842\u0041""#, #""\udfb7""#, #""\udfb7\ud842""#, "{} {}", "[] x", "1 2", "nullnull", "]", "}", ":", "/",
        "/* never", "[1]]", "{\"a\":1}}", "\u{FEFF}{}", "{}\u{FEFF}", "[\u{FEFF}1]", "=", "{\"a\"=1}", "{1:1}",
    ]

    @Test(arguments: refusedInBoth) func `what is no JSON is refused in both grammars`(text: String) {
        for syntax in JSONSyntax.allCases { #expect(problems(text, syntax).count == 1, "\(syntax)") }
    }

    static let json5Only = [
        ("{a:1}", #"{"a":1}"#), ("{$a_1:1,}", #"{"$a_1":1}"#), ("[1,]", "[1]"), ("'a\"b'", #""a\"b""#),
        ("// c\n1 // d", "1"), ("/* a\n * b */ 1", "1"), ("{'a':1}", #"{"a":1}"#), (".5", ".5"), ("5.", "5."),
        ("+1", "+1"), ("0xFF", "0xFF"), ("-0xff", "-0xff"), ("Infinity", "Infinity"), ("-Infinity", "-Infinity"),
        ("NaN", "NaN"), (#"'\x41\v\0\'\a'"#, #""A\u000b\u0000'a""#), ("'a\\\nb'", "\"ab\""), ("'a\\\r\nb'", "\"ab\""),
        ("'a\\\u{2028}b'", "\"ab\""), ("\u{B}\u{C}\u{A0}\u{3000}\u{2028}1", "1"), ("{名前:1}", #"{"名前":1}"#),
        (#"{\u0061b:1}"#, #"{"ab":1}"#), ("'\t'", #""\t""#), ("// c\u{2028}1", "1"), ("{null:1}", #"{"null":1}"#),
        ("1//", "1"), ("'\\あ'", "\"あ\""),
    ]

    @Test(arguments: json5Only) func `what JSON5 adds is read in JSON5 only`(text: String, expected: String) throws {
        #expect(rendered(try JSONNode.parse(Array(text.utf8), syntax: .json5)) == expected)
        #expect(problems(text, .json).count == 1)
    }

    static let refusedInJSON5 = [
        "'\\1'", "'\\01'", "'\\x4'", "{1a:1}", "{a-b:1}", #"{\u0031a:1}"#, "{a\\x:1}", "//", "0x1G", "+-1", ".", "+",
        "1.e",
        "Infinityx", "'a\u{1}'", "[,1]",
    ]

    @Test(arguments: refusedInJSON5) func `JSON5 has its limits`(text: String) {
        #expect(problems(text, .json5).count == 1)
    }

    static let notUTF8: [[UInt8]] = [
        [0x80], [0xC0, 0xAF], [0xC1, 0x81], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
        [0xE3, 0x81],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xFF],
    ]

    @Test(arguments: notUTF8) func `what is not UTF-8 is refused, with its line`(bytes: [UInt8]) {
        let text = Array("[\r\n\n\"".utf8) + bytes + Array("\"]".utf8)
        for syntax in JSONSyntax.allCases { #expect(problems(text, syntax) == ["document (3): is not UTF-8"]) }
    }

    @Test func `a byte order mark is refused in words`() {
        let words = "document (1): begins with a byte order mark; save the file as UTF-8 without one"
        #expect(problems("\u{FEFF}{}", .json5) == [words])
        #expect(problems([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]) == ["document (1): is UTF-16; it must be UTF-8"])
    }

    @Test func `places count lines by LF, CR and CRLF, and columns in bytes`() throws {
        let node = try JSONNode.parse(Array("{\r\n'日': 1,\r a: [\n 2]}".utf8), syntax: .json5)
        let members = try #require(node.members)
        #expect(members.map(\.line) == [2, 3] && members.map(\.column) == [1, 2])
        #expect(members[0].value.line == 2 && members[0].value.column == 8)
        #expect(members[1].value.elements?.first?.line == 4)
    }
}
