import COpenSSL

/// The least that OpenSSL itself needs for the cryptography of one verification: every algorithm fetched, every key
/// imported and every context made before the clock starts, and none of our code in between.
///
/// It is lower than anybody can get: a verification meets two points that nobody has seen before, the wallet's ephemeral
/// key and the device's key, and their import, with the proof that they are on the curve, is not counted here.
final class OpenSSLFloor {
    /// How much of each primitive one verification needs.
    struct Work {
        /// The lengths of the messages that are hashed, in bytes.
        var hashed: [Int]
        /// The length of the ciphertext without its tag, in bytes.
        var ciphertext: Int
        /// Signatures: the issuer's and the device's.
        var signatures = 2
        /// HMACs of HPKE's key schedule: three labelled extractions, four labelled expansions.
        var authenticationCodes = 7
    }

    struct Failure: Error {}

    private let work: Work
    private let sha256 = EVP_MD_fetch(nil, "SHA256", nil)
    private let gcm = EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
    private let digest = EVP_MD_CTX_new()
    private let cipher = EVP_CIPHER_CTX_new()
    private let derive: OpaquePointer
    private let verify: OpaquePointer
    private let hmac: OpaquePointer
    private var signature: [UInt8]
    private let message: [UInt8]
    private let plaintext: [UInt8]
    private var sealed: [UInt8]
    private var tag = [UInt8](repeating: 0, count: 16)
    private let key = [UInt8](repeating: 7, count: 32)

    init(_ work: Work) throws {
        self.work = work
        message = [UInt8](repeating: 3, count: max(work.hashed.max() ?? 0, 32))
        plaintext = [UInt8](repeating: 5, count: work.ciphertext)
        sealed = plaintext
        guard let ours = freshP256Key(), let theirs = freshP256Key(),
            let derive = EVP_PKEY_CTX_new(ours, nil), EVP_PKEY_derive_init(derive) == 1,
            EVP_PKEY_derive_set_peer(derive, theirs) == 1,
            let signer = EVP_PKEY_CTX_new(ours, nil), EVP_PKEY_sign_init(signer) == 1,
            let verify = EVP_PKEY_CTX_new(ours, nil), EVP_PKEY_verify_init(verify) == 1,
            let algorithm = EVP_MAC_fetch(nil, "HMAC", nil), let hmac = EVP_MAC_CTX_new(algorithm),
            sekisho_hmac_use_sha256(hmac) == 1
        else { throw Failure() }
        self.derive = derive
        self.verify = verify
        self.hmac = hmac
        var length = 128
        signature = [UInt8](repeating: 0, count: length)
        guard EVP_PKEY_sign(signer, &signature, &length, message, 32) == 1 else { throw Failure() }
        signature.removeLast(signature.count - length)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex2(cipher, gcm, key, message, nil) == 1,
            EVP_EncryptUpdate(cipher, &sealed, &count, plaintext, Int32(plaintext.count)) == 1,
            EVP_EncryptFinal_ex(cipher, &sealed, &count) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, 16, &tag) == 1
        else { throw Failure() }
    }

    /// Does the work once.
    func run() throws {
        var secret = [UInt8](repeating: 0, count: 32)
        var secretLength = 32
        guard EVP_PKEY_derive(derive, &secret, &secretLength) == 1 else { throw Failure() }
        for _ in 0..<work.signatures {
            guard EVP_PKEY_verify(verify, signature, signature.count, message, 32) == 1 else { throw Failure() }
        }
        var output = [UInt8](repeating: 0, count: 32)
        for length in work.hashed {
            guard EVP_DigestInit_ex2(digest, sha256, nil) == 1, EVP_DigestUpdate(digest, message, length) == 1,
                EVP_DigestFinal_ex(digest, &output, nil) == 1
            else { throw Failure() }
        }
        var written = 0
        for _ in 0..<work.authenticationCodes {
            guard EVP_MAC_init(hmac, key, 32, nil) == 1, EVP_MAC_update(hmac, message, 32) == 1,
                EVP_MAC_final(hmac, &output, &written, 32) == 1
            else { throw Failure() }
        }
        var opened = [UInt8](repeating: 0, count: sealed.count)
        var count: Int32 = 0
        guard EVP_DecryptInit_ex2(cipher, gcm, key, message, nil) == 1,
            EVP_DecryptUpdate(cipher, &opened, &count, sealed, Int32(sealed.count)) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, 16, &tag) == 1,
            EVP_DecryptFinal_ex(cipher, &opened, &count) == 1
        else { throw Failure() }
    }
}

private func freshP256Key() -> OpaquePointer? {
    guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
        EVP_PKEY_generate(context, &key) == 1
    else { return nil }
    return key
}
