import COpenSSL

/// A key pair of a test authority or signer.
final class TestKey {
    enum Kind {
        case p256, p384, p521, brainpoolP256, ed25519, rsa1024
    }

    let kind: Kind
    private let key: OpaquePointer

    init(_ kind: Kind = .p256) {
        self.kind = kind
        let type =
            switch kind {
            case .p256, .p384, .p521, .brainpoolP256: "EC"
            case .ed25519: "ED25519"
            case .rsa1024: "RSA"
            }
        let context = EVP_PKEY_CTX_new_from_name(nil, type, nil)
        defer { EVP_PKEY_CTX_free(context) }
        precondition(EVP_PKEY_keygen_init(context) == 1)
        switch kind {
        case .p256: EVP_PKEY_CTX_set_group_name(context, "P-256")
        case .p384: EVP_PKEY_CTX_set_group_name(context, "P-384")
        case .p521: EVP_PKEY_CTX_set_group_name(context, "P-521")
        case .brainpoolP256: EVP_PKEY_CTX_set_group_name(context, "brainpoolP256r1")
        case .rsa1024: EVP_PKEY_CTX_set_rsa_keygen_bits(context, 1024)
        case .ed25519: break
        }
        var made: OpaquePointer?
        precondition(EVP_PKEY_keygen(context, &made) == 1)
        key = made!
    }

    deinit { EVP_PKEY_free(key) }

    /// The SubjectPublicKeyInfo.
    var information: [UInt8] {
        var encoded: UnsafeMutablePointer<UInt8>?
        let length = i2d_PUBKEY(key, &encoded)
        defer { CRYPTO_free(encoded, nil, 0) }
        return Array(UnsafeBufferPointer(start: encoded, count: Int(length)))
    }

    /// The content of the key's bit string: what key identifiers are made of.
    var bits: [UInt8] {
        switch kind {
        case .p256, .brainpoolP256: Array(information.suffix(65))
        case .p384: Array(information.suffix(97))
        case .p521: Array(information.suffix(133))
        case .ed25519: Array(information.suffix(32))
        case .rsa1024: []
        }
    }

    /// SHA-1 of the key's bits.
    var identifier: [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        EVP_Digest(bits, bits.count, &digest, nil, EVP_sha1(), nil)
        return digest
    }

    /// The AlgorithmIdentifier of what `sign` makes.
    func algorithm(sha1: Bool = false) -> [UInt8] {
        switch kind {
        case .p256, .brainpoolP256: DER.sequence(DER.oid(sha1 ? "1.2.840.10045.4.1" : "1.2.840.10045.4.3.2"))
        case .p384: DER.sequence(DER.oid("1.2.840.10045.4.3.3"))
        case .p521: DER.sequence(DER.oid("1.2.840.10045.4.3.4"))
        case .ed25519: DER.sequence(DER.oid("1.3.101.112"))
        case .rsa1024: DER.sequence(DER.oid("1.2.840.113549.1.1.11"), [0x05, 0x00])
        }
    }

    func sign(_ message: [UInt8], sha1: Bool = false) -> [UInt8] {
        let digest: OpaquePointer? =
            switch kind {
            case .p256, .brainpoolP256: sha1 ? EVP_sha1() : EVP_sha256()
            case .p384: EVP_sha384()
            case .p521: EVP_sha512()
            case .rsa1024: EVP_sha256()
            case .ed25519: nil
            }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        precondition(EVP_DigestSignInit(context, nil, digest, nil, key) == 1)
        var length = 512
        var signature = [UInt8](repeating: 0, count: length)
        precondition(EVP_DigestSign(context, &signature, &length, message, message.count) == 1)
        return Array(signature.prefix(length))
    }
}
