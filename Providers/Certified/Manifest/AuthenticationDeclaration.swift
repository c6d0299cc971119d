import Cryptography

/// One way in which a request is authenticated. A client certificate belongs to the configuration's `tls`.
enum AuthenticationDeclaration: Sendable, Hashable {
    /// `Authorization: Bearer …`.
    case bearer(CredentialName)
    /// A header that carries a secret, after a fixed text such as `Token token=`.
    case header(name: String, prefix: String, credential: CredentialName)
    /// `Authorization: Basic …` (RFC 7617).
    case basic(username: CredentialName, password: CredentialName)
    /// A token from an OAuth 2.0 token endpoint by client credentials, sent as a bearer token.
    case oauth(OAuthDeclaration)
    /// A token from some other service, sent in a header.
    case token(TokenDeclaration)
    /// An HMAC over parts of the request.
    case signature(SignatureDeclaration)

    /// The secrets that it needs.
    var credentials: Set<CredentialName> {
        switch self {
        case .bearer(let name): [name]
        case .header(_, _, let name): [name]
        case .basic(let username, let password): [username, password]
        case .oauth(let oauth): oauth.credentials
        case .token(let token): token.request.credentials
        case .signature(let signature): [signature.credential]
        }
    }
}

/// OAuth 2.0 client credentials (RFC 6749 section 4.4).
struct OAuthDeclaration: Sendable, Hashable {
    /// The token endpoint: an absolute URL, or a path under the API's endpoint.
    var tokenEndpoint: String
    /// How the client proves who it is.
    var client: ClientAuthentication
    var scope: String?
    var audience: String?
    /// Other parameters of the token request, in order.
    var parameters: [NamedText]
    /// A token is renewed so long before it expires.
    var margin: Duration
    /// How long a token is taken to live where its answer does not say.
    var assumedLifetime: Duration

    enum ClientAuthentication: Sendable, Hashable {
        /// In `Authorization: Basic` (form-encoded, RFC 6749 section 2.3.1).
        case basic(identifier: CredentialName, secret: CredentialName)
        /// In the form.
        case body(identifier: CredentialName, secret: CredentialName)
        /// By a signed assertion (RFC 7523, `private_key_jwt`).
        case privateKeyJWT(PrivateKeyJWT)
    }

    struct PrivateKeyJWT: Sendable, Hashable {
        var identifier: CredentialName
        /// A private key in PEM, of the algorithm's kind.
        var key: CredentialName
        var algorithm: SignatureAlgorithm = .es256
        /// The header's `kid`, where the provider wants one.
        var keyIdentifier: String?
        /// The assertion's `aud`; the token endpoint where nothing is said.
        var audience: String?
        /// How long an assertion is good for.
        var lifetime: Duration
    }

    var credentials: Set<CredentialName> {
        switch client {
        case .basic(let identifier, let secret), .body(let identifier, let secret): [identifier, secret]
        case .privateKeyJWT(let jwt): [jwt.identifier, jwt.key]
        }
    }
}

/// A name and a fixed text.
struct NamedText: Sendable, Hashable {
    var name: String
    var text: String
}

/// A token that is fetched by a request of its own, as from OpenStack's Keystone.
struct TokenDeclaration: Sendable, Hashable {
    /// The request; its templates know credentials, configured variables and the time.
    var request: TokenRequest
    /// Where its answer has the token.
    var token: Place
    /// Where its answer says when the token expires.
    var expiry: Expiry?
    /// How long a token is taken to live where the answer does not say.
    var assumedLifetime: Duration
    /// A token is renewed so long before it expires.
    var margin: Duration
    /// The header that carries the token, and the fixed text before it.
    var header: String
    var prefix: String

    enum Place: Sendable, Hashable {
        case header(String)
        case body(JSONPointer)
    }

    struct Expiry: Sendable, Hashable {
        var pointer: JSONPointer
        var form: Form

        enum Form: Sendable, Hashable {
            /// Seconds from now.
            case seconds
            case instant(TimeForm)
        }
    }
}

/// The request for a token.
struct TokenRequest: Sendable, Hashable {
    /// An absolute URL, or a path under the API's endpoint.
    var endpoint: String
    var method: HTTPMethod
    var headers: [NamedTemplate]
    var body: BodyTemplate
    /// Every secret that its templates name.
    var credentials: Set<CredentialName> {
        Set((headers.map(\.template) + body.templates).flatMap(\.variables).compactMap(\.credential))
    }
}

/// An HMAC-SHA-256 over declared parts of a request.
struct SignatureDeclaration: Sendable, Hashable {
    var credential: CredentialName
    /// How the key's bytes stand in the secret.
    var keyForm: KeyForm
    /// What is signed, in order.
    var parts: [Part]
    /// How the signature is written, and after what text.
    var encoding: Encoding
    var header: String
    var prefix: String
    /// The header that carries the signed time, and its form.
    var timestampHeader: String?
    var timestampForm: TimeForm
    /// The methods that are signed this way; `nil` for all. Two declarations may share the work.
    var methods: Set<HTTPMethod>?

    enum Part: Sendable, Hashable {
        case timestamp
        case method
        /// The path as sent, without the query.
        case path
        /// The path as sent, with `?` and the query where there is one.
        case target
        case body
        /// SHA-256 of the body in lower-case hexadecimal.
        case bodyDigest
        /// The provider's reference of the verification, as some sign it where there is no body.
        case reference
        /// A fixed text, such as a line end.
        case text(String)
    }

    enum Encoding: String, Sendable, CaseIterable, Hashable {
        case hex, base64
        case base64URL = "base64url"
    }

    enum KeyForm: String, Sendable, CaseIterable, Hashable {
        case utf8, hex, base64
    }
}

/// How an instant stands in a text or a number.
enum TimeForm: String, Sendable, CaseIterable, Hashable {
    case rfc3339
    case epochSeconds = "epoch_seconds"
    case epochMilliseconds = "epoch_milliseconds"
}
