import COpenSSL

/// The wallet's seam to libcrypto: every raw pointer of WalletKit is in this file and none leaves it.
///
/// Written apart from the verifier's own seam on purpose: a mistake made in one must not be hidden by the other.
enum LibCrypto {
    /// A message digest.
    enum Digest: Sendable {
        case sha1, sha256, sha384, sha512

        fileprivate var md: OpaquePointer? {
            switch self {
            case .sha1: EVP_sha1()
            case .sha256: EVP_sha256()
            case .sha384: EVP_sha384()
            case .sha512: EVP_sha512()
            }
        }
    }

    /// The digest of `bytes`.
    static func digest(_ bytes: [UInt8], _ digest: Digest = .sha256) throws(WalletError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &output, &length, digest.md, nil) == 1 else {
            throw .cryptography("digest")
        }
        return Array(output.prefix(Int(length)))
    }

    /// HMAC-SHA256 (RFC 2104).
    static func hmac(key: [UInt8], _ bytes: [UInt8]) throws(WalletError) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        // An empty Swift array may give a null pointer, and HMAC reads a null key as "the key of last time".
        let padded = key.isEmpty ? [0] : key
        guard HMAC(EVP_sha256(), padded, Int32(key.count), bytes, bytes.count, &output, &length) != nil, length == 32
        else { throw .cryptography("hmac") }
        return output
    }

    /// Bytes from the system's generator.
    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// A signature: DER for an elliptic curve, 64 bytes for Ed25519 (which takes no digest).
    static func sign(_ message: [UInt8], privateKey der: [UInt8], _ digest: Digest?) throws(WalletError) -> [UInt8] {
        let key = try importPrivate(der)
        defer { EVP_PKEY_free(key) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit(context, nil, digest?.md, nil, key) == 1 else { throw .cryptography("sign: init") }
        var length = 0
        guard EVP_DigestSign(context, nil, &length, message, message.count) == 1 else {
            throw .cryptography("sign: length")
        }
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else {
            throw .cryptography("sign")
        }
        return Array(signature.prefix(length))
    }

    /// The uncompressed point of an elliptic-curve key, or the 32 bytes of an Ed25519 key.
    static func publicBytes(privateKey der: [UInt8]) throws(WalletError) -> [UInt8] {
        let key = try importPrivate(der)
        defer { EVP_PKEY_free(key) }
        if EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 {
            var raw = [UInt8](repeating: 0, count: 32)
            var length = 32
            guard EVP_PKEY_get_raw_public_key(key, &raw, &length) == 1 else { throw .cryptography("public key") }
            return raw
        }
        var point: UnsafeMutablePointer<UInt8>?
        let length = EVP_PKEY_get1_encoded_public_key(key, &point)
        defer { sekisho_wallet_free(point) }
        guard let point, length > 0 else { throw .cryptography("public key") }
        return Array(UnsafeBufferPointer(start: point, count: length))
    }

    /// The private number of an elliptic-curve key, in `width` bytes.
    static func scalar(privateKey der: [UInt8], width: Int) throws(WalletError) -> [UInt8] {
        let key = try importPrivate(der)
        defer { EVP_PKEY_free(key) }
        var number: OpaquePointer?
        defer { BN_clear_free(number) }
        guard EVP_PKEY_get_bn_param(key, "priv", &number) == 1 else { throw .cryptography("private number") }
        var bytes = [UInt8](repeating: 0, count: width)
        guard BN_bn2binpad(number, &bytes, Int32(width)) == Int32(width) else { throw .cryptography("private number") }
        return bytes
    }

    /// The name of an elliptic-curve key's group, such as `prime256v1`; `nil` for another kind of key.
    static func group(privateKey der: [UInt8]) throws(WalletError) -> String? {
        let key = try importPrivate(der)
        defer { EVP_PKEY_free(key) }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return nil }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The shared secret of ECDH: the x coordinate (RFC 9180 section 7.1.1).
    static func agree(privateKey der: [UInt8], peer info: [UInt8]) throws(WalletError) -> [UInt8] {
        let key = try importPrivate(der)
        defer { EVP_PKEY_free(key) }
        let peer: OpaquePointer? = info.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_PUBKEY(nil, &cursor, buffer.count)
        }
        defer { EVP_PKEY_free(peer) }
        let context = EVP_PKEY_CTX_new(key, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard peer != nil, EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer) == 1 else {
            throw .cryptography("agree: peer")
        }
        var length = 0
        guard EVP_PKEY_derive(context, nil, &length) == 1 else { throw .cryptography("agree: length") }
        var secret = [UInt8](repeating: 0, count: length)
        guard EVP_PKEY_derive(context, &secret, &length) == 1 else { throw .cryptography("agree") }
        return Array(secret.prefix(length))
    }

    /// AES-128-GCM: the ciphertext with its tag behind it.
    static func seal(
        _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], aad: [UInt8]
    ) throws(WalletError) -> [UInt8] {
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: plaintext.count + 32)
        var tag = [UInt8](repeating: 0, count: 16)
        var length: Int32 = 0
        guard key.count == 16, nonce.count == 12,
            EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), nil, key, nonce) == 1,
            aad.isEmpty || EVP_EncryptUpdate(context, nil, &length, aad, Int32(aad.count)) == 1,
            EVP_EncryptUpdate(context, &output, &length, plaintext, Int32(plaintext.count)) == 1
        else { throw .cryptography("seal") }
        var rest: Int32 = 0
        guard EVP_EncryptFinal_ex(context, &tag, &rest) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
        else { throw .cryptography("seal: tag") }
        return output.prefix(Int(length)) + tag
    }

    private static func importPrivate(_ der: [UInt8]) throws(WalletError) -> OpaquePointer {
        let key: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &cursor, buffer.count)
        }
        guard let key else { throw .cryptography("private key") }
        return key
    }
}
