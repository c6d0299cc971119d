package import Cryptography

/// DHKEM(P-256, HKDF-SHA256), the receiver's half (RFC 9180 §4.1).
package enum DHKEM {
    /// The length of the shared secret (RFC 9180 §7.1, Nsecret).
    static let secretLength = 32
    private static let label = Labelled(suiteID: Array("KEM".utf8) + [0x00, 0x10])

    /// The secret shared with whoever made `enc`.
    ///
    /// The point is checked before it is used: its form and its place on the curve by ``ECPublicKey`` (RFC 9180
    /// §7.1.4). On a curve of prime order the product is then never the point at infinity.
    package static func decapsulate(
        _ enc: some Collection<UInt8>, _ recipient: P256PrivateKey
    ) throws(HPKEError) -> [UInt8] {
        let peer: ECPublicKey
        do { peer = try ECPublicKey(curve: .p256, uncompressed: enc) } catch { throw .encapsulatedKeyInvalid }
        do {
            var secret = try recipient.sharedSecret(with: peer)
            defer { Wipe.bytes(&secret) }
            var prk = label.extract(salt: [], "eae_prk", secret)
            defer { Wipe.bytes(&prk) }
            return try label.expand(
                prk: prk, "shared_secret", peer.uncompressed + recipient.publicKey.uncompressed, length: secretLength)
        } catch { throw .openFailed }
    }
}
