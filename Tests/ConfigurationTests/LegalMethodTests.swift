import Configuration
import Testing
import VerificationCore

@Suite struct LegalMethodTests {
    private static let place = "  retention: \"1d\""

    private static func configured(_ table: String, purpose: String = "\"wallet-ru\"") -> [(String, String)] {
        [
            ("purposes: {", "legal_methods: { \"wallet-ru\": [\(table)] }, purposes: {"),
            (place, "  legal_method: \(purpose), retention: \"1d\""),
        ]
    }

    private static func problems(_ table: String, now: Timestamp = Scene.now) throws -> [String] {
        let changes = configured(table)
        return try Scene.problems(changes[0], changes[1], now: now)
    }

    @Test func `a method has on each day the name that the law has for it on that day, in Japan`() throws {
        // The letters of this test are made up: what follows ル is not known.
        let loaded = try Scene.load(
            Self.configured(
                """
                { from: "2018-11-30", policy: "規則", procedure: "甲" }, { from: "2027-04-01", procedure: "乙" }
                """))
        let purpose = try #require(loaded.purposes[PurposeID("kyc")]?.purpose)
        func method(_ time: String) throws -> LegalMethod? {
            purpose.legalMethod(at: try #require(RFC3339.timestamp(time)))
        }
        #expect(try method("2018-11-29T23:59:59.999+09:00") == nil)
        #expect(try method("2018-11-30T00:00:00+09:00")?.procedure == "甲")
        #expect(try method("2027-03-31T23:59:59.999+09:00")?.procedure == "甲")
        #expect(try method("2027-03-31T15:00:00Z")?.procedure == "乙")
        let late = try method("2030-01-01T00:00:00Z")
        #expect(late?.policy == "規則" && late?.code == "wallet-ru" && late?.lawAsOf == CivilDate("2027-04-01"))
    }

    static let wrong: [(String, String)] = [
        (
            "{ from: \"2018-11-30\", until: \"2027-04-01\", procedure: \"甲\" }, { from: \"2027-03-31\", procedure: \"乙\" }",
            "overlaps the name before"
        ),
        (
            "{ from: \"2018-11-30\", until: \"2027-04-01\", procedure: \"甲\" }, { from: \"2027-04-02\", procedure: \"乙\" }",
            "leaves a gap"
        ),
        (
            "{ from: \"2027-04-01\", procedure: \"乙\" }, { from: \"2018-11-30\", procedure: \"甲\" }",
            "must come after the from of the name before"
        ),
        (
            "{ from: \"2018-11-30\", procedure: \"甲\" }, { from: \"2018-11-30\", procedure: \"乙\" }",
            "must come after the from of the name before"
        ),
        ("{ from: \"2018-11-30\", until: \"2018-11-30\", procedure: \"甲\" }", "until: must come after from"),
        ("{ from: \"2018-11-30\", until: \"2026-11-30\", procedure: \"甲\" }", "has no name for the method today"),
        ("{ from: \"2026-12-01\", procedure: \"甲\" }", "has no name for the method today"),
        ("", "must hold 1 to"),
    ]

    @Test(arguments: wrong) func `days that overlap, leave a gap or miss today are told`(
        table: String, words: String
    ) throws {
        let problems = try Self.problems(table)
        #expect(problems.contains { $0.contains(words) }, "\(problems)")
        #expect(problems.allSatisfy { $0.hasPrefix("legal_methods.wallet-ru") }, "\(problems)")
    }

    @Test func `a code that nobody declared is told, with the nearest`() throws {
        let changes = Self.configured("{ from: \"2018-11-30\", procedure: \"甲\" }", purpose: "\"wallet-ro\"")
        #expect(
            try Scene.problems(changes[0], changes[1]) == [
                "purposes.kyc.legal_method: names no legal method; did you mean \"wallet-ru\"?"
            ])
    }

    @Test func `the form without a code is still read`() throws {
        let loaded = try Scene.load([
            (Self.place, "  legal_method: { procedure: \"丙\", law_as_of: \"2026-11-01\" }, retention: \"1d\"")
        ])
        let purpose = try #require(loaded.purposes[PurposeID("kyc")]?.purpose)
        #expect(purpose.legalMethods == nil && purpose.legalMethod(at: Timestamp(seconds: 0))?.procedure == "丙")
    }

    static let retentions: [(String, String, String?)] = [
        ("{ after: \"contract_ended\", keep: \"7y\", default: \"90d\" }", "unbounded", nil),
        ("{ after: \"contract_ended\", keep: \"2555d\", default: \"30d\" }", "unbounded", nil),
        ("{ after: \"contract_ended\", keep: \"7y\", default: \"90d\" }", "36500d", "needs relying_party_retention"),
        (
            "{ after: \"contract_ended\", keep: \"7y\", default: \"91d\" }", "unbounded",
            "longer than sessions.purge_after"
        ),
        ("{ after: \"contract_ended\", keep: \"7y\", default: \"0s\" }", "unbounded", "must not be \"0s\""),
        ("{ after: \"contract_ended\", keep: \"7\", default: \"90d\" }", "unbounded", "whole years or days"),
        ("{ after: \"contract_ended\", keep: \"0y\", default: \"90d\" }", "unbounded", "whole years or days"),
        ("{ after: \"contract_ended\", keep: \"101y\", default: \"90d\" }", "unbounded", "whole years or days"),
        ("{ after: \"contract_ended\", keep: \"7y\" }", "unbounded", "is missing"),
        ("{ after: \"birth\", keep: \"7y\", default: \"90d\" }", "unbounded", "must be one of \"contract_ended\""),
    ]

    @Test(arguments: retentions) func `years after a contract are kept only where the person is told of no bound`(
        ours: String, theirs: String, words: String?
    ) throws {
        let problems = try Scene.problems(
            (Self.place, "  retention: \(ours)"),
            ("relying_party_retention: \"30d\"", "relying_party_retention: \"\(theirs)\""))
        #expect(problems.count == (words == nil ? 0 : 1), "\(problems)")
        #expect(problems.allSatisfy { $0.contains(words ?? "") }, "\(problems)")
    }

    static let years: [(String, Int, String)] = [
        ("2027-03-31T12:00:00+09:00", 7, "2034-03-31T15:00:00.000Z"),
        ("2027-03-31T23:59:59.999+09:00", 7, "2034-03-31T15:00:00.000Z"),
        ("2027-04-01T00:00:00+09:00", 7, "2034-04-01T15:00:00.000Z"),
        ("2028-02-28T12:00:00+09:00", 7, "2035-02-28T15:00:00.000Z"),
        ("2028-02-29T12:00:00+09:00", 7, "2035-02-28T15:00:00.000Z"),
        ("2027-02-28T12:00:00+09:00", 1, "2028-02-29T15:00:00.000Z"),
        ("2027-12-31T12:00:00+09:00", 1, "2028-12-31T15:00:00.000Z"),
    ]

    @Test(arguments: years) func `years are counted from the day after, and end before the day of the same date`(
        event: String, count: Int, end: String
    ) throws {
        let rule = EventRetention(after: .contractEnded, keep: .years(count))
        #expect(RFC3339.text(rule.end(since: try #require(RFC3339.timestamp(event)))) == end)
    }
}
