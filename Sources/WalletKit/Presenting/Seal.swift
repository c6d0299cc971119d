/// HPKE base mode, the sender's half (RFC 9180): DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, one message.
///
/// Written from the RFC, apart from the verifier's half.
public enum Seal {
    /// What the sender gives: the encapsulated key and the ciphertext with its tag.
    public struct Output: Sendable, Hashable {
        /// `enc`, an uncompressed point.
        public var encapsulated: [UInt8]
        /// Ciphertext and tag.
        public var ciphertext: [UInt8]
    }

    /// Seals one message to the holder of `recipient` (an uncompressed P-256 point).
    public static func seal(
        _ plaintext: [UInt8], to recipient: [UInt8], info: [UInt8], aad: [UInt8] = [], ephemeral: PrivateKey
    ) throws(WalletError) -> Output {
        let shared = try sharedSecret(recipient: recipient, ephemeral: ephemeral)
        let pskHash = try extract(salt: [], label: "psk_id_hash", [], suite: suite)
        let infoHash = try extract(salt: [], label: "info_hash", info, suite: suite)
        let context = [0x00] + pskHash + infoHash
        let secret = try extract(salt: shared, label: "secret", [], suite: suite)
        let key = try expand(secret, label: "key", context, length: 16, suite: suite)
        let nonce = try expand(secret, label: "base_nonce", context, length: 12, suite: suite)
        let ciphertext = try LibCrypto.seal(plaintext, key: key, nonce: nonce, aad: aad)
        return Output(encapsulated: ephemeral.publicBytes, ciphertext: ciphertext)
    }

    // KEM 0x0010, KDF 0x0001, AEAD 0x0001 (RFC 9180 section 7).
    private static let kemSuite: [UInt8] = Array("KEM".utf8) + [0x00, 0x10]
    private static let suite: [UInt8] = Array("HPKE".utf8) + [0x00, 0x10, 0x00, 0x01, 0x00, 0x01]

    /// Encap of DHKEM (section 4.1).
    private static func sharedSecret(recipient: [UInt8], ephemeral: PrivateKey) throws(WalletError) -> [UInt8] {
        let agreed = try LibCrypto.agree(
            privateKey: ephemeral.der, peer: PrivateKey.publicKeyInfo(.p256, recipient))
        let context = ephemeral.publicBytes + recipient
        let extracted = try extract(salt: [], label: "eae_prk", agreed, suite: kemSuite)
        return try expand(extracted, label: "shared_secret", context, length: 32, suite: kemSuite)
    }

    /// LabeledExtract (section 4).
    private static func extract(
        salt: [UInt8], label: String, _ material: [UInt8], suite: [UInt8]
    ) throws(WalletError) -> [UInt8] {
        let labelled = Array("HPKE-v1".utf8) + suite + Array(label.utf8) + material
        return try LibCrypto.hmac(key: salt, labelled)
    }

    /// LabeledExpand (section 4); one block of HMAC-SHA256 is enough for every length here.
    private static func expand(
        _ secret: [UInt8], label: String, _ info: [UInt8], length: Int, suite: [UInt8]
    ) throws(WalletError) -> [UInt8] {
        var labelled: [UInt8] = [UInt8(length >> 8), UInt8(length & 0xFF)]
        labelled += Array("HPKE-v1".utf8) + suite + Array(label.utf8) + info
        labelled.append(0x01)
        return Array(try LibCrypto.hmac(key: secret, labelled).prefix(length))
    }
}
