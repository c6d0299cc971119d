import Configuration
import Cryptography
import JSONTree
import VerificationCore

extension ManifestReading {
    private enum Kind: String, CaseIterable {
        case bearer, header, basic, oauth, token, signature
    }

    /// One declaration or a list of them.
    func authentication(_ root: JSONReader) -> [AuthenticationDeclaration] {
        guard let reader = root.optional("authentication") else { return [] }
        let readers: [JSONReader]
        if case .array = reader.node.kind { readers = reader.elements() ?? [] } else { readers = [reader] }
        let declarations = readers.compactMap { self.declaration($0) }
        for (index, reader) in readers.enumerated() where declarations.count == readers.count {
            let header = declarations[index].header
            if declarations[..<index].contains(where: { $0.header == header && !$0.sharesHeader(declarations[index]) })
            {
                reader.report("writes a header that another one writes already")
            }
        }
        return declarations
    }

    private func declaration(_ reader: JSONReader) -> AuthenticationDeclaration? {
        guard reader.isObject(), let kind = reader.enumeration("kind", as: Kind.self) else { return nil }
        defer { reader.rejectUnknownKeys() }
        switch kind {
        case .bearer:
            return reader.credential("credential", among: credentials).map(AuthenticationDeclaration.bearer)
        case .header:
            let name = reader.headerName("name")
            if let name, HeaderField.reserved.contains(name.lowercased()) {
                reader.report("is written by the client", member: "name")
            }
            let prefix = reader.prefix()
            guard let credential = reader.credential("credential", among: credentials), let name else { return nil }
            return .header(name: name, prefix: prefix, credential: credential)
        case .basic:
            let username = reader.credential("username", among: credentials)
            guard let password = reader.credential("password", among: credentials), let username else { return nil }
            return .basic(username: username, password: password)
        case .oauth: return oauth(reader).map(AuthenticationDeclaration.oauth)
        case .token: return token(reader).map(AuthenticationDeclaration.token)
        case .signature: return signature(reader).map(AuthenticationDeclaration.signature)
        }
    }

    private enum ClientKind: String, CaseIterable {
        case basic, body
        case privateKeyJWT = "private_key_jwt"
    }

    private static let lifetimes: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    private func oauth(_ reader: JSONReader) -> OAuthDeclaration? {
        let endpoint = tokenEndpoint(reader, "token_endpoint")
        let kind = reader.enumeration("client_authentication", as: ClientKind.self)
        let identifier = reader.credential("client_id", among: credentials)
        let scope = reader.optional("scope")?.words(limit: 1000)
        let audience = reader.optional("audience")?.words(limit: 1000)
        let parameters = (reader.optionalObject("parameters")?.entries() ?? []).compactMap { name, value in
            value.words(limit: 1000).map { NamedText(name: name, text: $0) }
        }
        let (margin, assumed) = margins(reader)
        let client: OAuthDeclaration.ClientAuthentication?
        switch kind {
        case .basic, .body:
            let secret = reader.credential("client_secret", among: credentials)
            client = identifier.flatMap { identifier in
                secret.map {
                    kind == .basic
                        ? .basic(identifier: identifier, secret: $0) : .body(identifier: identifier, secret: $0)
                }
            }
        case .privateKeyJWT: client = privateKeyJWT(reader, identifier: identifier)
        case nil:
            reader.leave(["client_secret", "key", "algorithm", "key_id", "assertion_audience", "assertion_lifetime"])
            client = nil
        }
        guard let endpoint, let client else { return nil }
        return OAuthDeclaration(
            tokenEndpoint: endpoint, client: client, scope: scope, audience: audience, parameters: parameters,
            margin: margin, assumedLifetime: assumed)
    }

    private func privateKeyJWT(
        _ reader: JSONReader, identifier: CredentialName?
    ) -> OAuthDeclaration.ClientAuthentication? {
        let key = reader.credential("key", among: credentials)
        let algorithm = reader.optionalEnumeration("algorithm", as: SignatureAlgorithm.self) ?? .es256
        let keyIdentifier = reader.optional("key_id")?.words(limit: 256)
        let audience = reader.optional("assertion_audience")?.words(limit: 1000)
        let lifetime = reader.duration(
            "assertion_lifetime", in: .seconds(5) ... .seconds(600), default: .seconds(60))
        guard let identifier, let key else { return nil }
        return .privateKeyJWT(
            OAuthDeclaration.PrivateKeyJWT(
                identifier: identifier, key: key, algorithm: algorithm, keyIdentifier: keyIdentifier,
                audience: audience, lifetime: lifetime))
    }

    private func margins(_ reader: JSONReader) -> (margin: Duration, assumedLifetime: Duration) {
        let margin = reader.duration("margin", in: .seconds(0) ... .seconds(3600), default: .seconds(30))
        let assumed = reader.duration("assumed_lifetime", in: ManifestReading.lifetimes, default: .seconds(300))
        return (margin, assumed)
    }

    /// An absolute `https` address, or a path under the API's endpoint.
    private func tokenEndpoint(_ reader: JSONReader, _ name: String) -> String? {
        guard let member = reader.required(name), let text = member.string() else { return nil }
        if text.hasPrefix("/"),
            text.dropFirst().split(separator: "/").allSatisfy({ PercentEncoding.isSegment(String($0)) })
        {
            return text
        }
        if Endpoint(text) != nil { return text }
        member.report("must be an address without a query, or a path that begins with a slash")
        return nil
    }

    private enum Lifetime: String, CaseIterable {
        case seconds, rfc3339
        case epochSeconds = "epoch_seconds"
        case epochMilliseconds = "epoch_milliseconds"
    }

    private func token(_ reader: JSONReader) -> TokenDeclaration? {
        let scope = TemplateScope(
            place: "a token's request", credentials: credentials, variables: Set(variables.keys),
            refusal: { variable in
                switch variable {
                case .configured, .credential, .now: nil
                default: "belongs to a session, and a token does not"
                }
            }, nonceForm: nonce.form)
        let request = reader.object("request").flatMap { request -> TokenRequest? in
            defer { request.rejectUnknownKeys() }
            let endpoint = tokenEndpoint(request, "endpoint")
            let method = request.optional("method").map { $0.enumeration(as: HTTPMethod.self) } ?? .post
            let headers = scope.headers(request.optionalObject("headers"))
            guard let body = scope.body(request), let endpoint, let method else { return nil }
            return TokenRequest(endpoint: endpoint, method: method, headers: headers, body: body)
        }
        let place = reader.object("token").flatMap { place -> TokenDeclaration.Place? in
            defer { place.rejectUnknownKeys() }
            let header = place.optional("header")
            let pointer = place.optional("at")
            if (header == nil) == (pointer == nil) { place.report("needs exactly one of header and at") }
            if let header { return header.headerName().map(TokenDeclaration.Place.header) }
            return pointer?.pointer().map(TokenDeclaration.Place.body)
        }
        let expiry = reader.optionalObject("expires").flatMap { expires -> TokenDeclaration.Expiry? in
            defer { expires.rejectUnknownKeys() }
            let pointer = expires.required("at")?.pointer()
            guard let form = expires.enumeration("format", as: Lifetime.self), let pointer else { return nil }
            switch form {
            case .seconds: return TokenDeclaration.Expiry(pointer: pointer, form: .seconds)
            case .rfc3339: return TokenDeclaration.Expiry(pointer: pointer, form: .instant(.rfc3339))
            case .epochSeconds: return TokenDeclaration.Expiry(pointer: pointer, form: .instant(.epochSeconds))
            case .epochMilliseconds:
                return TokenDeclaration.Expiry(pointer: pointer, form: .instant(.epochMilliseconds))
            }
        }
        let (margin, assumed) = margins(reader)
        let header = reader.headerName("header")
        let prefix = reader.prefix()
        guard let request, let place, let header else { return nil }
        return TokenDeclaration(
            request: request, token: place, expiry: expiry, assumedLifetime: assumed, margin: margin, header: header,
            prefix: prefix)
    }

    private func signature(_ reader: JSONReader) -> SignatureDeclaration? {
        let credential = reader.credential("credential", among: credentials)
        let keyForm = reader.optionalEnumeration("key_form", as: SignatureDeclaration.KeyForm.self) ?? .utf8
        let parts = reader.array("parts").map(SignatureReading.requestParts) ?? []
        let encoding = reader.enumeration("encoding", as: SignatureDeclaration.Encoding.self)
        let header = reader.headerName("header")
        let prefix = reader.prefix()
        let timestampHeader = reader.optional("timestamp_header")?.headerName()
        let timestampForm = reader.optionalEnumeration("timestamp_format", as: TimeForm.self) ?? .epochSeconds
        if parts.contains(.timestamp) != (timestampHeader != nil) {
            reader.report("timestamp among parts and timestamp_header go together", member: "parts")
        }
        var methods: Set<HTTPMethod>?
        if let list = reader.optionalArray("methods") {
            methods = Set(list.compactMap { $0.enumeration(as: HTTPMethod.self) })
        }
        guard let credential, let encoding, let header, !parts.isEmpty else { return nil }
        return SignatureDeclaration(
            credential: credential, keyForm: keyForm, parts: parts, encoding: encoding, header: header, prefix: prefix,
            timestampHeader: timestampHeader, timestampForm: timestampForm, methods: methods)
    }
}

/// Reads what a signature is over: names of parts, and fixed text as `{text}`.
enum SignatureReading {
    private enum RequestPart: String, CaseIterable {
        case timestamp, method, path, target, body, reference
        case bodyDigest = "body_sha256"

        var part: SignatureDeclaration.Part {
            switch self {
            case .timestamp: .timestamp
            case .method: .method
            case .path: .path
            case .target: .target
            case .body: .body
            case .reference: .reference
            case .bodyDigest: .bodyDigest
            }
        }
    }

    private enum NotificationPart: String, CaseIterable {
        case timestamp, body

        var part: SignatureDeclaration.Part { self == .timestamp ? .timestamp : .body }
    }

    static func requestParts(_ readers: [JSONReader]) -> [SignatureDeclaration.Part] {
        parts(readers) { $0.enumeration(as: RequestPart.self)?.part }
    }

    static func notificationParts(_ readers: [JSONReader]) -> [SignatureDeclaration.Part] {
        parts(readers) { $0.enumeration(as: NotificationPart.self)?.part }
    }

    private static func parts(
        _ readers: [JSONReader], _ named: (JSONReader) -> SignatureDeclaration.Part?
    ) -> [SignatureDeclaration.Part] {
        readers.compactMap { reader in
            guard case .object = reader.node.kind else { return named(reader) }
            defer { reader.rejectUnknownKeys() }
            return reader.string("text", limit: 200).map(SignatureDeclaration.Part.text)
        }
    }
}

extension AuthenticationDeclaration {
    /// The header that it writes, in lower case.
    var header: String {
        switch self {
        case .bearer, .basic, .oauth: "authorization"
        case .header(let name, _, _): name.lowercased()
        case .token(let token): token.header.lowercased()
        case .signature(let signature): signature.header.lowercased()
        }
    }

    /// Whether two declarations share the work: signatures of different methods.
    func sharesHeader(_ other: AuthenticationDeclaration) -> Bool {
        guard case .signature(let one) = self, case .signature(let two) = other, let ours = one.methods,
            let theirs = two.methods
        else { return false }
        return ours.isDisjoint(with: theirs)
    }
}
