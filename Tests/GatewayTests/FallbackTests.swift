import Foundation
import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// When another verifier is asked, and when nobody is.
@Suite struct FallbackTests {
    private static let verified: @Sendable (Int) -> ScriptedProvider.Act = { _ in .verified(Rig.claims) }

    @Test(arguments: [VerificationError.Code.providerUnavailable, .providerProtocolError, .internal])
    func `an error that billed nothing falls back, and is an attempt of its own`(code: VerificationError.Code)
        async throws
    {
        let first = ScriptedProvider(.certified("a")) { _ in .refused(code, nil) }
        let second = ScriptedProvider(.certified("b"), submit: Self.verified)
        let rig = try Rig.providers([first, second])
        let reply = try await rig.submitted()
        #expect(reply.status == 200 && reply.sessionStatus == "verified")
        let record = try await rig.record(reply.id)
        #expect(record.verifier == VerifierID("a") && record.answeredBy == VerifierID("b"))
        #expect(
            try await rig.ledger(reply.id) == [
                "primary submit started completed_any", "primary submit ended non_billable failed",
                "fallback submit started completed_any", "fallback submit ended completed_any verified",
            ])
        let attempts = try await rig.store.ledger(of: SessionID(reply.id)).map(\.draft.attempt)
        #expect(Set(attempts).count == 2 && attempts.first == record.attempt)
        #expect((reply.result?["claims"] as? [String: Any])?["name"] as? String == "番号　花子")
    }

    @Test func `after an answer that was lost nobody else is asked and nothing is sent again`() async throws {
        for act in [ScriptedProvider.Act.answerLost, .requestLost] {
            let first = ScriptedProvider(.certified("a", steps: [.submit])) { _ in act }
            let second = ScriptedProvider(.certified("b"), submit: Self.verified)
            let rig = try Rig.providers([first, second])
            let reply = try await rig.submitted()
            #expect(reply.status == 202 && reply.sessionStatus == "processing")
            for _ in 0..<40 { await rig.pass(.seconds(1)) }
            #expect(first.calls(.submit) == 1 && second.calls(.submit) == 0)
            let record = try await rig.record(reply.id)
            #expect(record.status == .failed && record.failure == .providerTimeout)
            #expect(
                try await rig.ledger(reply.id) == [
                    "primary submit started completed_any", "primary submit uncertain completed_any",
                ])
        }
    }

    @Test func `every fallback is asked once, in order, and the first error is the one that is told`() async throws {
        let first = ScriptedProvider(.certified("a")) { _ in .refused(.providerProtocolError, nil) }
        let others = ["b", "c"].map { ScriptedProvider(.certified($0)) { _ in .unreachable } }
        let rig = try Rig.providers([first] + others)
        let reply = try await rig.submitted()
        #expect(reply.sessionStatus == "failed")
        #expect((reply.json["failure"] as? [String: Any])?["code"] as? String == "provider_protocol_error")
        #expect(others.map { $0.calls(.submit) } == [1, 1])
        let kinds = try await rig.store.ledger(of: SessionID(reply.id)).map(\.draft.kind)
        #expect(kinds == [.started, .ended, .started, .ended, .started, .ended])
    }

    @Test func `only a verifier with the same wallet identity, its keys and a nonce of ours may be asked`()
        async throws
    {
        let otherMerchant = WalletKeys(
            identity: WalletIdentity(merchantIdentifier: "merchant.other", teamIdentifier: "TEAM"),
            keyHashes: [[UInt8](repeating: 1, count: 32)])
        let otherKey = WalletKeys(
            identity: VerifierDescription.sharedKeys.identity, keyHashes: [[UInt8](repeating: 2, count: 32)])
        let unsuitable: [VerifierDescription] = [
            .certified("merchant", keys: otherMerchant), .certified("key", keys: otherKey),
            .certified("unknown", keys: nil), .certified("nonce", steps: [.begin, .submit], nonce: .provider),
            .certified("notices", steps: [.submit], isNotified: true),
            VerifierDescription(
                id: VerifierID("document"), kind: "certified", isSimulated: false, certification: nil,
                documentTypes: ["org.iso.18013.5.1.mDL"], walletKeys: VerifierDescription.sharedKeys, steps: [.submit]),
            VerifierDescription(
                id: VerifierID("simulator"), kind: "in_house", isSimulated: true, certification: nil,
                documentTypes: ["org.iso.23220.1.jp.mnc"], walletKeys: VerifierDescription.sharedKeys),
        ]
        for description in unsuitable {
            let first = ScriptedProvider(.certified("a")) { _ in .unreachable }
            let second = ScriptedProvider(description, submit: Self.verified)
            let rig = try Rig.providers([first, second])
            let reply = try await rig.submitted()
            #expect(reply.sessionStatus == "failed", "\(description.id)")
            #expect(second.calls(.submit) == 0 && second.calls(.begin) == 0, "\(description.id)")
        }
    }

    @Test func `a fallback that is not certified, not ready, held or gone is passed over`() async throws {
        for out in ["certification", "health", "circuit"] {
            let first = ScriptedProvider(.certified("a")) { _ in .unreachable }
            let second = ScriptedProvider(.certified("b"), isReady: { out != "health" }, submit: Self.verified)
            let third = ScriptedProvider(.certified("c"), submit: Self.verified)
            let rig = try Rig.providers(
                [first, second, third], isCertified: { $0 != VerifierID("b") || out != "certification" })
            if out == "circuit" {
                let now = rig.clock.monotonic()
                _ = rig.gateway.sessions.current.circuits.hold(
                    VerifierID("b"), .open, until: now + .seconds(60), at: now)
            }
            let reply = try await rig.submitted()
            #expect(reply.sessionStatus == "verified")
            #expect(second.calls(.submit) == 0)
            #expect(try await rig.record(reply.id).answeredBy == VerifierID("c"))
        }
    }

    @Test func `a fallback without a certification never answers for a session that was promised one`() async throws {
        let certification = Certification(
            regime: "bango-18-4", holder: "Example", program: "Program", version: "1", number: "1",
            validFrom: Timestamp(seconds: 1_700_000_000), validUntil: Timestamp(seconds: 1_900_000_000))
        let first = ScriptedProvider(.certified("a", certification: certification)) { _ in .unreachable }
        let second = ScriptedProvider(.certified("b"), submit: Self.verified)
        let third = ScriptedProvider(.certified("c", certification: certification), submit: Self.verified)
        let rig = try Rig.providers([first, second, third])
        let reply = try await rig.submitted()
        #expect(second.calls(.submit) == 0)
        let verifier = reply.result?["verifier"] as? [String: Any]
        #expect(verifier?["id"] as? String == "c" && verifier?["kind"] as? String == "certified")
        #expect((reply.json["verifier"] as? [String: Any])?["id"] as? String == "a")
        #expect(try await rig.call("GET", "/v1/sessions/" + reply.id).result?["verifier"] as? NSDictionary != nil)
    }

    @Test func `an in-house verifier falls back to a provider and a provider to it`() async throws {
        func inHouse(_ act: @escaping @Sendable (Int) -> ScriptedProvider.Act) -> ScriptedProvider {
            ScriptedProvider(
                VerifierDescription(
                    id: VerifierID("own"), kind: "in_house", isSimulated: false, certification: nil,
                    documentTypes: ["org.iso.23220.1.jp.mnc"], walletKeys: VerifierDescription.sharedKeys),
                submit: act)
        }
        let toProvider = try Rig.providers([
            inHouse { _ in .refused(.revocationUnavailable, nil) },
            ScriptedProvider(.certified("b"), submit: Self.verified),
        ])
        let first = try await toProvider.submitted()
        #expect(first.sessionStatus == "verified")
        #expect(
            try await toProvider.ledger(first.id) == [
                "primary submit started non_billable", "primary submit ended non_billable failed",
                "fallback submit started completed_any", "fallback submit ended completed_any verified",
            ])
        let toOwn = try Rig.providers([ScriptedProvider(.certified("a")) { _ in .unreachable }, inHouse(Self.verified)])
        let second = try await toOwn.submitted()
        #expect(second.sessionStatus == "verified")
        #expect(
            try await toOwn.ledger(second.id) == [
                "primary submit started completed_any", "primary submit ended non_billable failed",
                "fallback submit started completed_pass", "fallback submit ended completed_pass verified",
            ])
    }

    @Test func `a fallback whose answer is lost ends the search, and is asked for what became of it`() async throws {
        let first = ScriptedProvider(.certified("a")) { _ in .unreachable }
        let second = ScriptedProvider(.certified("b")) { _ in .answerLost }
        let third = ScriptedProvider(.certified("c"), submit: Self.verified)
        let rig = try Rig.providers([first, second, third])
        let reply = try await rig.submitted()
        #expect(reply.status == 202)
        for _ in 0..<5 { await rig.pass(.seconds(1)) }
        let record = try await rig.record(reply.id)
        #expect(record.status == .verified && record.answeredBy == VerifierID("b"))
        #expect(third.calls(.submit) == 0 && first.calls(.fetch) == 0 && second.calls(.fetch) == 1)
        #expect(
            try await rig.ledger(reply.id).suffix(3) == [
                "fallback submit started completed_any", "fallback submit uncertain completed_any",
                "fallback submit resolved completed_any verified",
            ])
    }

    @Test func `a fallback that answers later is waited for, also after it was erased and after a restart`()
        async throws
    {
        let store = MemoryStore()
        let clock = ManualClock()
        let first = ScriptedProvider(.certified("a")) { _ in .unreachable }
        let second = ScriptedProvider(.certified("b")) { _ in .later(nil, isVerified: true) }
        let rig = try Rig.providers([first, second], store: store, clock: clock)
        let (kept, erased) = (try await rig.submitted().id, try await rig.submitted().id)
        #expect(try await rig.call("DELETE", "/v1/sessions/" + erased).status == 204)
        let after = try Rig.providers([first, second], store: store, clock: clock)
        try await Housekeeper(of: after.gateway).recover()
        second.decideAll()
        for _ in 0..<3 { await after.pass(.seconds(1)) }
        #expect(try await after.status(kept) == .verified)
        #expect(try await after.record(kept).answeredBy == VerifierID("b"))
        // Its memory went with its key, and this provider's books go by the attempt alone.
        let record = try await after.record(erased)
        #expect(record.status == .verified && record.sealedResult == nil)
        #expect(first.calls(.poll) == 0)
    }

    @Test func `the deadline that passes during a failing call leaves no fallback to be asked`() async throws {
        let gate = Gate()
        let first = ScriptedProvider(.certified("a")) { _ in .gated(gate, .unreachable) }
        let second = ScriptedProvider(.certified("b"), submit: Self.verified)
        let rig = try Rig.providers([first, second])
        let id = try await rig.create().id
        async let reply = rig.submit(id)
        await gate.untilArrived()
        await rig.pass(.seconds(31))
        #expect(try await rig.status(id) == .failed)
        gate.open()
        #expect(try await reply.sessionStatus == "failed")
        #expect(second.calls(.submit) == 0)
        #expect(
            try await rig.ledger(id) == [
                "primary submit started completed_any", "primary submit ended non_billable failed",
            ])
    }
}
