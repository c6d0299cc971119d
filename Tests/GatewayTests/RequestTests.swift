import Foundation
import Testing
import VerificationCore

@testable import Gateway

@Suite struct RequestTests {
    @Test(arguments: [
        ("{", "request_malformed"), ("", "request_malformed"), ("[]", "request_invalid"), ("null", "request_invalid"),
        (#"{"purpose":"account-opening","purpose":"account-opening"}"#, "request_malformed"),
        (#"{"purpose":"account-opening","\u0070urpose":"b"}"#, "request_malformed"),
        (#"{"purpose":null}"#, "request_invalid"), (#"{"purpose":5}"#, "request_invalid"),
        (#"{}"#, "request_invalid"), (#"{"purpose":"account-opening","ttl":1}"#, "request_invalid"),
        (#"{"purpose":"account-opening","reference":1e400}"#, "request_invalid"),
        (#"{"purpose":"unknown"}"#, "purpose_not_allowed"),
        (#"{"purpose":"account-opening","doc_type":"org.iso.18013.5.1.mDL"}"#, "document_type_not_allowed"),
    ])
    func `S06 S11 a body that can be read in two ways or does not fit opens nothing`(
        body: String, code: String
    ) async throws {
        let rig = try Rig()
        let reply = try await rig.create(body: body)
        #expect(reply.code == code)
        #expect(reply.status == 400 || reply.status == 422)
        #expect(try await rig.store.counts()[.created] ?? 0 == 0)
    }

    @Test func `a body that is not JSON by its type is refused`() async throws {
        let rig = try Rig()
        let reply = try await rig.call(
            "POST", "/v1/sessions", body: nil, headers: [("Content-Type", "text/plain")])
        #expect(reply.status == 415 && reply.code == "unsupported_media_type")
    }

    @Test(arguments: [
        "", "A", "AAEC=", "AA EC", "AAEC\\n", "data:AAEC", "AA%2BC", "_+8A", "AAED=A==", "AB", "z",
    ])
    func `H14 a blob that is not base64 changes nothing, and the session can still be submitted`(
        blob: String
    ) async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        let reply = try await rig.submit(id, blob: blob)
        #expect(reply.status == 422 && reply.code == "evidence_encoding_invalid", "\(blob)")
        #expect(rig.calls.value == 0)
        #expect(try await rig.submit(id).sessionStatus == "verified")
    }

    @Test(arguments: ["AAEC", "AAECAw==", "AAECAw", "__79", "//79", "_w==", "_w"])
    func `H14 base64url and base64 are taken, padded or not`(blob: String) async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        #expect(try await rig.submit(id, blob: blob).sessionStatus == "verified", "\(blob)")
    }

    @Test func `a wrong echoed nonce changes nothing and the right one is taken`() async throws {
        let rig = try Rig()
        let created = try await rig.create()
        let other = try await rig.create()
        let path = "/v1/sessions/\(created.id)/submission"
        let wrong = try #require(other.json["nonce"] as? String)
        let refused = try await rig.call("POST", path, body: #"{"encrypted_data":"AAEC","nonce":"\#(wrong)"}"#)
        #expect(refused.status == 422 && refused.code == "nonce_mismatch")
        #expect(rig.calls.value == 0)
        let right = try #require(created.json["nonce"] as? String)
        let taken = try await rig.call("POST", path, body: #"{"encrypted_data":"AAEC","nonce":"\#(right)"}"#)
        #expect(taken.sessionStatus == "verified")
    }

    @Test func `a blob over the limit is refused before the session is touched`() async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        let blob = String(repeating: "A", count: (SubmitEvidence.maximumEvidence + 3) / 3 * 4)
        let reply = try await rig.submit(id, blob: blob)
        #expect(reply.status == 413 && reply.code == "payload_too_large")
        #expect(try await rig.submit(id).sessionStatus == "verified")
    }

    @Test func `only a known key opens anything, and a role opens only its own`() async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        for path in ["/v1/sessions/\(id)", "/v1/sessions/\(id)/verified-claims"] {
            for key in [nil, "", "wrong", Rig.appKey + "x", String(Rig.appKey.dropLast())] {
                let reply = try await rig.call("GET", path, key: key)
                #expect(reply.status == 401 && reply.headers["WWW-Authenticate"] == "Bearer")
                #expect(!reply.text.contains(id))
            }
            let finance = try await rig.call("GET", path, key: Rig.financeKey)
            #expect(finance.status == 403 && !finance.text.contains(id))
        }
        #expect(try await rig.call("POST", "/v1/sessions", key: Rig.financeKey, body: "{}").status == 403)
    }

    @Test func `another client's session is as good as none, whatever is tried on it`() async throws {
        let rig = try Rig()
        let id = try await rig.create().id
        let calls: [(String, String, String?)] = [
            ("GET", "/v1/sessions/\(id)", nil),
            ("POST", "/v1/sessions/\(id)/submission", #"{"encrypted_data":"AAEC"}"#),
            ("POST", "/v1/sessions/\(id)/cancel", #"{"outcome":"other"}"#),
            ("DELETE", "/v1/sessions/\(id)", nil), ("GET", "/v1/sessions/\(id)/verified-claims", nil),
        ]
        for (method, path, body) in calls {
            let reply = try await rig.call(method, path, key: Rig.otherKey, body: body)
            #expect(reply.status == 404 && reply.code == "session_not_found", "\(method) \(path)")
        }
        #expect(try await rig.call("GET", "/v1/sessions/\(id)").sessionStatus == "created")
        #expect(rig.calls.value == 0)
    }

    @Test func `every answer names its request, and a problem has every member`() async throws {
        let rig = try Rig()
        let reply = try await rig.call("GET", "/nowhere")
        let id = try #require(reply.headers["X-Request-Id"])
        #expect(reply.status == 404 && reply.headers["Content-Type"] == "application/problem+json")
        #expect(reply.json["request_id"] as? String == id)
        #expect(reply.json["type"] as? String == "urn:sekisho:problem:route_not_found")
        #expect(reply.json["retryable"] as? Bool == false)
        #expect(reply.json["status"] as? Int == 404)
        #expect(try await rig.call("PUT", "/v1/sessions").status == 405)
        #expect(rig.lines.text.contains(id))
    }
}
