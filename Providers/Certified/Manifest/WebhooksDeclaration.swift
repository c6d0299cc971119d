import VerificationCore

/// What a provider tells on its own account, and how one knows that it was the provider.
struct WebhooksDeclaration: Sendable {
    var signature: Scheme
    /// The secrets that are good, the newest first: two while one replaces the other.
    var credentials: [CredentialName]
    /// How far the signed time may lie from ours, in either direction.
    var tolerance: Duration
    /// Where a notification has its own identifier; the digest of its body stands in where this is `nil`.
    var identifier: Place?
    /// Where a notification names the verification.
    var reference: JSONPointer
    /// What a notification concludes; `nil` where it carries no result, which is then fetched.
    var result: Result?

    enum Scheme: Sendable, Hashable {
        /// Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`.
        case standard
        /// One header with `t=…,v1=…`.
        case timestamped(header: String)
        /// An HMAC-SHA-256 over declared parts, in a header.
        case hmac(HMAC)
    }

    struct HMAC: Sendable, Hashable {
        var header: String
        var prefix: String
        var encoding: SignatureDeclaration.Encoding
        /// What is signed, in order: `timestamp`, `body` and fixed text.
        var parts: [SignatureDeclaration.Part]
        /// The header that carries the signed time, and its form.
        var timestampHeader: String?
        var timestampForm: TimeForm
    }

    enum Place: Sendable, Hashable {
        case header(String)
        case body(JSONPointer)
    }

    /// How a notification's body is read, as an answer is; there is no status, so no outcome names one.
    struct Result: Sendable {
        var answer: AnswerDeclaration
        var outcomes: [OutcomeDeclaration]
    }
}

extension Manifest {
    /// The claims of a document that some answer can hold.
    func claims(of documentType: String) -> Set<ClaimName> {
        let answers = steps.values.map(\.answer) + [webhooks?.result?.answer].compactMap(\.self)
        return Set(
            answers.flatMap(\.claims).filter { $0.documents?.contains(documentType) ?? true }.map(\.claim))
    }

    /// The claims that an answer can ever have, by document type.
    func claims(of documentTypes: Set<String>) -> [String: Set<ClaimName>] {
        Dictionary(uniqueKeysWithValues: documentTypes.map { ($0, claims(of: $0)) })
    }
}
