import Configuration
import Foundation
import JSONTree
import Testing
import VerificationCore

@Suite struct StrictConfigurationTests {
    static let durations: [(String, Duration?)] = [
        ("5m", .seconds(300)), ("300s", .seconds(300)), ("300000ms", .seconds(300)), ("1h", .seconds(3600)),
        ("1d", .seconds(86_400)), ("5", nil), ("5M", nil), ("5 m", nil), (" 5m", nil), ("5m ", nil), ("05m", nil),
        ("-5m", nil),
        ("+5m", nil), ("5.0m", nil), ("1h30m", nil), ("P1D", nil), ("PT5M", nil), ("m", nil), ("", nil), ("5min", nil),
        ("５m", nil), ("0x5m", nil), ("99999999999999999999d", nil), ("59s", nil), ("25h", nil),
    ]

    @Test(arguments: durations) func `F07 a time has its unit`(text: String, expected: Duration?) throws {
        let change = ("environment:", "sessions: { lifetime: \"\(text)\" }, environment:")
        let problems = try Scene.problems(change)
        #expect(problems.count == (expected == nil ? 1 : 0))
        #expect(problems.allSatisfy { $0.hasPrefix("sessions.lifetime: must be ") })
        if let expected { #expect(try Scene.load([change]).sessions.lifetime == expected) }
    }

    @Test func `F07 a time in its text has the largest unit that divides it`() {
        for text in ["0s", "1ms", "1500ms", "59s", "5m", "2h", "3d", "36h"] {
            #expect(DurationText.duration(text).map(DurationText.text) == text)
        }
    }

    static let numbers: [(String, String?)] = [
        ("9000", nil), ("0", nil), ("65535", nil), ("\"9000\"", "must be a whole number, not a string"),
        ("9000.0", "written in digits alone"), ("9e3", "written in digits alone"), ("1e400", "written in digits alone"),
        ("-1", "must be from 0 to 65535"), ("65536", "must be from"), ("9007199254740993", "must be from"),
        ("null", "must be a whole number, not null"), ("true", "not a boolean"), ("NaN", "written in digits alone"),
        ("Infinity", "written in digits alone"), ("[9000]", "not an array"),
    ]

    @Test(arguments: numbers) func `S11 a port is a number that is written as one`(text: String, words: String?) throws
    {
        let problems = try Scene.problems(("environment:", "http: { port: \(text) }, environment:"))
        #expect(problems.count == (words == nil ? 0 : 1), "\(problems)")
        #expect(problems.allSatisfy { $0.hasPrefix("http.port: ") && $0.contains(words ?? "") })
    }

    static let booleans = ["yes", "no", "on", "off", "True", "TRUE", "\"true\"", "1", "0", "null"]

    @Test(arguments: booleans) func `F07 only true and false are booleans`(text: String) throws {
        let claims = "claims: [\"name\", \"birthdate\"]"
        #expect(try Scene.problems((claims, "require_certification: \(text), \(claims)")).count == 1)
    }

    static let typos: [(String, String, String)] = [
        (
            "environment: \"development\",", "enviroment: \"development\",",
            "enviroment: is not a known key; did you mean environment?"
        ),
        (
            "retention: \"1d\"", "retention: \"1d\", require_certificate: true",
            "purposes.kyc.require_certificate: is not a known key; did you mean require_certification?"
        ),
        ("trust: []", "trusts: []", "verifiers.main.trusts: is not a known key; did you mean trust?"),
        (
            "role: \"app\"", "role: \"ap\"",
            "clients.app.role: must be one of \"app\", \"operator\", \"finance\", \"auditor\"; did you mean \"app\"?"
        ),
        (
            "{ verifier: \"main\" }", "{ verifier: \"mian\" }",
            "routes[0].verifier: names no verifier; did you mean \"main\"?"
        ),
        (
            "kind: \"in_house\"", "kind: \"inhouse\"",
            "verifiers.main.kind: names no kind of verifier; did you mean \"in_house\"?"
        ),
        (
            "purposes: [\"kyc\"]", "purposes: [\"kcy\"]",
            "clients.app.purposes[0]: names no purpose; did you mean \"kyc\"?"
        ),
        (
            "mnc\"]", "mnd\"]",
            "purposes.kyc.document_types[0]: names no known document type; did you mean \"org.iso.23220.1.jp.mnc\"?"
        ),
        (
            "store: {", "store: { kind: \"sqllite\",",
            "store.kind: must be one of \"sqlite\", \"memory\"; did you mean \"sqlite\"?"
        ),
    ]

    @Test(arguments: typos) func `F07 a slip of the pen is told with what was meant`(
        old: String, new: String, problem: String
    ) throws {
        #expect(try Scene.problems((old, new)).contains(problem))
    }

    @Test func `F07 a section that stands twice is refused`() throws {
        #expect(
            try Scene.problems(("routes:", "routes: [{ verifier: \"main\" }], routes:")) == [
                "routes: occurs twice in its object"
            ])
        #expect(
            try Scene.problems(("routes:", "'st\\u006fre': {}, routes:")) == ["store: occurs twice in its object"])
    }

    static let sections = ["environment", "store", "sealing", "clients", "purposes", "verifiers", "routes"]

    @Test(arguments: sections) func `what has no default must be there, and null is not left out`(section: String)
        throws
    {
        let problems = try Scene.problems(("  \(section):", "  x_\(section):"))
        #expect(problems.contains("\(section): is missing"))
        let nothing = try Scene.problems(
            ("routes: [{ verifier: \"main\" }],", "routes: [{ verifier: \"main\" }], http: null,"))
        #expect(nothing == ["http: must be an object, not null"])
    }

    @Test func `F01 a configuration that cannot be read leaves nothing half read`() throws {
        let folder = try Folder()
        let now = Scene.now
        let table: [(String, [UInt8]?, String)] = [
            ("missing", nil, "document (1): does not exist"),
            ("syntax", Array("{ a: ".utf8), "a (1): ends where a value is expected"),
            ("empty", [], "document (1): ends where a value is expected"),
            ("list", Array("[]".utf8), "document (1): must be an object"),
            ("binary", [0x7B, 0xFF], "document (1): is not UTF-8"),
            ("mark", [0xEF, 0xBB, 0xBF] + Array(Scene.good.utf8), "document (1): begins with a byte order mark"),
            ("large", Array(repeating: 0x20, count: 2 << 20), "document (1): is longer than 1048576 bytes"),
        ]
        for (name, content, words) in table {
            var path = folder.url.path + "/" + name
            if let content { path = try folder.write(content, to: name) }
            let report = CheckReport.make(path: path, kinds: Scene.kinds, now: now)
            #expect(
                !report.isGood && report.text.hasPrefix(words) && report.text.hasSuffix("\n"), "\(name): \(report.text)"
            )
        }
        #expect(!CheckReport.make(path: folder.url.path, kinds: Scene.kinds, now: now).isGood)
    }

    @Test func `F01 a key file that is missing refuses the whole, with path and line`() throws {
        let problems = #expect(throws: JSONProblems.self) { try Scene.load(variables: [:]) }
        #expect(
            problems?.description
                == "sealing.keys[0].key (4): the environment variable with the secret is not set")
    }

    @Test func `F01 a good configuration is reported with its version and nothing else`() throws {
        let folder = try Folder()
        let path = try folder.write(Array(Scene.good.utf8), to: "good.json5")
        let report = CheckReport.make(
            path: path, kinds: Scene.kinds, resolver: SecretResolver(variables: ["SEALING": Scene.sealingKey]),
            now: Scene.now)
        let version = try Scene.load().version
        #expect(report.isGood)
        #expect(report.text == "good: development, version \(version), 1 client, 1 purpose, 1 verifier\n")
    }
}
