/// The challenge that binds an answer of the wallet to one session: opaque bytes, used once.
public struct Nonce: Hashable, Sendable {
    /// How many bytes the gateway draws: 256 bits, half of what Apple's interface takes.
    public static let generatedLength = 32
    /// The longest nonce that the wallet takes, in bytes.
    public static let maximumLength = 64

    /// The raw bytes, as they stand in the session transcript.
    public let bytes: [UInt8]

    /// A nonce of 1 to ``maximumLength`` bytes; `nil` for any other length.
    public init?(_ bytes: [UInt8]) {
        guard (1...Nonce.maximumLength).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// A fresh nonce of ``generatedLength`` bytes.
    public static func random(using generator: inout some RandomNumberGenerator) -> Nonce {
        Nonce(drawn: randomBytes(generatedLength, using: &generator))
    }

    private init(drawn: [UInt8]) {
        self.bytes = drawn
    }

    /// Base64url without padding.
    public var base64URL: String { ByteText.base64URL(bytes) }
}

/// Bytes from a generator.
public func randomBytes(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
