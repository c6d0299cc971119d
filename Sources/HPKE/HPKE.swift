public import Cryptography

/// Hybrid public key encryption (RFC 9180) as the wallet uses it: base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256
/// and AES-128-GCM, one message for one encapsulated key.
public enum HPKE {
    /// The number of bytes of an encapsulated key: an uncompressed point (RFC 9180 §7.1, Nenc).
    public static let encapsulatedKeyLength = 65

    /// Opens the only message that was sealed with `enc` (RFC 9180 §6.1, `OpenBase`; sequence number 0).
    ///
    /// Every ciphertext that is not exactly what was sealed fails alike, and no byte of it is given out.
    public static func open(
        enc: ArraySlice<UInt8>, ciphertext: ArraySlice<UInt8>, recipient: P256PrivateKey, info: [UInt8],
        aad: [UInt8] = []
    ) throws(HPKEError) -> [UInt8] {
        var shared = try DHKEM.decapsulate(enc, recipient)
        defer { Wipe.bytes(&shared) }
        let schedule = KeySchedule(.aes128GCM, sharedSecret: shared, info: info)
        let key = SecretBytes(try schedule.key())
        let nonce = try schedule.baseNonce()
        do { return try AESGCM.open(ciphertext, key: key.bytes, nonce: nonce, aad: aad) } catch { throw .openFailed }
    }
}
