/// What a template can name.
enum Variable: Sendable, Hashable {
    case session
    case attempt
    case idempotencyKey
    /// The idempotency key that the submission of the same attempt had.
    case submitIdempotencyKey
    case purpose
    case documentType
    /// The provider's word for the document type.
    case document
    /// The provider's words for the claims of the purpose.
    case claims
    case nonce
    case merchantIdentifier
    case teamIdentifier
    /// The wallet's answer.
    case evidence
    /// SHA-256 of the wallet's answer.
    case evidenceDigest
    /// The provider's reference.
    case reference
    case now
    /// A value of the configuration's `variables`.
    case configured(String)
    /// A secret of the configuration's `credentials`.
    case credential(String)
    /// Something kept from an earlier answer of the same session.
    case kept(String)

    /// The variables without a part after the dot, by name.
    static let plain: [String: Variable] = [
        "session": .session, "attempt": .attempt, "idempotency_key": .idempotencyKey,
        "submit_idempotency_key": .submitIdempotencyKey, "purpose": .purpose, "document_type": .documentType,
        "document": .document, "claims": .claims, "nonce": .nonce, "merchant_identifier": .merchantIdentifier,
        "team_identifier": .teamIdentifier, "evidence": .evidence, "evidence_sha256": .evidenceDigest,
        "reference": .reference, "now": .now,
    ]

    /// The variable of a name such as `session` or `kept.results_key`.
    init?(_ name: String) {
        if let plain = Variable.plain[name] {
            self = plain
            return
        }
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        switch parts[0] {
        case "variables": self = .configured(parts[1])
        case "credentials": self = .credential(parts[1])
        case "kept": self = .kept(parts[1])
        default: return nil
        }
    }

    /// What kind of value it has.
    var kind: Kind {
        switch self {
        case .nonce, .evidence, .evidenceDigest: .bytes
        case .now: .instant
        case .claims: .list
        case .session, .attempt, .idempotencyKey, .submitIdempotencyKey, .purpose, .documentType, .document,
            .merchantIdentifier, .teamIdentifier, .reference, .configured, .credential, .kept:
            .text
        }
    }

    /// The kinds of value, which decide what encodings there are.
    enum Kind: Sendable, Hashable {
        case text, bytes, instant, list
    }

    /// The name of the secret that it is, if it is one.
    var credential: CredentialName? {
        if case .credential(let name) = self { name } else { nil }
    }
}

/// How a value that is not text becomes text.
enum ValueEncoding: String, Sendable, CaseIterable, Hashable {
    case base64, hex, utf8, rfc3339, comma, space
    case base64URL = "base64url"
    case epochSeconds = "epoch_seconds"
    case epochMilliseconds = "epoch_milliseconds"

    /// The kind of value that it is for.
    var kind: Variable.Kind {
        switch self {
        case .base64, .base64URL, .hex, .utf8: .bytes
        case .rfc3339, .epochSeconds, .epochMilliseconds: .instant
        case .comma, .space: .list
        }
    }
}

/// A variable as a template names it: `{name}` or `{name:encoding}`.
struct VariableUse: Sendable, Hashable {
    var variable: Variable
    var encoding: ValueEncoding?

    var credential: CredentialName? { variable.credential }
}
