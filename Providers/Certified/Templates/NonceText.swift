import VerificationCore

/// Nonces as text.
enum NonceText {
    /// How many bytes the gateway's nonce has where the provider takes the bytes of a text.
    static let textLength = 43

    /// The bytes that a provider's text stands for; `nil` where it is not of the form.
    static func bytes(_ text: String, as form: NonceForm) -> [UInt8]? {
        switch form {
        case .base64URL, .base64: ByteText.bytes(base64: text)
        case .hex: ByteText.bytes(hex: text)
        case .utf8: Array(text.utf8)
        }
    }

    /// The nonce that goes into the wallet request and the transcript, made of the gateway's own: where the provider
    /// takes the bytes of a text, the text's. One that is text already stays, so that two such verifiers share it.
    static func travelling(_ nonce: Nonce, as form: NonceForm) -> Nonce? {
        guard form == .utf8, !isPlainText(nonce.bytes) else { return nonce }
        return Nonce(Array(nonce.base64URL.utf8))
    }

    /// Whether bytes are printable ASCII, which 32 random bytes practically never are.
    static func isPlainText(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (0x21...0x7E).contains($0) } }
}
