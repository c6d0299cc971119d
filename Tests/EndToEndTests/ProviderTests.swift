import Foundation
import Testing

/// The gateway and the sandbox as real processes, between them HTTPS, OAuth, signatures and webhooks.
@Suite(.serialized) struct ProviderTests {
    @Test func `alpha verifies at once, with the claims as issued, one call and one charge`() async throws {
        let scene = try await ProviderScene("alpha")
        let answer = try await scene.submit()
        #expect(answer.status == 200)
        try #require(answer.sessionStatus == "verified", "\(answer.text.prefix(1500)) \(scene.log)")
        let inHouse = try await ProviderScene("in-house")
        let own = try await inHouse.submit()
        #expect(own.sessionStatus == "verified")
        #expect(try scene.claims(answer) == inHouse.claims(own))
        #expect(ProviderScene.checks(answer)["provider_verdict"] == "passed")
        #expect(try await scene.sandbox.calls("alpha", "submit") == 1)
        #expect(try await scene.sandbox.charges("alpha") == ["kakunin"])
        #expect(try await inHouse.sandbox.charges("alpha").isEmpty)
        #expect(try scene.gateway.sql("SELECT count(*) FROM ledger") == "2")
        try await scene.end()
        try await inHouse.end()
    }

    @Test func `alpha rejects a forged card: a verdict with its reason, no claim, one charge`() async throws {
        let scene = try await ProviderScene("alpha")
        let answer = try await scene.submit(["--fault", "value_changed"])
        #expect(answer.status == 200 && answer.sessionStatus == "rejected", "\(answer.text.prefix(1500))")
        let result = answer.json["result"] as? [String: Any]
        #expect(result?["reasons"] as? [String] == ["digest_mismatch"])
        #expect(result?["claims"] is NSNull)
        #expect(try await scene.sandbox.charges("alpha") == ["kakunin"])
        let again = try await scene.gateway.call("GET", "/v1/sessions/\(answer.id)")
        #expect(again.sessionStatus == "rejected")
        try await scene.end()
    }

    @Test func `beta names its own merchant and nonce, and is polled until it has a verdict`() async throws {
        let scene = try await ProviderScene("beta", processing: 700)
        let (id, submission) = try await scene.present()
        let request = scene.opened?["wallet_request"] as? [String: Any]
        #expect(request?["merchant_identifier"] as? String == "merchant.example.beta")
        let taken = try await scene.gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
        #expect(taken.status == 202 && taken.sessionStatus == "processing")
        let answer = try await scene.wait(id)
        try #require(answer.sessionStatus == "verified", "\(answer.text.prefix(1500)) \(scene.log)")
        #expect(try scene.claims(answer)["birthdate"] as? String == "1984-02-29")
        #expect(try await scene.sandbox.calls("beta", "token") == 1)
        #expect(try await scene.sandbox.calls("beta", "submit") == 1)
        #expect(try await scene.sandbox.calls("beta", "poll") >= 1)
        #expect(try await scene.sandbox.charges("beta") == ["session", "approval"])
        try await scene.end()
    }

    @Test func `gamma's verdict comes by its webhook, and one that it did not sign changes nothing`() async throws {
        let scene = try await ProviderScene("gamma", processing: 300)
        try await scene.sandbox.order("gamma", "webhook", #""fault":"wrongly_signed_webhook""#)
        // Nobody can ask, so whatever is verified was called back.
        try await scene.sandbox.order("gamma", "fetch", #""fault":"unavailable","times":1000"#)
        let (forged, blob) = try await scene.present()
        let taken = try await scene.gateway.call("POST", "/v1/sessions/\(forged)/submission", body: blob)
        #expect(taken.status == 202 && taken.sessionStatus == "processing")
        let answer = try await scene.submitAndWait()
        try #require(answer.sessionStatus == "verified", "\(answer.text.prefix(1500)) \(scene.log)")
        let name = try scene.claims(answer)["name"] as? String
        #expect(name?.contains("\u{3000}") == true)
        #expect(try await scene.sandbox.calls("gamma", "webhook") == 2)
        #expect(try await scene.sandbox.charges("gamma") == ["submission", "submission"])
        #expect(try await scene.gateway.call("GET", "/v1/sessions/\(forged)").sessionStatus != "verified")
        try await scene.end()
    }

    @Test func `the result has one shape, whoever verified`() async throws {
        var shapes: [String: Set<String>] = [:]
        for provider in ["in-house", "alpha", "beta", "gamma"] {
            let scene = try await ProviderScene(provider)
            let answer = try await scene.submitAndWait()
            try #require(answer.sessionStatus == "verified", "\(provider): \(answer.text.prefix(1500)) \(scene.log)")
            shapes[provider] = ProviderScene.shape(answer.json)
            try await scene.end()
        }
        // What a document says of itself, and what a provider calls it, is there where somebody told it.
        let optional = ["result.document", "result.verifier.reference", "result.verifier.program", "result.verifier"]
        func common(_ provider: String) -> Set<String> {
            (shapes[provider] ?? []).filter { path in !optional.contains { path.hasPrefix($0 + ".") || path == $0 } }
        }
        for provider in ["alpha", "beta", "gamma"] {
            #expect(common(provider) == common("in-house"), "\(provider)")
        }
        #expect(common("in-house").contains("result.claims.portrait.media_type"))
    }
}
