import Configuration
import Foundation
import JSONTree
import Routing
import Testing
import VerificationCore

/// What rules may say, and what is refused of them.
@Suite struct RoutesTests {
    /// Two more verifiers, an operator, another app and another purpose beside the good configuration's.
    static let more = [
        ("main: {", "spare: \(verifier("m", "t")), other: \(verifier("o", "t")), main: {"),
        (
            "clients: {",
            """
            clients: {
              ops: { key_sha256: ["\(String(repeating: "cd", count: 32))"], role: "operator" },
              till: { key_sha256: ["\(String(repeating: "ef", count: 32))"], role: "app", purposes: ["age"] },
            """
        ),
        (
            "purposes: {\n    kyc",
            """
            purposes: {
                age: {
                  document_types: ["org.iso.23220.1.jp.mnc", "org.iso.18013.5.1.mDL"], claims: ["age_over_20"],
                  required_claims: [], retention: "0s", relying_party_retention: "none",
                },
                kyc
            """
        ),
    ]

    static func verifier(_ merchant: String, _ team: String) -> String {
        "{ kind: \"in_house\", wallet: { merchant_identifier: \"\(merchant)\", team_identifier: \"\(team)\", keys: [] } }"
    }

    static func load(_ routes: String, in environment: String = "development") throws -> GatewayConfiguration {
        try Scene.load(
            more + [("[{ verifier: \"main\" }]", routes), ("\"development\"", "\"\(environment)\"")])
    }

    static func problems(_ routes: String, in environment: String = "development") throws -> [String] {
        do {
            _ = try load(routes, in: environment)
            return []
        } catch let problems as JSONProblems {
            return problems.problems.map { "\($0.path): \($0.problem)" }
        }
    }

    @Test func `a rule says for whom, when, by whom, by whom else and by whom again`() throws {
        let loaded = try Self.load(
            """
            [
              { name: "trial", purposes: ["kyc", "age"], document_types: ["org.iso.23220.1.jp.mnc"], clients: ["app"],
                window: { from: "2026-12-01T00:00:00+09:00", until: "2027-01-01T00:00:00+09:00",
                  hours: { from: "22:00", until: "06:00", time_zone: "Asia/Tokyo" } },
                verifiers: [{ id: "main", weight: 90 }, { id: "spare", weight: 10 }, { id: "other", weight: 0 }],
                fallback: ["spare", "other"], shadow: { verifier: "other", percent: 5 } },
              { purpose: "age", document_type: "org.iso.18013.5.1.mDL", client: "till", verifier: "other" },
              { verifier: "main" },
            ]
            """)
        let rules = loaded.routes.rules
        #expect(rules.map(\.name) == ["trial", "age+org.iso.18013.5.1.mDL+till", "default"])
        #expect(rules[0].purposes == [PurposeID("kyc"), PurposeID("age")] && rules[0].clients == [ClientID("app")])
        #expect(rules[0].documentTypes == ["org.iso.23220.1.jp.mnc"])
        #expect(rules[0].window?.from == RFC3339.timestamp("2026-11-30T15:00:00Z"))
        #expect(rules[0].window?.until == RFC3339.timestamp("2026-12-31T15:00:00Z"))
        #expect(rules[0].window?.hours?.from == 22 * 60 && rules[0].window?.hours?.until == 6 * 60)
        #expect(rules[0].window?.hours?.zone == ZoneOffsets(name: "Asia/Tokyo", initialOffset: 9 * 3600))
        #expect(rules[0].targets.map(\.weight) == [90, 10, 0])
        #expect(rules[0].fallbacks == [VerifierID("spare"), VerifierID("other")])
        #expect(rules[0].shadow == ShadowShare(verifier: VerifierID("other"), percent: 5))
        #expect(rules[1].purposes == [PurposeID("age")] && rules[1].targets == [WeightedTarget(VerifierID("other"))])
        #expect(rules[2].isDefault)
        #expect(loaded.lines.routes.count == 3 && loaded.lines.routes[0] < loaded.lines.routes[1])
    }

    static let refused: [(String, [String])] = [
        (
            "{ purpose: \"kyc\", purposes: [\"age\"], verifier: \"main\" }",
            ["purposes: says the same as purpose; only one of them may stand"]
        ),
        (
            "{ client: \"app\", clients: [\"till\"], verifier: \"main\" }",
            ["clients: says the same as client; only one of them may stand"]
        ),
        (
            "{ document_type: \"org.iso.18013.5.1.mDL\", document_types: [\"org.iso.18013.5.1.mDL\"], verifier: \"other\" }",
            ["document_types: says the same as document_type; only one of them may stand"]
        ),
        ("{ purposes: [], verifier: \"main\" }", ["purposes: must not be empty: leave it out to look at none"]),
        ("{ purposes: [\"kyc\", \"kyc\"], verifier: \"spare\" }", ["purposes[1]: is in the list already"]),
        ("{ purposes: [\"kcy\"], verifier: \"spare\" }", ["purposes[0]: names no purpose; did you mean \"kyc\"?"]),
        ("{ clients: [\"ap\"], verifier: \"spare\" }", ["clients[0]: names no client; did you mean \"app\"?"]),
        ("{ clients: [\"ops\"], verifier: \"spare\" }", ["clients: names a client that opens no sessions"]),
        (
            "{ clients: [\"till\"], purposes: [\"kyc\"], verifier: \"spare\" }",
            ["clients: names a client that may not ask for the rule's purpose"]
        ),
        (
            "{ purpose: \"kyc\", document_types: [\"org.iso.18013.5.1.mDL\"], verifier: \"spare\" }",
            ["document_types: is no document type of the rule's purpose"]
        ),
        ("{ document_types: [\"mdl\"], verifier: \"spare\" }", ["document_types[0]: names no known document type"]),
        (
            "{ client: \"app\", verifier: \"main\", verifiers: [{ id: \"spare\", weight: 1 }] }",
            ["verifiers: says the same as verifier; only one of them may stand"]
        ),
        ("{ client: \"app\", verifiers: [] }", ["verifiers: must not be empty"]),
        (
            "{ client: \"app\", verifiers: [{ id: \"spare\", weight: 0 }, { id: \"main\", weight: 0 }] }",
            ["verifiers: has no weight above 0, so no session finds a verifier by it"]
        ),
        (
            "{ client: \"app\", verifiers: [{ id: \"spare\", weight: 1 }, { id: \"spare\", weight: 1 }] }",
            ["verifiers[1].id: is in the list already"]
        ),
        (
            "{ client: \"app\", verifiers: [{ id: \"spare\", weight: 10001 }] }",
            ["verifiers[0].weight: must be from 0 to 10000"]
        ),
        (
            "{ client: \"app\", verifiers: [{ id: \"spare\", weight: \"1\" }] }",
            ["verifiers[0].weight: must be a whole number, not a string"]
        ),
        ("{ client: \"app\", verifiers: [{ id: \"spare\" }] }", ["verifiers[0].weight: is missing"]),
        (
            "{ client: \"app\", verifiers: [{ id: \"spar\", weight: 1 }] }",
            ["verifiers[0].id: names no verifier; did you mean \"spare\"?"]
        ),
        (
            "{ client: \"app\", verifiers: [{ id: \"spare\", weight: 1, wieght: 2 }] }",
            ["verifiers[0].wieght: is not a known key; did you mean weight?"]
        ),
        (
            "{ client: \"app\", verifier: \"spare\", fallback: [\"spare\"] }",
            ["fallback: holds the rule's own verifier"]
        ),
        (
            "{ client: \"app\", verifier: \"spare\", fallback: [\"mian\"] }",
            ["fallback[0]: names no verifier; did you mean \"main\"?"]
        ),
        ("{ client: \"app\", verifier: \"spare\", fallback: \"main\" }", ["fallback: must be an array, not a string"]),
        (
            "{ client: \"app\", verifier: \"spare\", shadow: { verifier: \"spare\", percent: 5 } }",
            ["shadow: is the rule's own verifier"]
        ),
        (
            "{ client: \"app\", verifier: \"spare\", shadow: { verifier: \"mian\", percent: 5 } }",
            ["shadow.verifier: names no verifier; did you mean \"main\"?"]
        ),
        (
            "{ client: \"app\", verifier: \"spare\", shadow: { verifier: \"main\", percent: 101 } }",
            ["shadow.percent: must be from 0 to 100"]
        ),
        ("{ client: \"app\", verifier: \"spare\", shadow: { verifier: \"main\" } }", ["shadow.percent: is missing"]),
        (
            "{ name: \"Trial\", client: \"app\", verifier: \"spare\" }",
            ["name: must be lower-case letters, digits, '-', '_' and '.', a letter or digit first, at most 64 in all"]
        ),
        ("{ name: \"default\", client: \"app\", verifier: \"spare\" }", []),
    ]

    @Test(arguments: refused) func `what a rule may not say is told where it stands`(rule: String, expected: [String])
        throws
    {
        let problems = try Self.problems("[\(rule), { name: \"rest\", verifier: \"main\" }]")
        #expect(problems == expected.map { "routes[0].\($0)" })
    }

    static let windows: [(String, [String])] = [
        ("{}", ["window: must have from, until or hours"]),
        (
            "{ from: \"2026-12-01T00:00:00Z\", until: \"2026-12-01T00:00:00Z\" }",
            ["window.until: leaves no time after from"]
        ),
        (
            "{ from: \"2026-12-01T09:00:00+09:00\", until: \"2026-12-01T00:00:00Z\" }",
            ["window.until: leaves no time after from"]
        ),
        (
            "{ from: \"2026-12-01\" }",
            ["window.from: must be a time with its offset (RFC 3339), such as \"2026-04-01T00:00:00+09:00\""]
        ),
        ("{ until: null }", ["window.until: must be a string, not null"]),
        (
            "{ hours: { from: \"09:00\", until: \"09:00\", time_zone: \"Asia/Tokyo\" } }",
            ["window.hours.until: leaves no time after from"]
        ),
        (
            "{ hours: { from: \"9:00\", until: \"18:00\", time_zone: \"Asia/Tokyo\" } }",
            ["window.hours.from: must be a time of day such as \"09:00\""]
        ),
        (
            "{ hours: { from: \"24:00\", until: \"18:00\", time_zone: \"Asia/Tokyo\" } }",
            ["window.hours.from: must be a time of day such as \"09:00\""]
        ),
        (
            "{ hours: { from: \"09:60\", until: \"24:01\", time_zone: \"Asia/Tokyo\" } }",
            [
                "window.hours.from: must be a time of day such as \"09:00\"",
                "window.hours.until: must be a time of day such as \"09:00\", or \"24:00\"",
            ]
        ),
        (
            "{ hours: { from: \"09:00\", until: \"18:00\", time_zone: \"Asia/Tokio\" } }",
            ["window.hours.time_zone: names no time zone of the IANA database; did you mean \"Asia/Tokyo\"?"]
        ),
        (
            "{ hours: { from: \"09:00\", until: \"18:00\", time_zone: \"JST\" } }",
            ["window.hours.time_zone: names no time zone of the IANA database"]
        ),
        ("{ hours: { from: \"09:00\", until: \"18:00\" } }", ["window.hours.time_zone: is missing"]),
        ("{ hours: { from: \"00:00\", until: \"24:00\", time_zone: \"UTC\" } }", []),
        ("{ hours: { from: \"09:00\", until: \"00:00\", time_zone: \"UTC\" } }", []),
        ("{ until: \"2020-01-01T00:00:00Z\" }", []),
    ]

    @Test(arguments: windows) func `a window is a time that comes`(window: String, expected: [String]) throws {
        let problems = try Self.problems("[{ verifier: \"spare\", window: \(window) }, { verifier: \"main\" }]")
        // Which zone is near another one's name is the database's business.
        let told = problems.map {
            $0.hasPrefix("routes[0].window.hours.time_zone: names no") && expected.first?.contains("did you") != true
                ? String($0.prefix { $0 != ";" }) : $0
        }
        #expect(told == expected.map { "routes[0].\($0)" })
    }

    static let unreachable: [(String, [Int])] = [
        ("{ verifier: \"main\" }, { verifier: \"main\" }", [1]),
        ("{ verifier: \"main\" }, { client: \"app\", verifier: \"main\" }", [1]),
        // Where the first is out, the second has its turn.
        ("{ verifier: \"main\" }, { client: \"app\", verifier: \"spare\" }", []),
        ("{ verifier: \"main\", fallback: [\"spare\"] }, { client: \"app\", verifier: \"spare\" }", [1]),
        ("{ verifier: \"main\" }, { verifiers: [{ id: \"spare\", weight: 0 }, { id: \"main\", weight: 1 }] }", [1]),
        (
            "{ verifier: \"main\" }, { verifier: \"spare\" }, { verifiers: [{ id: \"spare\", weight: 1 }, { id: \"main\", weight: 1 }] }",
            [2]
        ),
        ("{ client: \"app\", verifier: \"main\" }, { verifier: \"main\" }", []),
        (
            "{ clients: [\"app\", \"till\"], verifier: \"main\" }, { client: \"app\", purpose: \"kyc\", verifier: \"main\" }, { verifier: \"main\" }",
            [1]
        ),
        ("{ verifier: \"main\", window: { from: \"2026-12-01T00:00:00Z\" } }, { verifier: \"main\" }", []),
        (
            "{ verifier: \"main\", window: { from: \"2026-12-01T00:00:00Z\" } }, { client: \"app\", verifier: \"main\", window: { from: \"2026-12-01T00:00:00Z\" } }, { verifier: \"main\" }",
            [1]
        ),
    ]

    @Test(arguments: unreachable) func `a rule that never picks a verifier is a mistake`(rules: String, which: [Int])
        throws
    {
        #expect(
            try Self.problems("[\(rules)]")
                == which.map {
                    "routes[\($0)]: is never reached: rules before it speak of all its sessions, and have all its verifiers"
                })
    }

    @Test func `two rules never share a name, given or not`() throws {
        #expect(
            try Self.problems(
                "[{ name: \"a\", client: \"app\", verifier: \"main\" }, { name: \"a\", verifier: \"spare\" }]")
                == ["routes[1].name: is the name of another rule already"])
        let loaded = try Self.load(
            "[{ client: \"app\", verifier: \"main\" }, { client: \"app\", verifier: \"spare\" }, { verifier: \"main\" }, { verifier: \"other\" }]"
        )
        #expect(loaded.routes.rules.map(\.name) == ["app", "app-2", "default", "default-2"])
        let others = (0..<30).map { "\"client-number-\($0)\"" }.joined(separator: ", ")
        #expect(try Self.problems("[{ clients: [\(others)], verifier: \"main\" }, { verifier: \"main\" }]").count == 30)
    }

    @Test func `the name of a rule without one stays when other rules come`() throws {
        let before = try Self.load("[{ client: \"till\", verifier: \"spare\" }, { verifier: \"main\" }]")
        let after = try Self.load(
            "[{ client: \"app\", verifier: \"other\" }, { client: \"till\", verifier: \"spare\" }, { verifier: \"main\" }]"
        )
        #expect(after.routes.rules.suffix(2).map(\.name) == before.routes.rules.map(\.name))
    }

    @Test func `in production a fallback and a shadow without certification are refused as the first choice is`() throws
    {
        let certified = (
            "kind: \"in_house\", wallet: { merchant_identifier: \"m\", team_identifier: \"t\", keys: [] }, trust",
            RulesTests.certification + "wallet: { merchant_identifier: \"m\", team_identifier: \"t\", keys: [] }, trust"
        )
        for (route, place) in [
            ("{ verifier: \"main\", fallback: [\"spare\"] }", "fallback"),
            ("{ verifier: \"main\", shadow: { verifier: \"spare\", percent: 1 } }", "shadow"),
            ("{ verifiers: [{ id: \"main\", weight: 1 }, { id: \"spare\", weight: 1 }] }", "verifiers"),
        ] {
            let error = #expect(throws: JSONProblems.self) {
                try Scene.load(
                    Self.more + [
                        certified, ("[{ verifier: \"main\" }]", "[\(route)]"), ("\"development\"", "\"production\""),
                    ])
            }
            #expect(error?.problems.map(\.path) == ["routes[0].\(place)"], "\(error?.description ?? "")")
            #expect(
                error?.description.contains("sends My Number Cards to a verifier without a current certification")
                    == true)
        }
    }

    @Test func `a purpose's regimes are the ones whose certifications count`() throws {
        func problems(_ regimes: String, exception: Bool = false) throws -> [String] {
            let kind =
                exception
                ? "kind: \"in_house\", certification_exception: { legal_basis: \"m\", recorded_on: \"2026-11-30\" },"
                : RulesTests.certification
            return try Scene.problems(
                ("claims: [\"name\", \"birthdate\"]", "regimes: \(regimes), claims: [\"name\", \"birthdate\"]"),
                ("kind: \"in_house\",", kind))
        }
        #expect(try problems("[\"bango-18-4\"]") == [])
        #expect(try problems("[\"jpki-17\", \"bango-18-4\"]") == [])
        #expect(
            try problems("[\"jpki-17\"]") == [
                "routes[0].verifier: serves a purpose with regimes by a verifier whose certification is of another one"
            ])
        #expect(
            try problems("[\"bango-18-4\"]", exception: true).map { $0.prefix(19) } == ["routes[0].verifier:"],
            "no exception helps")
        #expect(
            try problems("[]").contains(
                "purposes.kyc.regimes: must not be empty: leave it out where any regime will do"))
        #expect(try problems("[\"a\", \"a\"]").first == "purposes.kyc.regimes[1]: is in the list already")
    }

    @Test func `a certification that has ended is passed over where another verifier is left`() throws {
        let two =
            Self.more.dropFirst().map(\.self) + [
                (
                    "main: {",
                    "spare: { \(RulesTests.certification.replacingOccurrences(of: "2026-11-30T18:00", with: "2027-11-30T18:00")) wallet: { merchant_identifier: \"m\", team_identifier: \"t\", keys: [] } }, main: {"
                ),
                (
                    "kind: \"in_house\", wallet: { merchant_identifier: \"m\", team_identifier: \"t\", keys: [] }, trust",
                    RulesTests.certification
                        + "wallet: { merchant_identifier: \"m\", team_identifier: \"t\", keys: [] }, trust"
                ),
                ("\"development\"", "\"production\""),
            ]
        let later = Scene.now.advanced(by: .seconds(3600))
        let routes = (
            "[{ verifier: \"main\" }]", "[{ verifiers: [{ id: \"main\", weight: 9 }, { id: \"spare\", weight: 1 }] }]"
        )
        _ = try Scene.load(two + [routes], now: later)
        let alone = #expect(throws: JSONProblems.self) { try Scene.load(two, now: later) }
        #expect(
            alone?.problems.map(\.path)
                == ["purposes.kyc.document_types[0]", "purposes.age.document_types[0]"].sorted { $0 > $1 }
                || alone?.problems.count == 2)
        // A rule that holds for a while only is no help outside its time.
        let window = (
            "[{ verifier: \"main\" }]",
            "[{ verifier: \"spare\", window: { until: \"2027-01-01T00:00:00Z\" } }, { verifier: \"main\" }]"
        )
        #expect(throws: JSONProblems.self) { try Scene.load(two + [window], now: later) }
    }
}
