import VerificationCore

/// Puts on a request what shows the provider that it is ours.
protocol RequestAuthenticator: Sendable {
    /// Authenticates a request that is otherwise complete. It may call a token endpoint first.
    func authorize(_ request: inout DraftRequest, at now: Timestamp) async throws(VerificationError)

    /// Hears that the provider refused the authentication of this very request (401). The token that it carried is
    /// dropped, unless another has taken its place since: so any number of refused requests cost one new token. `true`
    /// where it is worth asking once more.
    func refused(_ request: DraftRequest, at now: Timestamp) async -> Bool
}

/// A request before it is authenticated.
struct DraftRequest: Sendable {
    var method: HTTPMethod
    /// Scheme, host and port, such as `https://api.example.com`.
    var origin: String
    /// The whole path, percent-encoded as it goes out.
    var path: String
    /// The query, percent-encoded as it goes out, without `?`; empty where there is none.
    var query: String
    /// Header fields in order. All may be secret.
    var headers: [Header]
    var body: Sensitive<[UInt8]>?
    /// The provider's reference of the verification, once there is one.
    var reference: String?

    struct Header: Sendable {
        var name: String
        var value: Sensitive<String>
    }

    /// The path with the query, as it goes out.
    var target: String { query.isEmpty ? path : path + "?" + query }

    /// Adds a header field in place of any of that name.
    mutating func set(_ name: String, _ value: Sensitive<String>) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(Header(name: name, value: value))
    }
}
