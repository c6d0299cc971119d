import Foundation
import Testing
import VerificationCore

@testable import Gateway

@Suite struct SessionFlowTests {
    @Test func `a session is created with a nonce and a wallet request from the purpose`() async throws {
        let rig = try Rig()
        let reply = try await rig.create(body: #"{"purpose":"account-opening","reference":"case-1"}"#)
        #expect(reply.status == 201)
        #expect(reply.headers["Location"] == "/v1/sessions/" + reply.id)
        #expect(reply.sessionStatus == "created")
        #expect(reply.json["reference"] as? String == "case-1")
        let nonce = try #require(reply.json["nonce"] as? String)
        #expect(ByteText.bytes(base64: nonce)?.count == 32)
        let wallet = try #require(reply.json["wallet_request"] as? [String: Any])
        #expect(wallet["protocol"] as? String == "apple_wallet")
        #expect(wallet["document_type"] as? String == "jp-national-id-card")
        #expect(wallet["region"] as? String == "JP")
        #expect(wallet["nonce"] as? String == nonce)
        #expect(wallet["merchant_identifier"] as? String == "merchant.test")
        let elements = try #require(wallet["elements"] as? [String])
        #expect(Set(elements) == ["givenName", "familyName", "dateOfBirth", "address", "portrait"])
        #expect(!elements.contains("documentNumber"))
        let intent = try #require(wallet["intent_to_store"] as? [String: Any])
        #expect(intent["type"] as? String == "may_store" && intent["days"] as? Int == 30)
        #expect(reply.json["result"] == nil)
    }

    @Test func `two sessions never share a nonce or an identifier`() async throws {
        let rig = try Rig()
        var nonces: Set<String> = []
        var ids: Set<String> = []
        for _ in 0..<50 {
            let reply = try await rig.create()
            nonces.insert(try #require(reply.json["nonce"] as? String))
            ids.insert(reply.id)
        }
        #expect(nonces.count == 50 && ids.count == 50)
    }

    @Test func `a submission is verified once, with its pair in the ledger and its claims in the answer`() async throws
    {
        let rig = try Rig()
        let id = try await rig.create().id
        let reply = try await rig.submit(id)
        #expect(reply.status == 200)
        #expect(reply.sessionStatus == "verified")
        let claims = try #require(reply.result?["claims"] as? [String: Any])
        #expect(claims["name"] as? String == "番号　花子")
        #expect(reply.json["wallet_request"] == nil)
        let events = try await rig.store.ledger(from: 1, limit: 10)
        #expect(events.map(\.draft.kind) == [.started, .ended])
        #expect(events.last?.draft.outcome == .verified)
        #expect(events.last?.draft.billableClass == .completedPass)
        let again = try await rig.call("GET", "/v1/sessions/" + id)
        #expect(again.text == reply.text)
        #expect(rig.calls.value == 1)
    }

    @Test func `a rejection names its check and reason and returns no claim`() async throws {
        let rig = try Rig(act: { _ in .rejected(.digests, .digestMismatch) })
        let id = try await rig.create().id
        let reply = try await rig.submit(id)
        #expect(reply.status == 200 && reply.sessionStatus == "rejected")
        #expect(reply.result?["reasons"] as? [String] == ["digest_mismatch"])
        #expect(reply.result?["claims"] is NSNull)
        let checks = try #require(reply.result?["checks"] as? [[String: Any]])
        #expect(checks.map { $0["name"] as? String } == CheckName.inHouse.map(\.rawValue))
        #expect(checks.first { $0["name"] as? String == "digests" }?["status"] as? String == "failed")
        let events = try await rig.store.ledger(from: 1, limit: 10)
        #expect(events.map(\.draft.kind) == [.started, .ended])
        #expect(events.last?.draft.billableClass == .completedFail)
    }

    @Test func `an error of the verifier is a failed session, never a verdict`() async throws {
        for code in VerificationError.Code.allCases {
            let rig = try Rig(act: { _ in .error(code) })
            let id = try await rig.create().id
            let reply = try await rig.submit(id)
            #expect(reply.status == 200 && reply.sessionStatus == "failed", "\(code)")
            #expect(reply.result == nil)
            let failure = try #require(reply.json["failure"] as? [String: Any])
            #expect(FailureCode(rawValue: failure["code"] as? String ?? "") != nil)
            let second = try await rig.submit(id)
            #expect(second.status == 409 && second.code == "session_already_submitted")
        }
    }

    @Test func `S04 every state of a session says so with a code of its own`() async throws {
        let rig = try Rig()
        let created = try await rig.create().id
        #expect(try await rig.call("GET", "/v1/sessions/" + created).sessionStatus == "created")
        #expect(try await rig.call("GET", "/v1/sessions/ses_0000000000000000000000").code == "session_not_found")
        let submitted = try await rig.create().id
        _ = try await rig.submit(submitted)
        #expect(try await rig.submit(submitted).code == "session_already_submitted")
        #expect(try await rig.call("GET", "/v1/sessions/" + submitted).sessionStatus == "verified")
        rig.clock.advance(by: .seconds(901))
        let late = try await rig.submit(created)
        #expect(late.status == 410 && late.code == "session_expired")
        #expect(try await rig.call("GET", "/v1/sessions/" + created).sessionStatus == "expired")
    }

    @Test func `S03 a replay is refused and never changes the first result`() async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        let first = try await rig.submit(id)
        for blob in ["AAEC", "AAED", "_-8"] {
            let again = try await rig.submit(id, blob: blob)
            #expect(again.status == 409 && again.code == "session_already_submitted")
        }
        #expect(try await rig.call("GET", "/v1/sessions/" + id).text == first.text)
        #expect(try await rig.store.ledger(from: 1, limit: 10).count == 2)
        #expect(rig.calls.value == 1)
    }

    @Test func `S01 two hundred parallel submissions of one blob give one verification and 199 conflicts`() async throws
    {
        let rig = try Rig(act: { _ in .slow(.milliseconds(50), Rig.claims) })
        let id = try await rig.create().id
        let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
            for _ in 0..<200 { group.addTask { try await rig.submit(id) } }
            return try await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        #expect(replies.filter { $0.status == 200 && $0.sessionStatus == "verified" }.count == 1)
        #expect(replies.filter { $0.status == 409 && $0.code == "session_already_submitted" }.count == 199)
        #expect(rig.calls.value == 1)
        #expect(try await rig.store.ledger(from: 1, limit: 10).count == 2)
    }
}
