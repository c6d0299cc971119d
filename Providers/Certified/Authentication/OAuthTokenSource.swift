import JSONTree
import VerificationCore

/// Tokens by OAuth 2.0 client credentials (RFC 6749 section 4.4).
struct OAuthTokenSource: TokenSource {
    /// How the client proves who it is.
    enum Client: Sendable {
        case basic(identifier: Sensitive<String>, secret: Sensitive<String>)
        case body(identifier: Sensitive<String>, secret: Sensitive<String>)
        case assertion(ClientAssertion)
    }

    let declaration: OAuthDeclaration
    let client: Client
    let endpoint: TokenEndpoint

    func fetch(at now: Timestamp) async throws(VerificationError) -> Token {
        var headers = [
            DraftRequest.Header(name: "Content-Type", value: Sensitive("application/x-www-form-urlencoded")),
            DraftRequest.Header(name: "Accept", value: Sensitive("application/json")),
        ]
        var form = [("grant_type", "client_credentials")]
        if let scope = declaration.scope { form.append(("scope", scope)) }
        if let audience = declaration.audience { form.append(("audience", audience)) }
        form += declaration.parameters.map { ($0.name, $0.text) }
        var secrets: [(String, Sensitive<String>)] = []
        switch client {
        case .basic(let identifier, let secret):
            // RFC 6749 section 2.3.1: each is form-encoded before the two are joined.
            let basic = FixedHeader.basic(
                identifier.map(PercentEncoding.formEncode), secret.map(PercentEncoding.formEncode))
            headers.append(DraftRequest.Header(name: basic.name, value: basic.value))
        case .body(let identifier, let secret):
            secrets = [("client_id", identifier), ("client_secret", secret)]
        case .assertion(let assertion):
            form.append(("client_assertion_type", ClientAssertion.type))
            secrets = [("client_id", assertion.identifier), ("client_assertion", try assertion.text(at: now))]
        }
        let body = OAuthTokenSource.body(form, secrets)
        let answer = try await endpoint.answer(.post, headers: headers, body: body, at: now)
        let tree = try TokenEndpoint.tree(of: answer)
        try OAuthTokenSource.checkType(tree["token_type"])
        return TokenLifetime.token(
            try TokenEndpoint.checked(tree["access_token"]?.string), asked: now,
            lifetime: TokenLifetime.stated(tree["expires_in"]) ?? declaration.assumedLifetime,
            margin: declaration.margin)
    }

    private static func body(_ form: [(String, String)], _ secrets: [(String, Sensitive<String>)]) -> Sensitive<[UInt8]>
    {
        let fields = form.map { ($0, Sensitive($1)) } + secrets
        let encoded = fields.map { name, value in
            value.withValue { PercentEncoding.formEncode(name) + "=" + PercentEncoding.formEncode($0) }
        }
        return Sensitive(Array(encoded.joined(separator: "&").utf8))
    }

    /// RFC 6749 section 7.1: a token of a type that is not understood must not be used. Leaving the type out, and one
    /// vendor's other word for the same, are tolerated.
    private static func checkType(_ node: JSONNode?) throws(VerificationError) {
        guard let node else { return }
        guard let type = node.string, ["bearer", "bearertoken"].contains(type.lowercased()) else {
            throw VerificationError(.providerProtocolError, "the token endpoint's token is no bearer token")
        }
    }
}
