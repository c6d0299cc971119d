import JSONTree
import Testing
import VerificationCore

@testable import Certified

/// Days, pauses, conditions and claims as answers write them.
@Suite struct ReadingValuesTests {
    @Test(arguments: [
        ("YYYY-MM-DD", "1971-09-01", "1971-09-01"), ("YYYYMMDD", "19710901", "1971-09-01"),
        ("DD.MM.YYYY", "01.09.1971", "1971-09-01"), ("MM/DD/YYYY", "09/01/1971", "1971-09-01"),
        ("YYYY年M月D日", "1971年9月1日", "1971-09-01"), ("YYYY年M月D日", "１９７１年１２月３１日", "1971-12-31"),
        ("YYYY-MM-DD", "1985-00-00", "1985-00-00"), ("YYYYMMDD", "20230229", "2023-02-29"),
        ("YYYY-MM-DDT00:00:00Z", "", ""),
    ])
    func `a day keeps what was issued`(pattern: String, written: String, day: String) {
        if day.isEmpty {
            #expect(DatePattern(pattern) == nil)
        } else {
            #expect(DatePattern(pattern)?.text(written) == day)
        }
    }

    @Test(arguments: [
        ("YYYY-MM-DD", "1971-9-1"), ("YYYYMMDD", "1971-09-01"), ("YYYYMMDD", "197109011"), ("YYYY年M月D日", "1971年9月1"),
        ("MM/DD/YYYY", "1971/09/01"), ("YYYY-MM-DD", "1985-XX-XX"), ("YYYY-MM-DD", ""), ("YYYY-MM-DD", " 1971-09-01"),
        ("YYYY-MM-DD", "-971-09-01"), ("YYYY-MM-DD", "1971-09-01T00:00:00Z"),
    ])
    func `a day that is written otherwise is none`(pattern: String, written: String) {
        #expect(DatePattern(pattern)?.text(written) == nil)
    }

    @Test(arguments: [
        "", "YYYY", "YYYY-MM", "MM-DD", "YY-MM-DD", "YYYY-MM-DD-DD", "YYYYMD", "YYYY-MMM-DD", "YYYYMDD", "DDMYYYY",
        "1YYYY-MM-DD",
    ])
    func `a pattern that could be read in two ways is none`(pattern: String) {
        #expect(DatePattern(pattern) == nil)
    }

    static let moment = Timestamp(seconds: 784_111_000)

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("Sun, 06 Nov 1994 08:49:37 GMT", 777), ("Sunday, 06-Nov-94 08:49:37 GMT", 777),
            ("Sun Nov  6 08:49:37 1994", 777), ("Sun, 06 Nov 1994 08:30:00 GMT", 0), ("999999999", 86_400),
        ] as [(String, Int64)])
    func `Retry-After is seconds or a date in one of three forms`(text: String, seconds: Int64) {
        #expect(RetryAfter.pause(text, at: Self.moment) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "-1", "1.5", "1e3", "soon", "Sun, 06 Nov 1994 08:49:37 JST", "Sun, 31 Feb 1994 08:49:37 GMT",
        "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "99999999999", "1994-11-06T08:49:37Z", " 5",
    ])
    func `a Retry-After that cannot be read asks for nothing`(text: String) {
        #expect(RetryAfter.pause(text, at: Self.moment) == nil)
    }

    private func holds(_ condition: String, _ body: String) throws -> Bool {
        let problems = JSONProblemList()
        let tree = try JSONNode.parse(Array(condition.utf8), syntax: .json5)
        let read = ConditionReading.condition(JSONReader(tree, problems: problems))
        #expect(problems.problems == [])
        return try #require(read).holds(in: JSONNode.parse(Array(body.utf8), syntax: .json))
    }

    @Test(arguments: [
        (#"{at: "/a", equals: "x"}"#, #"{"a": "x"}"#, true), (#"{at: "/a", equals: "x"}"#, #"{"a": "X"}"#, false),
        (#"{at: "/a", equals: 1}"#, #"{"a": 1}"#, true), (#"{at: "/a", equals: 1}"#, #"{"a": "1"}"#, false),
        (#"{at: "/a", equals: 1}"#, #"{"a": 1.0}"#, false), (#"{at: "/a", equals: true}"#, #"{"a": 1}"#, false),
        (#"{at: "/a", equals: null}"#, #"{"a": null}"#, true), (#"{at: "/a", equals: null}"#, "{}", false),
        (#"{at: "/a", in: ["x", 2]}"#, #"{"a": 2}"#, true), (#"{at: "/a", in: ["x", 2]}"#, #"{"a": "2"}"#, false),
        (#"{at: "/a", exists: true}"#, #"{"a": null}"#, false), (#"{at: "/a", exists: true}"#, #"{"a": false}"#, true),
        (#"{at: "/a", absent: true}"#, #"{"a": null}"#, true), (#"{at: "/a/b", absent: true}"#, #"{"a": 1}"#, true),
        (#"{not: {at: "/a", equals: 1}}"#, "{}", true),
        (#"{all: [{at: "/a", equals: 1}, {at: "/b", equals: 2}]}"#, #"{"a": 1, "b": 2}"#, true),
        (#"{all: [{at: "/a", equals: 1}, {at: "/b", equals: 2}]}"#, #"{"a": 1}"#, false),
        (#"{any: [{at: "/a", equals: 1}, {at: "/b", equals: 2}]}"#, #"{"b": 2}"#, true),
        (#"{at: "/l", every: {at: "/s", equals: "ok"}}"#, #"{"l": [{"s": "ok"}, {"s": "ok"}]}"#, true),
        (#"{at: "/l", every: {at: "/s", equals: "ok"}}"#, #"{"l": [{"s": "ok"}, {"s": "no"}]}"#, false),
        (#"{at: "/l", every: {at: "/s", equals: "ok"}}"#, #"{"l": []}"#, false),
        (#"{at: "/l", every: {at: "/s", equals: "ok"}}"#, #"{"l": {"s": "ok"}}"#, false),
        (#"{at: "/l", some: {at: "", equals: "ok"}}"#, #"{"l": ["no", "ok"]}"#, true),
        (#"{at: "/l", some: {at: "", equals: "ok"}}"#, #"{"l": []}"#, false),
    ])
    func `a condition compares with the type, and an empty list is never all of it`(
        condition: String, body: String, expected: Bool
    ) throws {
        #expect(try holds(condition, body) == expected)
    }

    @Test(arguments: [
        "{}", #"{at: "/a"}"#, #"{equals: 1}"#, #"{at: "/a", equals: 1, in: [1]}"#, #"{at: "/a", all: []}"#,
        #"{all: []}"#,
        #"{any: {}}"#, #"{at: "a", equals: 1}"#, #"{at: "/a", equals: [1]}"#, #"{at: "/a", equals: 1.5}"#,
        #"{at: "/a", exists: false}"#, #"{at: "/a", in: []}"#, #"{at: "/a", equal: 1}"#, "[]",
    ])
    func `a condition that says nothing clear is refused`(condition: String) throws {
        let problems = JSONProblemList()
        let tree = try JSONNode.parse(Array(condition.utf8), syntax: .json5)
        _ = ConditionReading.condition(JSONReader(tree, problems: problems))
        #expect(!problems.problems.isEmpty)
    }

    @Test(arguments: [
        ("application/json", true), ("application/json; charset=utf-8", true),
        ("Application/JSON;charset=\"UTF-8\"", true),
        ("application/vnd.api+json", true), ("application/problem+json", true), ("text/json", false),
        ("text/html", false),
        ("application/json; charset=Shift_JIS", false), ("application/jsonp", false), ("", false), ("+json", false),
    ])
    func `only what says that it is JSON is read as such`(type: String, expected: Bool) {
        #expect(ProviderAnswer.isJSON(type) == expected)
    }

    private func value(_ source: String, _ body: String) throws -> ClaimValue? {
        let root = try JSONNode.parse(Array("{claims: {name: \(source)}}".utf8), syntax: .json5)
        let problems = JSONProblemList()
        let sources = ClaimReading.claims(JSONReader(try #require(root["claims"]), problems: problems))
        #expect(problems.problems == [])
        return try ClaimValues.value(
            of: try #require(sources.first), in: JSONNode.parse(Array(body.utf8), syntax: .json))
    }

    @Test func `claims are read as declared, and anything else is no claim`() throws {
        #expect(try value(#""/a""#, #"{"a": " x　"}"#) == .text(" x　"))
        #expect(try value(#""/a""#, #"{"a": null}"#) == nil)
        #expect(try value(#""/a""#, "{}") == nil)
        #expect(try value(#""/a""#, #"{"a": ""}"#) == .text(""))
        #expect(throws: UnreadableAnswer.self) { try value(#""/a""#, #"{"a": 1}"#) }
        #expect(try value(#"{at: "/a", format: "boolean"}"#, #"{"a": false}"#) == .boolean(false))
        #expect(throws: UnreadableAnswer.self) { try value(#"{at: "/a", format: "boolean"}"#, #"{"a": "false"}"#) }
        #expect(try value(#"{at: "/a", format: "integer"}"#, #"{"a": 0}"#) == .integer(0))
        #expect(try value(#"{at: "/a", format: "integer"}"#, #"{"a": "-7"}"#) == .integer(-7))
        #expect(throws: UnreadableAnswer.self) { try value(#"{at: "/a", format: "integer"}"#, #"{"a": 1.5}"#) }
        #expect(try value(#"{at: "/a", values: {"1": "male", "true": false}}"#, #"{"a": 1}"#) == .text("male"))
        #expect(try value(#"{at: "/a", values: {"1": "male", "true": false}}"#, #"{"a": true}"#) == .boolean(false))
        #expect(throws: UnreadableAnswer.self) { try value(#"{at: "/a", values: {"1": "male"}}"#, #"{"a": 2}"#) }
        #expect(
            try value(#"{at: "/a", format: "any"}"#, #"{"a": [{"b": "c", "n": null}, 1.5, true]}"#)
                == .list([.record([ClaimMember(name: "b", value: .text("c"))]), .text("1.5"), .boolean(true)]))
    }

    @Test func `images are images by their first bytes`() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]
        let image = #"{at: "/a", format: "image"}"#
        #expect(try value(image, #"{"a": "\#(ByteText.base64(png))"}"#) == .image(mediaType: "image/png", data: png))
        #expect(try value(image, #"{"a": "\#(ByteText.base64URL(png))"}"#) == .image(mediaType: "image/png", data: png))
        #expect(
            try value(image, #"{"a": "data:image/jpeg;base64,\#(ByteText.base64(png))"}"#)
                == .image(mediaType: "image/png", data: png))
        for wrong in ["", "PGh0bWw+", "not base64", "data:image/png,abc", ByteText.hex(png)] {
            #expect(throws: UnreadableAnswer.self) { try value(image, #"{"a": "\#(wrong)"}"#) }
        }
    }

    @Test func `a record of a list is the one that matches, and two are none`() throws {
        let source = #"{in: "/l", where: {"/k": "n"}, at: "/v"}"#
        #expect(try value(source, #"{"l": [{"k": "m", "v": "x"}, {"k": "n", "v": "y"}]}"#) == .text("y"))
        #expect(try value(source, #"{"l": [{"k": "m", "v": "x"}]}"#) == nil)
        #expect(try value(source, #"{"l": []}"#) == nil)
        #expect(try value(source, "{}") == nil)
        #expect(throws: UnreadableAnswer.self) {
            try value(source, #"{"l": [{"k": "n", "v": "x"}, {"k": "n", "v": "y"}]}"#)
        }
        #expect(throws: UnreadableAnswer.self) { try value(source, #"{"l": {"k": "n", "v": "y"}}"#) }
    }
}
