/// Why the wallet cannot do what it was asked.
public enum WalletError: Error, Sendable, Equatable {
    /// libcrypto refused; the name of the operation.
    case cryptography(String)
    /// A PEM or DER text that is not what it should be; what it should be.
    case unreadable(String)
    /// No fault or variant of that name.
    case unknownFault(String)
    /// The request asks for a document that this wallet does not hold.
    case documentUnavailable(String)
}
