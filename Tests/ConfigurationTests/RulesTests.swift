import Configuration
import JSONTree
import Testing
import VerificationCore

@Suite struct RulesTests {
    static let retentions: [(String, String, String?)] = [
        ("0s", "none", nil), ("1s", "none", "must be \"0s\""), ("30d", "30d", nil), ("720h", "30d", nil),
        ("721h", "30d", "longer than relying_party_retention"), ("31d", "30d", "longer than relying_party_retention"),
        ("90d", "unbounded", nil), ("91d", "unbounded", "longer than sessions.purge_after"), ("0s", "unbounded", nil),
    ]

    @Test(arguments: retentions) func `the gateway keeps claims no longer than the person is told`(
        ours: String, theirs: String, words: String?
    ) throws {
        let problems = try Scene.problems(
            ("  retention: \"1d\"", "  retention: \"\(ours)\""),
            ("relying_party_retention: \"30d\"", "relying_party_retention: \"\(theirs)\""))
        #expect(problems.count == (words == nil ? 0 : 1), "\(problems)")
        #expect(problems.allSatisfy { $0.hasPrefix("purposes.kyc.retention: ") && $0.contains(words ?? "") })
    }

    static let relyingParty = ["0d", "-1d", "30", "24h", "1.5d", "NONE", "forever", "36501d", "d", ""]

    @Test(arguments: relyingParty) func `what the relying party keeps is none, whole days or unbounded`(text: String)
        throws
    {
        let problems = try Scene.problems(("relying_party_retention: \"30d\"", "relying_party_retention: \"\(text)\""))
        #expect(problems.count == 1 && problems[0].hasPrefix("purposes.kyc.relying_party_retention: "))
    }

    static let individualNumbers = [
        "individual_number_unicode", "individual_number", "individual_number_latin1", "individualNumber",
        "IndividualNumber",
        "INDIVIDUAL-NUMBER", "individual number", "jp-individual-number", "document_number", "documentNumber",
        "document-number", "DOCUMENT_NUMBER", "Document Number", "my_number", "myNumber", "マイナンバー", "個人番号",
        "org.iso.23220.1.jp.individual_number_unicode", "ｉｎｄｉｖｉｄｕａｌ＿ｎｕｍｂｅｒ", "individual\\u005fnumber",
        "individual\\u200bnumber",
    ]

    @Test(arguments: individualNumbers) func `the individual number cannot be configured in any spelling`(
        name: String
    ) throws {
        for (old, new) in [
            ("claims: [\"name\", \"birthdate\"]", "claims: [\"name\", \"birthdate\", \"\(name)\"]"),
            ("required_claims: [\"name\"]", "required_claims: [\"name\", \"\(name)\"]"),
        ] {
            // The second document does have a document number; the first one's is never asked for.
            for documents in ["", ", \"org.iso.18013.5.1.mDL\""] {
                let problems = try Scene.problems(
                    (old, new), ("[\"org.iso.23220.1.jp.mnc\"]", "[\"org.iso.23220.1.jp.mnc\"\(documents)]"))
                #expect(problems.contains { $0.contains("asks for the individual number (マイナンバー)") }, "\(problems)")
            }
        }
    }

    @Test func `a driving licence has a document number that can be asked for`() throws {
        let loaded = try Scene.load([
            ("org.iso.23220.1.jp.mnc", "org.iso.18013.5.1.mDL"),
            ("[\"name\", \"birthdate\"]", "[\"document_number\", \"birthdate\", \"age_over_20\"]"),
            ("required_claims: [\"name\"]", "required_claims: [\"document_number\"]"),
        ])
        let purpose = try #require(loaded.purposes[PurposeID("kyc")]?.purpose)
        #expect(purpose.claims.contains(ClaimName("document_number")))
        #expect(try Scene.problems(("org.iso.23220.1.jp.mnc", "org.iso.18013.5.1.mDL")).count == 2)
    }

    @Test func `a claim is one of the documents, a required claim one of every document and of the claims`() throws {
        let both = ("[\"org.iso.23220.1.jp.mnc\"]", "[\"org.iso.23220.1.jp.mnc\", \"org.iso.18013.5.1.mDL\"]")
        #expect(
            try Scene.problems(both) == [
                "purposes.kyc.required_claims[0]: is no claim of every document of this purpose, so it cannot be required"
            ])
        #expect(
            try Scene.problems(("[\"name\", \"birthdate\"]", "[\"name\", \"birthdat\"]")) == [
                "purposes.kyc.claims[1]: names no claim of the purpose's documents; did you mean \"birthdate\"?"
            ])
        #expect(
            try Scene.problems(("required_claims: [\"name\"]", "required_claims: [\"portrait\"]")) == [
                "purposes.kyc.required_claims[0]: names no entry of this purpose's claims"
            ])
        #expect(try Scene.problems(("[\"name\", \"birthdate\"]", "[\"name\", \"age_over_20\"]")) == [])
        #expect(try Scene.problems(("[\"name\", \"birthdate\"]", "[\"name\", \"age_over_00\"]")).count == 1)
    }

    static let certification = """
        kind: "in_house", certification: { regime: "bango-18-4", holder: "H", program: "P", version: "1", number: "N",
          valid_from: "2026-04-01T00:00:00+09:00", valid_until: "2026-11-30T18:00:00+09:00" },
        """

    private func inProduction(_ changes: (String, String)..., at now: Timestamp = Scene.now) throws -> [String] {
        do {
            _ = try Scene.load([("\"development\"", "\"production\"")] + changes, now: now)
            return []
        } catch let problems as JSONProblems {
            return problems.problems.map { "\($0.path): \($0.problem)" }
        }
    }

    @Test func `in production a My Number Card goes to a certified verifier, to its last instant`() throws {
        let refusal =
            "routes[0].verifier: sends My Number Cards to a verifier without a current certification: production needs "
            + "one, or a certification_exception with its legal basis"
        #expect(try inProduction() == [refusal])
        let certified = ("kind: \"in_house\",", RulesTests.certification)
        #expect(try inProduction(certified) == [])
        let left =
            "purposes.kyc.document_types[0]: is left without a verifier: none that the rules give it to has a "
            + "certification that is current"
        #expect(try inProduction(certified, at: Timestamp(milliseconds: Scene.now.milliseconds + 1)) == [left])
        let first = try #require(RFC3339.timestamp("2026-03-31T15:00:00Z"))
        #expect(try inProduction(certified, at: first) == [])
        #expect(try inProduction(certified, at: Timestamp(milliseconds: first.milliseconds - 1)) == [left])
        #expect(try Scene.problems() == [], "outside production the law is not ours to enforce")
    }

    @Test func `an exception has a legal basis and a day that has come`() throws {
        func exception(_ text: String) throws -> [String] {
            try inProduction(("kind: \"in_house\",", "kind: \"in_house\", certification_exception: { \(text) },"))
        }
        #expect(try exception("legal_basis: \"memo 114\", recorded_on: \"2026-11-30\"") == [])
        #expect(try exception("legal_basis: \"memo 114\"").contains { $0.hasSuffix("recorded_on: is missing") })
        #expect(try exception("recorded_on: \"2026-11-30\"").contains { $0.hasSuffix("legal_basis: is missing") })
        #expect(try exception("legal_basis: \"  \", recorded_on: \"2026-11-30\"").count == 2)
        #expect(
            try exception("legal_basis: \"m\", recorded_on: \"2026-12-02\"") == [
                "verifiers.main.certification_exception.recorded_on: lies in the future"
            ])
        #expect(try exception("legal_basis: \"m\", recorded_on: \"2026-02-30\"").count == 2)
    }

    @Test func `a purpose may demand a certification anywhere, and no exception helps`() throws {
        let demanding = (
            "claims: [\"name\", \"birthdate\"]", "require_certification: true, claims: [\"name\", \"birthdate\"]"
        )
        let refusal =
            "routes[0].verifier: serves a purpose that demands a certification (require_certification or regimes) by a "
            + "verifier without a current one"
        #expect(try Scene.problems(demanding) == [refusal])
        let exception =
            "kind: \"in_house\", certification_exception: { legal_basis: \"m\", recorded_on: \"2026-11-30\" },"
        #expect(try Scene.problems(demanding, ("kind: \"in_house\",", exception)) == [refusal])
        #expect(try Scene.problems(demanding, ("kind: \"in_house\",", RulesTests.certification)) == [])
    }

    @Test func `a fallback without certification is refused as the first choice is`() throws {
        let two = [
            (
                "main: {",
                "spare: { kind: \"in_house\", wallet: { merchant_identifier: \"s\", team_identifier: \"t\", keys: [] } }, main: {"
            ),
            (
                "kind: \"in_house\", wallet: { merchant_identifier: \"m\"",
                RulesTests.certification + "wallet: { merchant_identifier: \"m\""
            ),
        ]
        #expect(try inProduction(two[0], two[1]) == [])
        let routes = (
            "routes: [{ verifier: \"main\" }]",
            "routes: [{ verifier: \"main\" }, { client: \"app\", verifier: \"spare\" }]"
        )
        #expect(try inProduction(two[0], two[1], routes).map { $0.prefix(19) } == ["routes[1].verifier:"])
    }

    @Test func `a simulator is for development only`() throws {
        let simulator = ("kind: \"in_house\",", RulesTests.certification + "mode: \"simulator\",")
        let loaded = try Scene.load([simulator])
        #expect(loaded.verifiers[VerifierID("main")]?.isSimulated == true)
        #expect(
            try inProduction(simulator) == [
                "verifiers.main.mode: a simulator accepts what nobody signed: not in production"
            ])
    }

    @Test func `the version is of what is meant, not of how it is written`() throws {
        let version = try Scene.load().version
        #expect(version.count == 16 && version.allSatisfy { $0.isHexDigit })
        #expect(try Scene.load([("{\n", "// c\n{ // d\n\n")]).version == version)
        #expect(
            try Scene.load([
                ("environment: \"development\",", ""), ("routes:", "'environment': \"development\", routes:"),
            ]).version == version)
        #expect(try Scene.load(variables: ["SEALING": String(repeating: "ff", count: 32)]).version == version)
        #expect(try Scene.load([("\"1d\"", "\"2d\"")]).version != version)
        #expect(try Scene.load([("\"birthdate\"", "\"portrait\"")]).version != version)
        #expect(try Scene.load([("\"m\"", "\"n\"")]).version != version)
        let ports = try ["8480", "0x2120", "+8480"].map {
            try Scene.load([("environment:", "http: { port: \($0) }, environment:")]).version
        }
        #expect(Set(ports).count == 1)
    }
}
