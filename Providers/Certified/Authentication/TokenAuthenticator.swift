import VerificationCore

/// Puts a fetched token into a header.
struct TokenAuthenticator: RequestAuthenticator {
    let keeper: TokenKeeper
    let header: String
    let prefix: String

    func authorize(_ request: inout DraftRequest, at now: Timestamp) async throws(VerificationError) {
        let token = try await keeper.token(at: now)
        request.set(header, token.map { prefix + $0 })
    }

    func refused(_ request: DraftRequest, at now: Timestamp) async -> Bool {
        let carried = request.headers.last { $0.name.lowercased() == header.lowercased() }
        guard let carried else { return false }
        await keeper.drop(carried.value.map { String($0.dropFirst(prefix.count)) })
        return true
    }
}
