import HTTPClient
import JSONTree
import VerificationCore

/// Tokens by a request that the manifest spells out, as of OpenStack's Keystone.
struct DeclaredTokenSource: TokenSource {
    let declaration: TokenDeclaration
    let access: ProviderAccess

    /// A source, or the first secret that its templates name and that is missing or no text.
    init(_ declaration: TokenDeclaration, _ credentials: CredentialReading) throws(CredentialProblem) {
        for name in declaration.request.credentials.sorted() { _ = try credentials.text(name) }
        self.declaration = declaration
        self.access = credentials.access
    }

    func fetch(at now: Timestamp) async throws(VerificationError) -> Token {
        let rendering = Rendering(values: TokenValues(access: access, now: now))
        var headers: [DraftRequest.Header]
        var body: Sensitive<[UInt8]>?
        do throws(RenderingError) {
            headers = try rendering.headers(declaration.request.headers)
            if let written = try rendering.body(declaration.request.body) {
                body = Sensitive(written.bytes)
                DeclaredTokenSource.add("Content-Type", written.mediaType, to: &headers)
            }
        } catch {
            throw VerificationError(.internal, "the request for a token cannot be made of its templates")
        }
        DeclaredTokenSource.add("Accept", "application/json", to: &headers)
        let answer = try await TokenEndpoint(declaration.request.endpoint, access: access).answer(
            declaration.request.method, headers: headers, body: body, at: now)
        let tree = needsTree ? try TokenEndpoint.tree(of: answer) : nil
        return TokenLifetime.token(
            try TokenEndpoint.checked(text(of: answer, tree)), asked: now,
            lifetime: lifetime(tree, at: now) ?? declaration.assumedLifetime, margin: declaration.margin)
    }

    private var needsTree: Bool {
        switch declaration.token {
        case .header: declaration.expiry != nil
        case .body: true
        }
    }

    private func text(of answer: OutboundAnswer, _ tree: JSONNode?) -> String? {
        switch declaration.token {
        case .header(let name):
            let values = answer.headers.values(of: name)
            // Of two, nobody knows which is meant.
            return values.count == 1 ? values[0] : nil
        case .body(let pointer): return tree.flatMap { pointer.presentValue(in: $0)?.string }
        }
    }

    private func lifetime(_ tree: JSONNode?, at now: Timestamp) -> Duration? {
        guard let tree, let expiry = declaration.expiry, let node = expiry.pointer.presentValue(in: tree) else {
            return nil
        }
        switch expiry.form {
        case .seconds: return TokenLifetime.stated(node)
        case .instant(let form): return AnswerValues.instant(node, as: form)?.duration(since: now)
        }
    }

    private static func add(_ name: String, _ value: String, to headers: inout [DraftRequest.Header]) {
        guard !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return }
        headers.append(DraftRequest.Header(name: name, value: Sensitive(value)))
    }
}

/// What the templates of a token's request may name: nothing of a session.
private struct TokenValues: VariableValues {
    let access: ProviderAccess
    let now: Timestamp

    func value(of variable: Variable) -> TemplateValues.Value? {
        switch variable {
        case .now: .instant(now)
        case .configured(let name): access.variables[name].map(TemplateValues.Value.init)
        case .credential(let name): access.text(of: name).map(TemplateValues.Value.text)
        case .session, .attempt, .idempotencyKey, .submitIdempotencyKey, .purpose, .documentType, .document, .claims,
            .nonce, .merchantIdentifier, .teamIdentifier, .evidence, .evidenceDigest, .reference, .kept:
            nil
        }
    }
}
