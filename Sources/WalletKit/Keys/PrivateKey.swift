/// The kinds of key that the wallet can make; brainpool is there to be refused.
public enum KeyKind: String, Sendable, CaseIterable {
    case p256
    case p384
    case p521
    case ed25519
    case brainpoolP256 = "brainpool-p256"

    /// Bytes of a coordinate, and of the private number.
    public var width: Int {
        switch self {
        case .p256, .ed25519, .brainpoolP256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The COSE algorithm that goes with the key (RFC 9053): a fixed pair each.
    public var coseAlgorithm: Int64 {
        switch self {
        case .p256, .brainpoolP256: -7
        case .p384: -35
        case .p521: -36
        case .ed25519: -8
        }
    }

    /// The COSE curve (RFC 9053 section 7.1; 256 is brainpoolP256r1 as ISO/IEC 18013-5 has it).
    var coseCurve: Int64 {
        switch self {
        case .p256: 1
        case .p384: 2
        case .p521: 3
        case .ed25519: 6
        case .brainpoolP256: 256
        }
    }

    var digest: LibCrypto.Digest? {
        switch self {
        case .p256, .brainpoolP256: .sha256
        case .p384: .sha384
        case .p521: .sha512
        case .ed25519: nil
        }
    }

    /// The signature's AlgorithmIdentifier in a certificate.
    var signatureAlgorithm: [UInt8] {
        switch self {
        case .p256, .brainpoolP256: DER.sequence(DER.oid("1.2.840.10045.4.3.2"))
        case .p384: DER.sequence(DER.oid("1.2.840.10045.4.3.3"))
        case .p521: DER.sequence(DER.oid("1.2.840.10045.4.3.4"))
        case .ed25519: DER.sequence(DER.oid("1.3.101.112"))
        }
    }

    /// The key's AlgorithmIdentifier (RFC 5480, RFC 8410).
    var keyAlgorithm: [UInt8] {
        let key = DER.oid("1.2.840.10045.2.1")
        switch self {
        case .p256: return DER.sequence(key, DER.oid("1.2.840.10045.3.1.7"))
        case .p384: return DER.sequence(key, DER.oid("1.3.132.0.34"))
        case .p521: return DER.sequence(key, DER.oid("1.3.132.0.35"))
        case .brainpoolP256: return DER.sequence(key, DER.oid("1.3.36.3.3.2.8.1.1.7"))
        case .ed25519: return DER.sequence(DER.oid("1.3.101.112"))
        }
    }

    /// The kind of a group by libcrypto's name.
    init?(group: String?) {
        switch group {
        case "prime256v1": self = .p256
        case "secp384r1": self = .p384
        case "secp521r1": self = .p521
        case "brainpoolP256r1": self = .brainpoolP256
        default: return nil
        }
    }
}

/// A private key of the wallet's world: an issuer's, a device's or a merchant's. For tests; never a real one.
public struct PrivateKey: Sendable {
    /// Its kind.
    public let kind: KeyKind
    /// The uncompressed point, or the 32 bytes of Ed25519.
    public let publicBytes: [UInt8]
    /// PKCS#8 (RFC 5958).
    public let der: [UInt8]

    /// A new key.
    public init(_ kind: KeyKind, randomness: Randomness = .system) throws(WalletError) {
        var number = randomness.bytes(kind.width)
        // Keeps the number below the order of every curve here; a test key may lose eight bits.
        if kind != .ed25519 { number[0] = 0 }
        try self.init(kind, number: number)
    }

    /// A key by its private number (or Ed25519 seed).
    public init(_ kind: KeyKind, number: [UInt8]) throws(WalletError) {
        func wrapped(_ inner: [UInt8]) -> [UInt8] {
            DER.sequence(DER.integer([0]), kind.keyAlgorithm, DER.octets(inner))
        }
        guard kind != .ed25519 else {
            try self.init(kind, der: wrapped(DER.octets(number)))
            return
        }
        let bare = DER.sequence(DER.integer([1]), DER.octets(number))
        let point = try LibCrypto.publicBytes(privateKey: wrapped(bare))
        // With the point (RFC 5915): some readers do not compute it.
        let whole = DER.sequence(DER.integer([1]), DER.octets(number), DER.explicit(1, DER.bits(point)))
        try self.init(kind, der: wrapped(whole))
    }

    /// A key from PEM text: PKCS#8 (`PRIVATE KEY`) or, for an elliptic curve, SEC 1 (`EC PRIVATE KEY`).
    public init(pem: String) throws(WalletError) {
        let blocks = try PEM.decode(pem, label: "PRIVATE KEY") + PEM.decode(pem, label: "EC PRIVATE KEY")
        guard let der = blocks.first else { throw .unreadable("PEM private key") }
        if let kind = KeyKind(group: try LibCrypto.group(privateKey: der)) {
            try self.init(kind, number: LibCrypto.scalar(privateKey: der, width: kind.width))
        } else {
            try self.init(.ed25519, der: der)
        }
    }

    private init(_ kind: KeyKind, der: [UInt8]) throws(WalletError) {
        self.kind = kind
        self.der = der
        publicBytes = try LibCrypto.publicBytes(privateKey: der)
    }

    /// PKCS#8 as PEM.
    public var pem: String { PEM.encode(der, label: "PRIVATE KEY") }

    /// SubjectPublicKeyInfo (RFC 5280 section 4.1).
    public var publicKeyInfo: [UInt8] { PrivateKey.publicKeyInfo(kind, publicBytes) }

    static func publicKeyInfo(_ kind: KeyKind, _ publicBytes: [UInt8]) -> [UInt8] {
        DER.sequence(kind.keyAlgorithm, DER.bits(publicBytes))
    }

    /// SHA-1 of the key's bits: the usual key identifier (RFC 5280 section 4.2.1.2).
    package var identifier: [UInt8] {
        get throws(WalletError) { try LibCrypto.digest(publicBytes, .sha1) }
    }

    /// A signature as COSE has it: r‖s in fixed width, or Ed25519's 64 bytes (RFC 9053 section 2).
    func signCOSE(_ message: [UInt8]) throws(WalletError) -> [UInt8] {
        let signature = try LibCrypto.sign(message, privateKey: der, kind.digest)
        return kind == .ed25519 ? signature : try DER.rawSignature(signature, width: kind.width)
    }

    /// A signature as X.509 has it: DER, or Ed25519's 64 bytes.
    func signDER(_ message: [UInt8], _ digest: LibCrypto.Digest? = nil) throws(WalletError) -> [UInt8] {
        try LibCrypto.sign(message, privateKey: der, digest ?? kind.digest)
    }
}
