import COpenSSL

/// Tells whether a private key and a certificate belong together, whatever the algorithm; neither is kept.
public enum CertificateKey {
    /// Whether the key of a file (PEM or DER, not encrypted) is the one that a certificate, in DER, speaks of. `false` also
    /// for a certificate that cannot be read.
    public static func matches(_ file: [UInt8], certificate: [UInt8]) throws(PrivateKeyError) -> Bool {
        guard !file.isEmpty else { throw .empty }
        let key: PKey
        if PEM.isPresent(in: file) {
            var der = try PrivateKeyFile.der(ofPEM: file)
            defer { Wipe.bytes(&der) }
            key = try PrivateKeyFile.key(der: der)
        } else {
            key = try PrivateKeyFile.key(der: file)
        }
        defer { ERR_clear_error() }
        let parsed = certificate.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            return d2i_X509(nil, &cursor, bytes.count)
        }
        guard let parsed else { return false }
        defer { X509_free(parsed) }
        guard X509_check_private_key(parsed, key.pointer) == 1 else { return false }
        // What was compared are the public parts: a private part that does not belong to its own would sign for nobody.
        guard PrivateKeyFile.isConsistent(key.pointer) else { throw .inconsistent }
        return true
    }
}
