public import VerificationCore

/// Whom the client trusts and how it shows itself. The peer's certificate and its name are always verified, with
/// TLS 1.2 at least; there is no setting that turns that off.
public struct TLSSettings: Sendable, Hashable {
    /// A file of certificate authorities in PEM, trusted instead of the system's; `nil` trusts the system's.
    public var certificateAuthorityFile: String?
    /// The certificate we show (mutual TLS).
    public var clientCertificate: ClientCertificate?

    /// Settings; without arguments the system's authorities and no certificate of ours.
    public init(certificateAuthorityFile: String? = nil, clientCertificate: ClientCertificate? = nil) {
        self.certificateAuthorityFile = certificateAuthorityFile
        self.clientCertificate = clientCertificate
    }
}

/// A certificate and its key, both in PEM.
public struct ClientCertificate: Sendable, Hashable {
    /// The certificate, and those between it and the authority, if any.
    public let certificate: [UInt8]
    /// The private key, unencrypted.
    public let key: Sensitive<[UInt8]>

    /// A certificate and its key.
    public init(certificate: [UInt8], key: Sensitive<[UInt8]>) {
        self.certificate = certificate
        self.key = key
    }

    /// Compares both parts.
    public static func == (left: ClientCertificate, right: ClientCertificate) -> Bool {
        left.certificate == right.certificate && left.key.withValue { one in right.key.withValue { one == $0 } }
    }

    /// Hashes the public part: a key belongs to one certificate.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(certificate)
    }
}
