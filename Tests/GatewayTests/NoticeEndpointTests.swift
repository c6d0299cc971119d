import Foundation
import MemoryStore
import Testing
import VerificationCore

@testable import Gateway

/// A provider's notices as they come in over HTTP, and sessions in the middle of a reload.
@Suite struct NoticeEndpointTests {
    private static func provider() -> ScriptedProvider {
        ScriptedProvider(.certified("a", steps: [.submit, .fetch], isNotified: true)) { _ in
            .later(nil, isVerified: true)
        }
    }

    /// Sends a notice as its provider would: without a key of ours.
    private func send(_ rig: Rig, _ notice: VerificationCore.Notification, to verifier: String = "a") async throws
        -> Reply
    {
        try await rig.call(
            "POST", "/v1/verifiers/\(verifier)/webhooks", key: nil,
            body: notice.body.withValue { String(decoding: $0, as: UTF8.self) },
            headers: notice.headers.map { ($0.name, $0.value) })
    }

    private func notice(
        _ rig: Rig, _ name: String, of id: String, signature: String = "good"
    ) async throws -> VerificationCore.Notification {
        let attempt = try #require(try await rig.record(id).attempt)
        return ScriptedProvider.notice(name, ScriptedProvider.reference(attempt), "verified", signature: signature)
    }

    @Test func `P13 a notice is answered the same for every effect, and 401 where its signature is not good`()
        async throws
    {
        let rig = try Rig.providers([Self.provider()])
        let id = try await rig.submitted().id
        let bad = try await send(rig, try await notice(rig, "n1", of: id, signature: "bad"))
        #expect(bad.status == 401 && bad.code == "unauthorized")
        #expect(try await rig.status(id) == .processing)
        let good = try await notice(rig, "n1", of: id)
        #expect(try await send(rig, good, to: "b").status == 404)
        // Taken, again, and once more when the session has ended long since.
        for _ in 0..<3 {
            let taken = try await send(rig, good)
            #expect(taken.status == 204 && taken.text.isEmpty)
        }
        #expect(try await rig.status(id) == .verified)
        let late = try await send(rig, try await notice(rig, "n2", of: id))
        let unknown = try await send(rig, ScriptedProvider.notice("n3", "ref-nobody", "verified"))
        #expect(late.status == 204 && unknown.status == 204)
        #expect(try await rig.ledger(id).filter { $0.contains("ended") }.count == 1)
        // Neither a key of an app's nor of an operator's stands in for the signature.
        let other = try await rig.submitted().id
        let forged = try await notice(rig, "n4", of: other, signature: "bad")
        for key in [Rig.appKey, Rig.operatorKey] {
            let reply = try await rig.call(
                "POST", "/v1/verifiers/a/webhooks", key: key,
                body: forged.body.withValue { String(decoding: $0, as: UTF8.self) },
                headers: forged.headers.map { ($0.name, $0.value) })
            #expect(reply.status == 401)
        }
        #expect(try await rig.status(other) == .processing)
        #expect(!rig.lines.text.contains("ref-"))
    }

    @Test func `who waits for a session is answered the moment a notice brings the verdict`() async throws {
        let rig = try Rig.providers([Self.provider()])
        let id = try await rig.submitted().id
        let notice = try await notice(rig, "n1", of: id)
        async let waiting = rig.call("GET", "/v1/sessions/\(id)?wait=30")
        try await rig.untilSomebodyWaits(for: id)
        let began = ContinuousClock.now
        #expect(try await send(rig, notice).status == 204)
        let reply = try await waiting
        #expect(reply.sessionStatus == "verified" && reply.result?["claims"] is [String: Any])
        #expect(ContinuousClock.now - began < .seconds(25), "its own end of waiting came first")
    }

    @Test func `a session that is being verified goes on through a reload, with the verifier that it has`() async throws
    {
        let provider = Self.provider()
        let rig = try Rig.providers([provider])
        let id = try await rig.submitted().id
        rig.source.give(rig.next("test-2") { $0.processingDeadline = .seconds(5) })
        #expect(try await rig.reload().status == 200)
        #expect(try await rig.status(id) == .processing)
        #expect(try await send(rig, try await notice(rig, "n1", of: id)).status == 204)
        #expect(try await rig.status(id) == .verified)
        #expect(try await rig.record(id).configurationVersion == "test-1")
        #expect(provider.calls(.submit) == 1)
        // A verifier that is gone fails what it held, at the latest at its deadline, and never revives it.
        let held = try await rig.submitted().id
        let late = try await notice(rig, "n2", of: held)
        rig.source.give(rig.next("test-3", verifiers: []))
        #expect(try await rig.reload().status == 200)
        #expect(try await send(rig, late).status == 404)
        for _ in 0..<8 { await rig.pass(.seconds(10)) }
        #expect(try await rig.status(held) == .failed)
        #expect(provider.calls(.submit) == 2)
    }
}
