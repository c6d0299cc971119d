import COpenSSL

/// A private key on P-256, for agreement (ECDH) only.
///
/// Neither its description nor its mirror shows the key, and no accessor gives it out.
public struct P256PrivateKey: Sendable {
    /// The public key.
    public let publicKey: ECPublicKey
    private let key: PKey

    /// Reads a file: PEM or DER, SEC1 (RFC 5915) or PKCS#8 (RFC 5958), not encrypted.
    ///
    /// Certificates and EC parameters beside the key in a PEM file are passed over. The key is checked in full: the
    /// private number is in range and the public point is its own.
    public init(_ file: [UInt8]) throws(PrivateKeyError) {
        guard !file.isEmpty else { throw .empty }
        if PEM.isPresent(in: file) {
            try self.init(pem: file)
        } else {
            try self.init(der: file)
        }
    }

    /// Reads PEM text.
    public init(pem file: [UInt8]) throws(PrivateKeyError) {
        var der = try PrivateKeyFile.der(ofPEM: file)
        defer { Wipe.bytes(&der) }
        try self.init(der: der)
    }

    /// Reads DER: one key and nothing after it.
    public init(der: [UInt8]) throws(PrivateKeyError) {
        let key = try PrivateKeyFile.key(der: der)
        defer { ERR_clear_error() }
        let made = key.pointer
        guard EVP_PKEY_is_a(made, "EC") == 1 else { throw .wrongAlgorithm(PrivateKeyFile.typeName(made)) }
        let group = PrivateKeyFile.groupName(made)
        guard group == "prime256v1" else { throw .wrongCurve(PrivateKeyFile.commonName(group)) }
        guard PrivateKeyFile.isConsistent(made) else { throw .inconsistent }
        guard let x = Self.number(made, OSSL_PKEY_PARAM_EC_PUB_X), let y = Self.number(made, OSSL_PKEY_PARAM_EC_PUB_Y)
        else { throw .malformed }
        do { publicKey = try ECPublicKey(curve: .p256, x: x, y: y) } catch { throw .inconsistent }
        self.key = key
    }

    /// The key of a private number of 32 bytes, big-endian; tests have keys in this form.
    package init(scalar: [UInt8]) throws(PrivateKeyError) {
        guard scalar.count == Curve.p256.coordinateLength else { throw .malformed }
        // ECPrivateKey (RFC 5915 §3): version 1, the number, the curve's object identifier.
        var der: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
        der.reserveCapacity(der.count + scalar.count + 12)
        der += scalar
        der += [0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
        defer { Wipe.bytes(&der) }
        try self.init(der: der)
    }

    /// The x coordinate of the product of this key and a peer's point (SEC 1 §3.3.1).
    ///
    /// The peer is not checked again here: an ``ECPublicKey`` cannot exist off its curve.
    public func sharedSecret(with peer: ECPublicKey) throws(CryptographyError) -> [UInt8] {
        guard peer.curve == .p256 else { throw .invalidKey }
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { throw .failure }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer_ex(context, peer.key.pointer, 0) == 1 else {
            ERR_clear_error()
            throw .failure
        }
        var length = Curve.p256.coordinateLength
        var status: Int32 = 0
        let secret = [UInt8](unsafeUninitializedCapacity: length) { out, filled in
            status = EVP_PKEY_derive(context, out.baseAddress, &length)
            filled = status == 1 ? length : 0
        }
        guard status == 1, secret.count == Curve.p256.coordinateLength else {
            ERR_clear_error()
            throw .failure
        }
        return secret
    }
}

extension P256PrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same three signs.
    public var description: String { "***" }
    /// Always the same three signs.
    public var debugDescription: String { "***" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
