import Configuration
import InHouse
import Testing
import VerificationCore
import WalletKit

@Suite struct InHouseVerifierTests {
    let world: World

    init() throws {
        world = try World()
    }

    private func conclude(
        _ verifier: InHouseVerifier, fault: Fault? = nil
    ) async throws -> (Verdict, [Incident]) {
        let challenge = try await verifier.begin(world.request(), in: world.attempt())
        let conclusion = try await verifier.conclude(
            world.answer(challenge, fault: fault), for: challenge, in: world.attempt())
        guard case .verdict(let verdict, let incidents, _) = conclusion else {
            throw VerificationError(.internal, "an in-house verdict is never pending")
        }
        return (verdict, incidents)
    }

    @Test func `a session is begun with the gateway's nonce and concluded with a verdict`() async throws {
        let verifier = try world.open()
        let challenge = try await verifier.begin(world.request(), in: world.attempt())
        #expect(challenge.nonce == (try world.request().nonce))
        #expect(challenge.walletIdentity == verifier.walletIdentity)
        let (verdict, incidents) = try await conclude(verifier)
        guard case .verified(let claims, let report) = verdict else {
            Issue.record("\(verdict.report.failures)")
            return
        }
        #expect(claims.claims.withValue { Set($0.keys) } == [ClaimName("name"), ClaimName("birthdate")])
        #expect(report.allPassed(RequiredChecks.inHouse(revocation: false).names))
        #expect(incidents.isEmpty)
    }

    @Test func `a rejection is a verdict and not an error`() async throws {
        let (verdict, _) = try await conclude(world.open(), fault: .named("device_signature_flipped"))
        guard case .rejected(let report, let document) = verdict else {
            Issue.record("verified")
            return
        }
        #expect(report.failures == [.deviceSignature])
        #expect(document != nil)
    }

    @Test func `the answer to another session is rejected under session_binding`() async throws {
        let verifier = try world.open()
        let one = try await verifier.begin(world.request(nonce: 1), in: world.attempt())
        let other = try await verifier.begin(world.request(nonce: 2), in: world.attempt())
        let conclusion = try await verifier.conclude(world.answer(other), for: one, in: world.attempt())
        guard case .verdict(.rejected(let report, _), _, _) = conclusion else {
            Issue.record("not rejected")
            return
        }
        #expect(report[.sessionBinding] == .failed(.sessionMismatch))
    }

    @Test func `the same call gives the same answer`() async throws {
        let verifier = try world.open()
        let challenge = try await verifier.begin(world.request(), in: world.attempt())
        let evidence = try world.answer(challenge)
        for _ in 0..<3 {
            let conclusion = try await verifier.conclude(evidence, for: challenge, in: world.attempt())
            guard case .verdict(.verified, _, _) = conclusion else {
                Issue.record("not verified")
                return
            }
        }
    }

    @Test func `a document that no anchor is trusted for, or that the purpose does not allow, is not begun`()
        async throws
    {
        let verifier = try world.open {
            $0.replacing("trust: [{", with: "trust: [{ document_types: [\"org.iso.23220.1.jp.mnc\"],")
        }
        #expect(verifier.description.documentTypes == ["org.iso.23220.1.jp.mnc"])
        await #expect(throws: VerificationError(.requestUnsupported, "")) {
            try await verifier.begin(world.request("org.iso.18013.5.1.mDL"), in: world.attempt())
        }
        let broad = try world.open()
        await #expect(throws: VerificationError(.requestUnsupported, "")) {
            try await broad.begin(world.request("org.iso.18013.5.1.mDL"), in: world.attempt())
        }
    }

    @Test func `a マイナンバー is an incident and never a claim`() async throws {
        let verifier = try world.open()
        let challenge = try await verifier.begin(world.request(), in: world.attempt())
        let request = world.wallet.merchant.request(
            nonce: challenge.nonce.bytes, elements: ["givenName", "dateOfBirth", "documentNumber"])
        let evidence = Evidence(
            encryptedData: Sensitive(try world.wallet.present(request, at: World.moment)))
        let conclusion = try await verifier.conclude(evidence, for: challenge, in: world.attempt())
        guard case .verdict(.verified(let claims, _), let incidents, _) = conclusion else {
            Issue.record("not verified")
            return
        }
        #expect(incidents == [.individualNumberReceived])
        #expect(!claims.claims.withValue { "\($0)" }.contains(Card.Japan.individualNumber))
    }

    @Test func `H03 a key withdrawn while a session was open is an error and no verdict`() async throws {
        let old = try world.open()
        let challenge = try await old.begin(world.request(), in: world.attempt())
        let evidence = try world.answer(challenge)
        let fresh = try PrivateKey(.p256)
        let path = try world.write("fresh.key", Array(fresh.pem.utf8))
        let withoutOld = try world.open { text in
            text.replacing(world.path("wallet.key"), with: path)
                .replacing(", certificate: \"\(world.path("wallet.der"))\"", with: "")
        }
        await #expect(throws: VerificationError(.challengeUnusable, "")) {
            try await withoutOld.conclude(evidence, for: challenge, in: world.attempt())
        }
        // A stranger's key was never ours: that is a verdict.
        let stranger = Wallet(
            issuer: world.wallet.issuer, card: world.wallet.card,
            merchant: Merchant(
                identifier: world.wallet.merchant.identifier, teamIdentifier: world.wallet.merchant.teamIdentifier,
                key: try PrivateKey(.p256)))
        let conclusion = try await withoutOld.conclude(
            world.answer(challenge, from: stranger), for: challenge, in: world.attempt())
        guard case .verdict(.rejected(let report, _), _, _) = conclusion else {
            Issue.record("no verdict")
            return
        }
        #expect(report.failures == [.recipientKey])
        let both = try world.open { $0.replacing("keys: [", with: "keys: [{ key: { file: \"\(path)\" } },") }
        let kept = try await both.conclude(evidence, for: challenge, in: world.attempt())
        guard case .verdict(.verified, _, _) = kept else {
            Issue.record("the old key does not open any more")
            return
        }
    }

    @Test func `nothing is judged for nobody: after the deadline, and when cancelled`() async throws {
        let verifier = try world.open()
        let challenge = try await verifier.begin(world.request(), in: world.attempt())
        let evidence = try world.answer(challenge)
        let late = AttemptContext(
            attempt: AttemptID("a"), idempotencyKey: "1", now: World.now,
            deadline: Timestamp(milliseconds: World.now.milliseconds - 1))
        await #expect(throws: VerificationError(.cancelled, "")) {
            try await verifier.conclude(evidence, for: challenge, in: late)
        }
        let attempt = world.attempt()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await verifier.conclude(evidence, for: challenge, in: attempt)
        }
        await #expect(throws: VerificationError(.cancelled, "")) { try await task.value }
    }

    @Test func `a revocation list that is stale is an error or not checked, by policy, and never good`() async throws {
        let list = try world.wallet.issuer.revocationList(
            thisUpdate: World.moment.adding(days: -40), nextUpdate: World.moment.adding(days: -10))
        let path = try world.write("stale.crl", list)
        func verifier(_ policy: String) throws -> InHouseVerifier {
            try world.open {
                $0.replacing("trust: [", with: "revocation: { crls: [\"\(path)\"], policy: \"\(policy)\" }, trust: [")
            }
        }
        await #expect(throws: VerificationError(.revocationUnavailable, "")) {
            _ = try await conclude(verifier("fail"))
        }
        let (verdict, _) = try await conclude(verifier("not_checked"))
        #expect(verdict.report[.revocation] == .notChecked)
        guard case .verified = verdict else {
            Issue.record("not verified")
            return
        }
        // A failure elsewhere is a verdict all the same.
        let (rejected, _) = try await conclude(verifier("fail"), fault: .named("value_changed"))
        #expect(rejected.report.failures == [.digests])
        #expect(try verifier("fail").health(at: World.now).alarms.map(\.code).contains("revocation_list_stale"))
    }

    @Test func `a current list passes the check, and a revoked signer fails it`() async throws {
        let path = try world.write("current.crl", world.wallet.issuer.revocationList())
        let verifier = try world.open {
            $0.replacing("trust: [", with: "revocation: { crls: [\"\(path)\"] }, trust: [")
        }
        let (good, _) = try await conclude(verifier)
        #expect(good.report[.revocation] == .passed)
        let (revoked, _) = try await conclude(verifier, fault: .named("signer_revoked"))
        #expect(revoked.report[.revocation] == .failed(.issuerCertificateRevoked))
    }

    @Test func `a simulator needs no anchors, accepts what nobody signed, and says that it simulates`() async throws {
        let verifier = try world.open {
            $0.replacing("kind: \"in_house\",", with: "kind: \"in_house\", mode: \"simulator\",")
                .replacing("trust: [{ path: \"\(world.path("root.der"))\" }],", with: "")
        }
        #expect(verifier.description.isSimulated)
        for fault in ["simulator", "developer_profile", "root_unknown"] {
            let (verdict, _) = try await conclude(verifier, fault: .named(fault))
            guard case .verified(_, let report) = verdict else {
                Issue.record("\(fault): \(verdict.report.failures)")
                continue
            }
            for check in [CheckName.issuerCertificate, .issuerSignature, .deviceSignature] {
                #expect(report[check] == .notChecked)
            }
        }
        let (forged, _) = try await conclude(verifier, fault: .named("value_changed"))
        #expect(forged.report.failures == [.digests])
    }
}
