import COpenSSL

/// A public key for EdDSA on Ed25519 (RFC 8032).
public struct Ed25519PublicKey: Sendable {
    /// The number of bytes of a key.
    public static let length = 32
    /// The number of bytes of a signature.
    public static let signatureLength = 64

    /// The key as its 32 bytes.
    public let raw: [UInt8]
    private let key: PKey

    /// Reads a key of exactly 32 bytes.
    public init(_ raw: some Collection<UInt8>) throws(CryptographyError) {
        guard raw.count == Self.length else { throw .invalidKey }
        self.raw = Array(raw)
        guard let made = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, self.raw, self.raw.count) else {
            ERR_clear_error()
            throw .invalidKey
        }
        self.key = PKey(owning: made)
    }

    /// Whether `signature` is this key's over `message`.
    public func verify(signature: some Collection<UInt8>, over message: some Collection<UInt8>) -> Bool {
        guard signature.count == Self.signatureLength else { return false }
        return withBytes(of: signature) { signature in
            withBytes(of: message) { message in verify(signature, message) }
        }
    }

    private func verify(_ signature: UnsafeBufferPointer<UInt8>, _ message: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, key.pointer, nil) == 1 else { return false }
        if EVP_DigestVerify(context, signature.baseAddress, signature.count, message.baseAddress, message.count) == 1 {
            return true
        }
        ERR_clear_error()
        return false
    }
}

extension Ed25519PublicKey: Hashable {
    /// Two keys are equal when their bytes are.
    public static func == (left: Ed25519PublicKey, right: Ed25519PublicKey) -> Bool {
        left.raw == right.raw
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(raw)
    }
}
