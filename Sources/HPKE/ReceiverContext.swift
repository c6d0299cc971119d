package import Cryptography

/// A receiver's context of RFC 9180 §5.2: opens messages in their order, and exports secrets.
///
/// The wallet sends one message to one key, so the gateway itself needs only ``HPKE/open(enc:ciphertext:recipient:info:aad:)``.
package struct ReceiverContext: ~Copyable {
    private let suite: CipherSuite
    private let key: SecretBytes
    private let baseNonce: [UInt8]
    private let exporterSecret: SecretBytes
    private var sequence: UInt64

    /// `SetupBaseR` (RFC 9180 §5.1.1).
    package init(
        _ suite: CipherSuite, enc: [UInt8], recipient: P256PrivateKey, info: [UInt8], sequence: UInt64 = 0
    ) throws(HPKEError) {
        var shared = try DHKEM.decapsulate(enc, recipient)
        defer { Wipe.bytes(&shared) }
        let schedule = KeySchedule(suite, sharedSecret: shared, info: info)
        let key = SecretBytes(try schedule.key())
        let baseNonce = try schedule.baseNonce()
        let exporterSecret = SecretBytes(try schedule.exporterSecret())
        self.suite = suite
        self.key = key
        self.baseNonce = baseNonce
        self.exporterSecret = exporterSecret
        self.sequence = sequence
    }

    /// Opens the next message; a message that does not open uses up no number.
    package mutating func open(_ ciphertext: [UInt8], aad: [UInt8]) throws(HPKEError) -> [UInt8] {
        guard suite.aead != .exportOnly else { throw .unsupported }
        // The RFC allows 2^96 − 1 messages; a number of 64 bits ends sooner, and is as far away.
        guard sequence < .max else { throw .messageLimitReached }
        let plaintext: [UInt8]
        do { plaintext = try AESGCM.open(ciphertext, key: key.bytes, nonce: nonce(), aad: aad) } catch {
            throw .openFailed
        }
        sequence += 1
        return plaintext
    }

    /// A secret of `length` bytes bound to this context (RFC 9180 §5.3).
    package func export(_ context: [UInt8], length: Int) throws(HPKEError) -> [UInt8] {
        do { return try suite.label.expand(prk: exporterSecret.bytes, "sec", context, length: length) } catch {
            throw .unsupported
        }
    }

    private func nonce() -> [UInt8] {
        var nonce = baseNonce
        for place in 0..<8 {
            nonce[nonce.count - 1 - place] ^= UInt8(truncatingIfNeeded: sequence >> (8 * UInt64(place)))
        }
        return nonce
    }
}
