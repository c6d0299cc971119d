import COpenSSL
import CTLS
import Foundation

/// A throw-away certificate authority, and what it issues.
final class TestAuthority: Sendable {
    /// A certificate and its key in PEM.
    struct Identity: Sendable {
        let certificate: [UInt8]
        let key: [UInt8]
    }

    /// The authority's own certificate and key.
    let own: Identity
    /// A file with the authority's certificate.
    let file: String

    init(_ name: String = "Test authority") {
        let key = Self.makeKey()
        defer { EVP_PKEY_free(key) }
        let certificate = Self.certificate(
            subject: name, key: key, signedBy: key, issuer: nil, days: -1...30,
            extensions: [(NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign")])
        defer { X509_free(certificate) }
        own = Self.identity(certificate, key)
        file =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("sekisho-authority-\(UUID().uuidString).pem").path
        _ = FileManager.default.createFile(atPath: file, contents: Data(own.certificate))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: file)
    }

    /// A certificate for these names (`DNS:localhost`, `IP:127.0.0.1`).
    func issue(
        _ names: String = "DNS:localhost,IP:127.0.0.1", days: ClosedRange<Int> = -1...10, usage: String = "serverAuth"
    ) -> Identity {
        let key = Self.makeKey()
        let signer = Self.readKey(own.key)
        let issuer = Self.readCertificate(own.certificate)
        defer {
            EVP_PKEY_free(key)
            EVP_PKEY_free(signer)
            X509_free(issuer)
        }
        let certificate = Self.certificate(
            subject: "leaf", key: key, signedBy: signer, issuer: issuer, days: days,
            extensions: [(NID_subject_alt_name, names), (NID_ext_key_usage, usage)])
        defer { X509_free(certificate) }
        return Self.identity(certificate, key)
    }

    private static func makeKey() -> OpaquePointer? {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        precondition(EVP_PKEY_keygen_init(context) == 1)
        precondition(EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1)
        precondition(EVP_PKEY_keygen(context, &key) == 1)
        return key
    }

    private static func certificate(
        subject: String, key: OpaquePointer?, signedBy signer: OpaquePointer?, issuer: OpaquePointer?,
        days: ClosedRange<Int>, extensions: [(Int32, String)]
    ) -> OpaquePointer? {
        let certificate = X509_new()
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), Int.random(in: 1...Int(Int32.max)))
        X509_gmtime_adj(X509_getm_notBefore(certificate), days.lowerBound * 86400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), days.upperBound * 86400)
        X509_set_pubkey(certificate, key)
        X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, subject, -1, -1, 0)
        X509_set_issuer_name(certificate, X509_get_subject_name(issuer ?? certificate))
        for (identifier, value) in extensions {
            let made = X509V3_EXT_conf_nid(nil, nil, identifier, value)
            precondition(made != nil, "extension \(value)")
            X509_add_ext(certificate, made, -1)
            X509_EXTENSION_free(made)
        }
        precondition(X509_sign(certificate, signer, EVP_sha256()) > 0)
        return certificate
    }

    private static func identity(_ certificate: OpaquePointer?, _ key: OpaquePointer?) -> Identity {
        Identity(
            certificate: pem { PEM_write_bio_X509($0, certificate) },
            key: pem { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) })
    }

    private static func pem(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        precondition(write(bio) == 1)
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = BIO_read(bio, &bytes, Int32(bytes.count))
        return Array(bytes[..<Int(count)])
    }

    static func readKey(_ pem: [UInt8]) -> OpaquePointer? {
        let bio = BIO_new_mem_buf(pem, Int32(pem.count))
        defer { BIO_free(bio) }
        return PEM_read_bio_PrivateKey(bio, nil, nil, nil)
    }

    static func readCertificate(_ pem: [UInt8]) -> OpaquePointer? {
        let bio = BIO_new_mem_buf(pem, Int32(pem.count))
        defer { BIO_free(bio) }
        return PEM_read_bio_X509(bio, nil, nil, nil)
    }
}
