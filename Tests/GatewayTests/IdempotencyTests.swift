import Foundation
import Testing
import VerificationCore

@testable import Gateway

@Suite struct IdempotencyTests {
    private let key = [("Idempotency-Key", "order-1")]

    @Test func `the same key and body open one session, and the answer is rendered again`() async throws {
        let rig = try Rig()
        let first = try await rig.create(key)
        let second = try await rig.create(key)
        #expect(first.status == 201 && second.status == 201)
        #expect(second.text == first.text)
        #expect(first.headers["Idempotency-Replayed"] == nil)
        #expect(second.headers["Idempotency-Replayed"] == "true")
        #expect(try await rig.store.counts()[.created] == 1)
    }

    @Test func `the same key with another body is refused and opens nothing`() async throws {
        let rig = try Rig()
        _ = try await rig.create(key)
        let other = try await rig.create(key, body: #"{"purpose":"account-opening","reference":"x"}"#)
        #expect(other.status == 422 && other.code == "idempotency_key_reused")
        #expect(try await rig.store.counts()[.created] == 1)
    }

    @Test func `two clients never share a key`() async throws {
        let rig = try Rig()
        let mine = try await rig.create(key)
        let theirs = try await rig.call(
            "POST", "/v1/sessions", key: Rig.otherKey, body: #"{"purpose":"account-opening"}"#, headers: key)
        #expect(theirs.status == 201 && theirs.id != mine.id)
        #expect(theirs.headers["Idempotency-Replayed"] == nil)
    }

    @Test func `a submission with the same key and body gives the first answer again`() async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        let first = try await rig.submit(id, headers: key)
        let second = try await rig.submit(id, headers: key)
        #expect(second.status == 200 && second.text == first.text)
        #expect(second.headers["Idempotency-Replayed"] == "true")
        #expect(rig.calls.value == 1)
        let other = try await rig.submit(id, blob: "AAED", headers: key)
        #expect(other.status == 422 && other.code == "idempotency_key_reused")
        let without = try await rig.submit(id)
        #expect(without.status == 409 && without.code == "session_already_submitted")
        #expect(rig.calls.value == 1)
    }

    @Test func `while the first submission runs, its key is in progress and no second verification starts`()
        async throws
    {
        let rig = try Rig(act: { _ in .slow(.seconds(1), Rig.claims) })
        let id = try await rig.create().id
        async let first = rig.submit(id, headers: key)
        await rig.untilVerifierIsCalled()
        let second = try await rig.submit(id, headers: key)
        #expect(second.status == 409 && second.code == "idempotency_in_progress")
        #expect(second.headers["Retry-After"] != nil)
        #expect(try await first.sessionStatus == "verified")
        #expect(rig.calls.value == 1)
    }

    @Test func `a parallel burst with one key opens one session`() async throws {
        let rig = try Rig()
        let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
            for _ in 0..<50 { group.addTask { try await rig.create(key) } }
            return try await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        let opened = Set(replies.filter { $0.status == 201 }.map(\.id))
        #expect(opened.count == 1)
        #expect(replies.allSatisfy { $0.status == 201 || $0.code == "idempotency_in_progress" })
        #expect(try await rig.store.counts()[.created] == 1)
    }

    @Test(arguments: ["", String(repeating: "k", count: 129), "with space", "ключ"])
    func `a key that cannot be kept is refused`(text: String) async throws {
        let rig = try Rig()
        let reply = try await rig.create([("Idempotency-Key", text)])
        #expect(reply.status == 422 && reply.code == "request_invalid")
        #expect(try await rig.store.counts()[.created] ?? 0 == 0)
    }
}
