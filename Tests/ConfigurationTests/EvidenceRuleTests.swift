import Configuration
import JSONTree
import Testing
import VerificationCore

/// What only opened verifiers tell: whose evidence each can judge.
@Suite struct EvidenceRuleTests {
    private static func description(
        _ id: String, merchant: String = "m", keys: [UInt8] = [1], nonce: NonceOrigin = .gateway,
        documents: Set<String> = ["org.iso.23220.1.jp.mnc", "org.iso.18013.5.1.mDL"],
        claims: Set<ClaimName>? = nil
    ) -> VerifierDescription {
        VerifierDescription(
            id: VerifierID(id), kind: "in_house", isSimulated: false, certification: nil, documentTypes: documents,
            claims: claims.map { claims in Dictionary(uniqueKeysWithValues: documents.map { ($0, claims) }) },
            walletKeys: WalletKeys(
                identity: WalletIdentity(merchantIdentifier: merchant, teamIdentifier: "t"),
                keyHashes: Set(keys.map { [$0] })), nonceOrigin: nonce)
    }

    private func problems(_ routes: String, _ descriptions: [VerifierDescription]) throws -> [String] {
        let configuration = try RoutesTests.load(routes)
        let all = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.id, $0) })
        return EvidenceRule.problems(of: configuration, descriptions: all, at: Scene.now).map {
            "\($0.path): \($0.problem)"
        }
    }

    private static let routes =
        "[{ verifier: \"main\", fallback: [\"spare\"], shadow: { verifier: \"spare\", percent: 1 } }]"

    @Test func `the same identity, keys and a nonce of ours make a fallback and a shadow`() throws {
        #expect(try problems(Self.routes, [Self.description("main"), Self.description("spare", keys: [1, 2])]) == [])
    }

    static let unfit = [
        description("spare", merchant: "x"), description("spare", keys: [2]), description("spare", keys: []),
        description("spare", nonce: .provider), description("spare", documents: []),
        VerifierDescription(
            id: VerifierID("spare"), kind: "certified", isSimulated: false, certification: nil,
            documentTypes: ["org.iso.23220.1.jp.mnc"]),
    ]

    @Test(arguments: unfit) func `whoever cannot judge the same evidence is neither`(spare: VerifierDescription) throws
    {
        let found = try problems(Self.routes, [Self.description("main"), spare])
        #expect(found.count == 2)
        #expect(found.first?.hasPrefix("routes[0].fallback[0]: cannot be a fallback: ") == true)
        #expect(found.last?.hasPrefix("routes[0].shadow.verifier: cannot be a shadow: ") == true)
        #expect(try problems("[{ verifier: \"main\" }]", [Self.description("main"), spare]) == [])
    }

    @Test func `every key that a wallet may have sealed to is needed, during a rotation too`() throws {
        let found = try problems(
            Self.routes, [Self.description("main", keys: [1, 2]), Self.description("spare", keys: [1])])
        #expect(found.count == 2)
    }

    @Test func `a fallback that can become the first is judged as such`() throws {
        let routes = "[{ verifier: \"main\", fallback: [\"spare\", \"other\"] }]"
        let fit = [Self.description("main"), Self.description("spare"), Self.description("other")]
        #expect(try problems(routes, fit) == [])
        let found = try problems(routes, [fit[0], Self.description("spare", keys: [1, 2]), fit[2]])
        #expect(found.map { $0.prefix(22) } == ["routes[0].fallback[1]:"], "other cannot judge what spare may be given")
    }

    @Test func `verifiers that share a rule need not share a wallet`() throws {
        let routes = "[{ verifiers: [{ id: \"main\", weight: 1 }, { id: \"other\", weight: 1 }] }]"
        #expect(try problems(routes, [Self.description("main"), Self.description("other", merchant: "o")]) == [])
    }

    @Test func `a rule that names a purpose gives it to nobody who could verify no one for it`() throws {
        let named = "[{ purpose: \"kyc\", verifier: \"spare\" }, { verifier: \"main\" }]"
        let able = Self.description("spare", claims: [ClaimName("name")])
        let unable = Self.description("spare", claims: [ClaimName("birthdate")])
        #expect(try problems(named, [Self.description("main"), able]) == [])
        #expect(
            try problems(named, [Self.description("main"), unable]) == [
                "routes[0]: gives kyc to spare, which can never give name of org.iso.23220.1.jp.mnc: everybody would be "
                    + "rejected"
            ])
        // One that speaks of every purpose passes it over.
        #expect(try problems("[{ verifier: \"spare\" }]", [Self.description("main"), unable]) == [])
    }

    @Test func `in production a document that no verifier of its rules can verify is told`() throws {
        let certified = (
            "kind: \"in_house\", wallet: { merchant_identifier: \"m\", team_identifier: \"t\", keys: [] }, trust",
            RulesTests.certification + "wallet: { merchant_identifier: \"m\", team_identifier: \"t\", keys: [] }, trust"
        )
        let changes = RoutesTests.more + [certified, ("\"development\"", "\"production\"")]
        let configuration = try Scene.load(changes)
        func found(_ documents: Set<String>) -> [String] {
            EvidenceRule.problems(
                of: configuration, descriptions: [VerifierID("main"): Self.description("main", documents: documents)],
                at: Scene.now
            ).map(\.path)
        }
        #expect(found(["org.iso.23220.1.jp.mnc", "org.iso.18013.5.1.mDL"]) == [])
        #expect(found(["org.iso.23220.1.jp.mnc"]) == ["purposes.age.document_types[1]"])
        #expect(
            found(["org.iso.18013.5.1.mDL"]) == ["purposes.age.document_types[0]", "purposes.kyc.document_types[0]"])
        let development = try Scene.load(RoutesTests.more)
        #expect(
            EvidenceRule.problems(of: development, descriptions: [:], at: Scene.now).isEmpty,
            "outside production one may try with less")
    }
}
