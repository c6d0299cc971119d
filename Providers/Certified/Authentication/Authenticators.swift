import Cryptography
import VerificationCore

/// Opens what a manifest declares of authentication.
enum Authenticators {
    /// One authenticator for all declarations together, or the first secret that cannot be used as declared.
    static func open(
        _ declarations: [AuthenticationDeclaration], access: ProviderAccess,
        random: @escaping @Sendable (Int) -> [UInt8] = { count in
            var generator = SecureRandom()
            return generator.bytes(count)
        }
    ) throws(CredentialProblem) -> any RequestAuthenticator {
        let credentials = CredentialReading(access: access)
        var opened: [any RequestAuthenticator] = []
        for declaration in declarations {
            switch declaration {
            case .bearer(let name):
                opened.append(
                    FixedHeader(
                        name: "Authorization", value: try credentials.headerText(name, after: "Bearer ")))
            case .header(let header, let prefix, let name):
                opened.append(FixedHeader(name: header, value: try credentials.headerText(name, after: prefix)))
            case .basic(let username, let password):
                opened.append(
                    FixedHeader.basic(try credentials.username(username), try credentials.password(password)))
            case .oauth(let oauth):
                let source = try source(oauth, credentials, random: random)
                opened.append(
                    TokenAuthenticator(keeper: TokenKeeper(source), header: "Authorization", prefix: "Bearer "))
            case .token(let token):
                let source = try DeclaredTokenSource(token, credentials)
                opened.append(
                    TokenAuthenticator(keeper: TokenKeeper(source), header: token.header, prefix: token.prefix))
            case .signature(let signature):
                opened.append(
                    SignatureAuthenticator(
                        declaration: signature, key: try credentials.key(signature.credential, signature.keyForm)))
            }
        }
        return opened.count == 1 ? opened[0] : Together(members: opened)
    }

    private static func source(
        _ oauth: OAuthDeclaration, _ credentials: CredentialReading, random: @escaping @Sendable (Int) -> [UInt8]
    ) throws(CredentialProblem) -> OAuthTokenSource {
        let endpoint = TokenEndpoint(oauth.tokenEndpoint, access: credentials.access)
        let client: OAuthTokenSource.Client
        switch oauth.client {
        case .basic(let identifier, let secret):
            client = .basic(identifier: try credentials.text(identifier), secret: try credentials.text(secret))
        case .body(let identifier, let secret):
            client = .body(identifier: try credentials.text(identifier), secret: try credentials.text(secret))
        case .privateKeyJWT(let jwt):
            client = .assertion(
                ClientAssertion(
                    identifier: try credentials.text(jwt.identifier),
                    key: try credentials.signingKey(jwt.key, jwt.algorithm), keyIdentifier: jwt.keyIdentifier,
                    audience: jwt.audience ?? endpoint.url, lifetime: jwt.lifetime, random: random))
        }
        return OAuthTokenSource(declaration: oauth, client: client, endpoint: endpoint)
    }
}

/// Several ways at once, in their order: a signature is over what the others have added already.
private struct Together: RequestAuthenticator {
    let members: [any RequestAuthenticator]

    func authorize(_ request: inout DraftRequest, at now: Timestamp) async throws(VerificationError) {
        for member in members { try await member.authorize(&request, at: now) }
    }

    func refused(_ request: DraftRequest, at now: Timestamp) async -> Bool {
        var isWorthwhile = false
        for member in members where await member.refused(request, at: now) { isWorthwhile = true }
        return isWorthwhile
    }
}
