public import CBOR
public import Cryptography

/// A public key that verifies (RFC 9052 §7, RFC 9053 §7.1 and §7.2).
public enum COSEKey: Sendable, Hashable {
    /// A key on P-256, P-384 or P-521.
    case ec(ECPublicKey)
    /// A key on Ed25519.
    case ed25519(Ed25519PublicKey)

    /// The labels of key parameters (RFC 9052 table 4, RFC 9053 tables 18 to 21).
    private enum Label {
        static let keyType: Int64 = 1
        static let algorithm: Int64 = 3
        static let operations: Int64 = 4
        static let curve: Int64 = -1
        static let x: Int64 = -2
        static let y: Int64 = -3
        static let privatePart: Int64 = -4
    }

    /// More parameters than this are not a key; the largest known has 7.
    static let greatestCount = 64

    /// Reads a COSE_Key. Parameters that we do not know are ignored, as RFC 9052 §7 asks.
    ///
    /// A key with its private part is refused: whoever has sent it has given the key away.
    public init(item: CBORItem) throws(COSEError) {
        guard item.kind == .map, item.count <= COSEKey.greatestCount, item[Label.privatePart] == nil else {
            throw .malformed
        }
        for (label, _) in item.pairs where !COSELabel.isLabel(label) { throw .malformed }
        switch try COSEKey.number(item[Label.keyType]) {
        case 1: self = .ed25519(try COSEKey.octetPair(item))
        case 2: self = .ec(try COSEKey.ellipticCurve(item))
        default: throw .algorithmUnsupported
        }
        try checkUse(item)
    }

    /// The one algorithm the key goes with.
    public var algorithm: COSEAlgorithm {
        switch self {
        case .ed25519: .edDSA
        case .ec(let key):
            switch key.curve {
            case .p256: .es256
            case .p384: .es384
            case .p521: .es512
            }
        }
    }

    /// Whether a signature of an algorithm is this key's over a message.
    ///
    /// Algorithm and curve go in fixed pairs; for any other pair there is no answer.
    public func verify(
        signature: some Collection<UInt8>, over message: some Collection<UInt8>, algorithm: COSEAlgorithm
    ) throws(COSEError) -> Bool {
        guard algorithm == self.algorithm else { throw .algorithmUnsupported }
        switch self {
        case .ed25519(let key): return key.verify(signature: signature, over: message)
        case .ec(let key):
            guard let hash = algorithm.hash else { throw .algorithmUnsupported }
            return key.verify(signature: signature, over: message, hash: hash)
        }
    }

    /// RFC 9053 §7.1.1; curves of IANA's registry "COSE Elliptic Curves".
    private static func ellipticCurve(_ item: CBORItem) throws(COSEError) -> ECPublicKey {
        let curve: Curve
        switch try number(item[Label.curve]) {
        case 1: curve = .p256
        case 2: curve = .p384
        case 3: curve = .p521
        default: throw .algorithmUnsupported
        }
        guard let y = item[Label.y] else { throw .malformed }
        // A sign bit for y: compressed points are well-formed, but ISO/IEC 18013-5 §9.1.2.4 keys come with both.
        if y.kind == .boolean { throw .algorithmUnsupported }
        let (xBytes, yBytes) = (try bytes(item[Label.x]), try bytes(y))
        do throws(CryptographyError) {
            return try ECPublicKey(curve: curve, x: xBytes, y: yBytes)
        } catch {
            throw COSEKey.refusal(error)
        }
    }

    /// RFC 9053 §7.2.
    private static func octetPair(_ item: CBORItem) throws(COSEError) -> Ed25519PublicKey {
        guard try number(item[Label.curve]) == 6 else { throw .algorithmUnsupported }
        let x = try bytes(item[Label.x])
        do throws(CryptographyError) {
            return try Ed25519PublicKey(x)
        } catch {
            throw COSEKey.refusal(error)
        }
    }

    private static func refusal(_ error: CryptographyError) -> COSEError {
        switch error {
        case .unsupported: .algorithmUnsupported
        // Importing checks lengths, form and curve; the other cases are here so that nothing passes by omission.
        case .invalidKey, .invalidPoint, .malformed, .authenticationFailed, .failure: .malformed
        }
    }

    /// RFC 9052 §7.1: where the key says what it is for, that must be what it is used for.
    private func checkUse(_ item: CBORItem) throws(COSEError) {
        if let stated = item[Label.algorithm], try COSEAlgorithm(item: stated) != algorithm {
            throw .algorithmUnsupported
        }
        guard let operations = item[Label.operations] else { return }
        guard operations.kind == .array else { throw .malformed }
        let verify: Int64 = 2
        for operation in operations.items where (try? operation.integer()) == verify { return }
        throw .malformed
    }

    /// A curve or key type: a number, or a text, which is none of ours (0 is reserved in both registries).
    private static func number(_ item: CBORItem?) throws(COSEError) -> Int64 {
        switch item?.kind {
        case .unsigned, .negative: return (try? item?.integer()) ?? 0
        case .text: return 0
        default: throw .malformed
        }
    }

    private static func bytes(_ item: CBORItem?) throws(COSEError) -> ArraySlice<UInt8> {
        guard let item, let bytes = try? item.bytes() else { throw .malformed }
        return bytes
    }
}
