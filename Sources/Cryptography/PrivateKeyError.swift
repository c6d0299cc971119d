/// Why a file is not the private key that is needed; its description can be shown to an operator.
public enum PrivateKeyError: Error, Sendable, Equatable {
    /// The file is empty.
    case empty
    /// Neither PEM nor DER of anything known.
    case notAKey
    /// A PEM block, from this line on, cannot be decoded.
    case malformedPEM(line: Int)
    /// It looks like a private key but cannot be read.
    case malformed
    /// The key is encrypted with a passphrase.
    case encrypted
    /// It is a public key.
    case publicKey
    /// It is a certificate.
    case certificate
    /// There is more than one private key, and nothing says which is meant.
    case severalKeys
    /// The key is of another algorithm.
    case wrongAlgorithm(String)
    /// The key is on another curve.
    case wrongCurve(String)
    /// The key is of one kind (the first text) where another (the second) is needed.
    case wrongKind(String, needed: String)
    /// The key has fewer bits than are safe.
    case tooShort(bits: Int, least: Int)
    /// The private number is out of range, or the public point in the file is not its own.
    case inconsistent
}

extension PrivateKeyError: CustomStringConvertible {
    /// What is wrong and what is wanted.
    public var description: String {
        switch self {
        case .empty: "the file is empty; a private key is needed"
        case .notAKey: "this is neither PEM nor DER of a key; a private key is needed"
        case .malformedPEM(let line): "the PEM block at line \(line) cannot be decoded"
        case .malformed: "this looks like a private key but cannot be read"
        case .encrypted: "the private key is encrypted with a passphrase; write it without one into a protected place"
        case .publicKey: "this is a public key; the private key is needed"
        case .certificate: "this is a certificate; its private key is needed"
        case .severalKeys: "there are several private keys in one file; give each its own"
        case .wrongAlgorithm(let name): "this is an \(name) key; an EC key on P-256 is needed"
        case .wrongCurve(let name): "this EC key is on \(name); one on P-256 is needed"
        case .wrongKind(let found, let needed):
            "this is a key of the kind \(found); one of the kind \(needed) is needed"
        case .tooShort(let bits, let least): "this key has \(bits) bits; at least \(least) are needed"
        case .inconsistent: "the private and the public part of this key do not belong together"
        }
    }
}
