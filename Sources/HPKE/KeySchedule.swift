package import Cryptography

/// The key schedule of base mode (RFC 9180 §5.1): from a shared secret and `info` to everything else.
package struct KeySchedule {
    private static let modeBase: UInt8 = 0x00

    let suite: CipherSuite
    /// `key_schedule_context`.
    package let context: [UInt8]
    /// `secret`.
    package let secret: SecretBytes

    package init(_ suite: CipherSuite, sharedSecret: [UInt8], info: [UInt8]) {
        self.suite = suite
        context = [Self.modeBase] + suite.emptyPSKIDHash + suite.label.extract(salt: [], "info_hash", info)
        secret = SecretBytes(suite.label.extract(salt: sharedSecret, "secret", []))
    }

    /// The key of the cipher.
    package func key() throws(HPKEError) -> [UInt8] {
        try expand("key", length: suite.aead.keyLength)
    }

    /// The nonce that every sequence number is combined with.
    package func baseNonce() throws(HPKEError) -> [UInt8] {
        try expand("base_nonce", length: suite.aead.nonceLength)
    }

    /// The secret that exported secrets come from.
    package func exporterSecret() throws(HPKEError) -> [UInt8] {
        try expand("exp", length: HMACSHA256.length)
    }

    private func expand(_ label: StaticString, length: Int) throws(HPKEError) -> [UInt8] {
        do { return try suite.label.expand(prk: secret.bytes, label, context, length: length) } catch {
            throw .unsupported
        }
    }
}
