import COpenSSL

/// A private key that signs, bound to the one algorithm it signs with.
///
/// Neither its description nor its mirror shows the key, and no accessor gives it out.
public struct SigningPrivateKey: Sendable {
    /// The fewest bits of an RSA key (RFC 7518 §3.3).
    public static let leastRSABits = 2048

    /// The algorithm.
    public let algorithm: SignatureAlgorithm
    private let key: PKey

    /// Reads a file: PEM or DER, SEC1, PKCS#1 or PKCS#8, not encrypted.
    ///
    /// The key is checked in full: its kind is the algorithm's, and its private and public part belong together.
    public init(_ file: [UInt8], for algorithm: SignatureAlgorithm) throws(PrivateKeyError) {
        guard !file.isEmpty else { throw .empty }
        if PEM.isPresent(in: file) {
            var der = try PrivateKeyFile.der(ofPEM: file)
            defer { Wipe.bytes(&der) }
            self.key = try PrivateKeyFile.key(der: der)
        } else {
            self.key = try PrivateKeyFile.key(der: file)
        }
        self.algorithm = algorithm
        defer { ERR_clear_error() }
        if let curve = algorithm.curve {
            try Self.check(key.pointer, curve)
        } else {
            try Self.checkRSA(key.pointer)
        }
        guard PrivateKeyFile.isConsistent(key.pointer) else { throw .inconsistent }
    }

    private static func check(_ key: OpaquePointer, _ curve: Curve) throws(PrivateKeyError) {
        guard EVP_PKEY_is_a(key, "EC") == 1 else {
            throw .wrongKind(PrivateKeyFile.typeName(key), needed: "EC on \(curve.groupName)")
        }
        let name = PrivateKeyFile.commonName(PrivateKeyFile.groupName(key))
        guard name == curve.groupName else { throw .wrongKind("EC on \(name)", needed: "EC on \(curve.groupName)") }
    }

    private static func checkRSA(_ key: OpaquePointer) throws(PrivateKeyError) {
        // A key of the type RSA-PSS may restrict its own hash and salt; nothing needs one.
        guard EVP_PKEY_is_a(key, "RSA") == 1 else { throw .wrongKind(PrivateKeyFile.typeName(key), needed: "RSA") }
        let bits = Int(EVP_PKEY_get_bits(key))
        guard bits >= leastRSABits else { throw .tooShort(bits: bits, least: leastRSABits) }
    }

    /// The signature of `message`, in the form of RFC 7518: of ECDSA r and s of fixed width one after the other, of RSA
    /// as many bytes as the modulus has.
    public func signature(of message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8] {
        let made = withBytes(of: message) { sign($0) }
        guard let made else {
            ERR_clear_error()
            throw .failure
        }
        guard let curve = algorithm.curve else { return made }
        guard let raw = ECDSASignature.raw(der: made, width: curve.coordinateLength) else { throw .failure }
        return raw
    }

    private func sign(_ message: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var options: OpaquePointer?
        guard EVP_DigestSignInit_ex(context, &options, algorithm.hash.name, nil, nil, key.pointer, nil) == 1 else {
            return nil
        }
        if algorithm == .ps256 {
            guard EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return nil }
        }
        var length = 0
        guard EVP_DigestSign(context, nil, &length, message.baseAddress, message.count) == 1 else { return nil }
        var done = false
        let signature = [UInt8](unsafeUninitializedCapacity: length) { out, filled in
            done = EVP_DigestSign(context, out.baseAddress, &length, message.baseAddress, message.count) == 1
            filled = done ? length : 0
        }
        return done ? signature : nil
    }
}

extension SigningPrivateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same three signs.
    public var description: String { "***" }
    /// Always the same three signs.
    public var debugDescription: String { "***" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
