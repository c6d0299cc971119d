import Cryptography
public import VerificationCore

/// A key that two parties share to sign webhooks. Nothing shows it.
public struct WebhookSecret: Sendable {
    /// How a Standard Webhooks secret begins in its text form.
    public static let standardPrefix = "whsec_"
    /// The lengths of a Standard Webhooks secret, in bytes (its specification: 192 to 512 bits).
    public static let standardLengths = 24...64
    /// The lengths that any other scheme's secret may have, in bytes. Below 128 bits a secret can be searched for.
    public static let lengths = 16...1024

    private let key: Sensitive<[UInt8]>

    /// A secret whose bytes are the key as they are; `nil` for a length outside ``lengths``.
    public init?(bytes: [UInt8]) {
        guard WebhookSecret.lengths.contains(bytes.count) else { return nil }
        self.key = Sensitive(bytes)
    }

    /// A Standard Webhooks secret from its text: `whsec_` and base64; `nil` for anything else.
    public init?(standard text: some Collection<UInt8>) {
        let prefix = Array(WebhookSecret.standardPrefix.utf8)
        guard text.starts(with: prefix),
            let bytes = ByteText.bytes(base64: String(decoding: text.dropFirst(prefix.count), as: UTF8.self)),
            WebhookSecret.standardLengths.contains(bytes.count)
        else { return nil }
        self.key = Sensitive(bytes)
    }

    /// A fresh Standard Webhooks secret of 32 bytes, in its text form.
    public static func standardText(using generator: inout some RandomNumberGenerator) -> Sensitive<String> {
        Sensitive(standardPrefix + ByteText.base64(randomBytes(32, using: &generator)))
    }

    /// The HMAC-SHA256 of parts, one after another.
    func code(of parts: [ArraySlice<UInt8>]) -> [UInt8] {
        key.withValue { HMACSHA256.authenticationCode(ofParts: parts, key: $0) }
    }
}

/// The secrets that are good at one time: one, or during a rotation the old and the new side by side.
public struct WebhookSecrets: Sendable {
    /// The most secrets at once: each costs a hash of the body.
    public static let most = 4

    /// The secrets, the one to sign with first.
    public let secrets: [WebhookSecret]

    /// One to ``most`` secrets; `nil` for none or more.
    public init?(_ secrets: [WebhookSecret]) {
        guard (1...WebhookSecrets.most).contains(secrets.count) else { return nil }
        self.secrets = secrets
    }

    /// Whether one of the candidates is the code of the parts under one of the secrets.
    ///
    /// Every pair is compared, in constant time each, so that the time tells neither which secret nor which place.
    func anyMatches(_ candidates: [[UInt8]], over parts: [ArraySlice<UInt8>]) -> Bool {
        var found = false
        for secret in secrets {
            let code = secret.code(of: parts)
            for candidate in candidates {
                let equal = constantTimeEquals(candidate, code)
                found = found || equal
            }
        }
        return found
    }
}
