import VerificationCore

/// Of a provider that knows us by our client certificate alone.
struct NoAuthentication: RequestAuthenticator {
    func authorize(_ request: inout DraftRequest, at now: Timestamp) async throws(VerificationError) {}

    func refused(_ request: DraftRequest, at now: Timestamp) async -> Bool { false }
}
