import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// A verifier whose provider lets tokens expire while requests are out: counted on the wire.
@Suite struct TokenFlightTests {
    private static let manifest = #"""
        {name: "Tokens", endpoint: "https://api.example.com", credentials: {id: "Identifier", secret: "Secret"},
         authentication: {kind: "oauth", token_endpoint: "/token", client_authentication: "basic", client_id: "id",
             client_secret: "secret"},
         nonce: {origin: "gateway", form: "base64url"},
         steps: {submit: {
             method: "POST", path: "/v", json: {nonce: "{nonce}", data: "{evidence:base64}"}, timeout: "10s",
             billing: {class: "completed_any", when: "call"}, answer: {reference: "/id", claims: {name: "/name"}},
             outcomes: [{status: 200, when: {at: "/ok", equals: true}, then: "verified"},
                        {status: 200, when: {at: "/ok", equals: false}, then: "rejected"}]}}}
        """#

    /// It knows one token at a time, and charges for what it takes.
    private actor Provider: OutboundSending {
        private(set) var tokens = 0
        private(set) var refusals = 0
        private(set) var charges = 0
        private(set) var policies: Set<ConnectionPolicy> = []
        private var isRevoking = false
        private var valid = ""

        func expire() { valid = "" }

        func revokeEveryToken() { isRevoking = true }

        func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer {
            if request.url.hasSuffix("/token") {
                tokens += 1
                let token = "token-\(tokens)"
                try? await Task.sleep(for: .milliseconds(5))
                if !isRevoking { valid = "Bearer " + token }
                return .json(#"{"access_token":"\#(token)","token_type":"bearer","expires_in":3600}"#)
            }
            policies.insert(request.connection)
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<20)))
            let carried = request.headers.first { $0.name == "Authorization" }?.value.withValue { $0 }
            guard carried == valid else {
                refusals += 1
                return .json(#"{"error":"invalid_token"}"#, status: 401)
            }
            charges += 1
            return .json(#"{"id":"v-\#(charges)","ok":true,"name":"山田"}"#)
        }
    }

    private func submit(_ rig: AdversaryRig, _ number: Int) async throws -> Conclusion {
        let id = "att_\(number)"
        return try await rig.verifier.conclude(
            Evidence(encryptedData: Sensitive([1, 2, 3])), for: try await rig.begun(id), in: AdversaryRig.attempt(id))
    }

    @Test func `P11 a token that expires under a hundred submissions costs one renewal, and each is charged once`()
        async throws
    {
        let provider = Provider()
        let rig = try AdversaryRig(manifest: Self.manifest, client: provider)
        _ = try await submit(rig, 0)
        #expect(await provider.tokens == 1)
        for round in 1...3 {
            await provider.expire()
            let verified = try await withThrowingTaskGroup { group in
                for number in 1...100 { group.addTask { try await submit(rig, round * 1000 + number) } }
                return try await group.reduce(into: 0) { sum, conclusion in
                    if case .verdict(.verified, _, _) = conclusion { sum += 1 }
                }
            }
            #expect(verified == 100)
            #expect(await provider.tokens == 1 + round)
            #expect(await provider.charges == 1 + 100 * round)
        }
        // Each was refused once at most.
        #expect(await provider.refusals <= 300)
        #expect(await provider.policies == [.fresh], "what may bill goes out alone")
    }

    @Test func `P11 a provider that refuses every token is asked twice for a submission, and charges nothing`()
        async throws
    {
        let provider = Provider()
        await provider.revokeEveryToken()
        let rig = try AdversaryRig(manifest: Self.manifest, client: provider)
        let error = await #expect(throws: VerificationError.self) { _ = try await submit(rig, 1) }
        #expect(error?.code == .providerProtocolError && error?.mayHaveBilled == false)
        #expect(await provider.refusals == 2)
        #expect(await provider.tokens == 2)
        #expect(await provider.charges == 0)
    }
}
