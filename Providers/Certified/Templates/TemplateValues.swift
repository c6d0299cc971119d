import Cryptography
import VerificationCore

/// What variables stand for.
protocol VariableValues {
    /// The value of a variable; `nil` where there is none.
    func value(of variable: Variable) -> TemplateValues.Value?
}

/// What the variables of a template stand for in one call.
struct TemplateValues: VariableValues, Sendable {
    var access: ProviderAccess
    var attempt: AttemptContext
    var request: VerificationRequest
    /// The provider's words for document and claims.
    var document: String?
    var claims: [String]
    /// The nonce as it goes into the transcript.
    var nonce: Nonce?
    var identity: WalletIdentity?
    var evidence: Evidence?
    var reference: String?
    var kept: [String: String] = [:]

    enum Value {
        case text(String)
        case bytes([UInt8])
        case integer(Int64)
        case boolean(Bool)
        case instant(Timestamp)
        case list([String])
    }

    /// The value of a variable; `nil` where this call has none.
    func value(of variable: Variable) -> Value? {
        switch variable {
        case .session: .text(request.session.rawValue)
        case .attempt: .text(attempt.attempt.rawValue)
        case .idempotencyKey: .text(attempt.idempotencyKey)
        case .submitIdempotencyKey: .text("\(attempt.attempt.rawValue)-\(CallName(.submit).rawValue)")
        case .purpose: .text(request.purpose.id.rawValue)
        case .documentType: .text(request.documentType)
        case .document: document.map(Value.text)
        case .claims: .list(claims)
        case .nonce: nonce.map { .bytes($0.bytes) }
        case .merchantIdentifier: identity.map { .text($0.merchantIdentifier) }
        case .teamIdentifier: identity.map { .text($0.teamIdentifier) }
        case .evidence: evidence.map { .bytes($0.encryptedData.withValue { $0 }) }
        case .evidenceDigest: evidence.map { .bytes($0.encryptedData.withValue { Hash.sha256($0) }) }
        case .reference: reference.map(Value.text)
        case .now: .instant(attempt.now)
        case .configured(let name): access.variables[name].map(Value.init)
        case .credential(let name): access.text(of: name).map(Value.text)
        case .kept(let name): kept[name].map(Value.text)
        }
    }
}

extension TemplateValues.Value {
    init(_ value: VariableValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .boolean(let flag): self = .boolean(flag)
        }
    }

    /// The value as text; `nil` where it has no such form.
    func text(_ encoding: ValueEncoding?) -> String? {
        switch (self, encoding) {
        case (.text(let text), nil): text
        case (.integer(let number), nil): String(number)
        case (.boolean(let flag), nil): flag ? "true" : "false"
        case (.bytes(let bytes), .base64): ByteText.base64(bytes)
        case (.bytes(let bytes), .base64URL): ByteText.base64URL(bytes)
        case (.bytes(let bytes), .hex): ByteText.hex(bytes)
        // What is no text cannot be sent as one: a replacement character would be another nonce.
        case (.bytes(let bytes), .utf8): String(validating: bytes, as: UTF8.self)
        case (.instant(let time), .rfc3339): RFC3339.text(time, fraction: false)
        case (.instant(let time), .epochSeconds): String(time.milliseconds / 1000)
        case (.instant(let time), .epochMilliseconds): String(time.milliseconds)
        case (.list(let texts), .comma): texts.joined(separator: ",")
        case (.list(let texts), .space): texts.joined(separator: " ")
        default: nil
        }
    }
}

extension ProviderAccess {
    /// A secret that is used as text; `nil` where it is none.
    func text(of credential: CredentialName) -> String? {
        credentials[credential]?.withValue { String(validating: $0, as: UTF8.self) }
    }
}
