import COpenSSL
import Cryptography
import VerificationCore

/// OpenSSL's object for one certificate. The only place, with the files beside it, that touches X.509 pointers.
///
/// `@unchecked Sendable` holds because the object is never changed after it was made: what is called later
/// (`X509_verify`, `X509_CRL_verify`, `X509_get0_pubkey`) only reads it, the caches that OpenSSL fills on the way are
/// behind its own locks, and the pointer is freed once, by the last owner.
final class X509Handle: @unchecked Sendable {
    private let certificate: OpaquePointer

    init(der: [UInt8]) throws(CertificateError) {
        let parsed: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = start
            guard let parsed = d2i_X509(nil, &cursor, buffer.count) else { return nil }
            guard cursor == start + buffer.count, X509Handle.isDER(parsed, buffer) else {
                X509_free(parsed)
                return nil
            }
            return parsed
        }
        guard let parsed else {
            ERR_clear_error()
            throw .malformed
        }
        certificate = parsed
    }

    deinit {
        X509_free(certificate)
    }

    /// Whether the encoding is the one that DER allows, in what the signature does not cover: otherwise one certificate
    /// could be written in any number of ways. (The signed part keeps its bytes, however it is written.)
    private static func isDER(_ parsed: OpaquePointer, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var encoded: UnsafeMutablePointer<UInt8>?
        let length = i2d_X509(parsed, &encoded)
        guard length >= 0, let encoded else { return false }
        defer { CRYPTO_free(encoded, #file, #line) }
        return UnsafeBufferPointer(start: encoded, count: Int(length)).elementsEqual(bytes)
    }

    /// The certificate's key, lent for the call.
    func withKey<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
        body(X509_get0_pubkey(certificate))
    }

    func isSigned(byKeyOf issuer: X509Handle) -> Bool {
        let verified = issuer.withKey { key in key != nil && X509_verify(certificate, key) == 1 }
        if !verified { ERR_clear_error() }
        return verified
    }

    func fields() throws(CertificateError) -> CertificateFields {
        defer { ERR_clear_error() }
        guard let notBefore = ASN1Values.timestamp(X509_get0_notBefore(certificate)),
            let notAfter = ASN1Values.timestamp(X509_get0_notAfter(certificate))
        else { throw .malformedTime }
        var fields = CertificateFields()
        fields.version = X509_get_version(certificate) + 1
        fields.serial = ASN1Values.hex(X509_get0_serialNumber(certificate)) ?? ""
        fields.subject = X509Handle.name(X509_get_subject_name(certificate))
        fields.issuer = X509Handle.name(X509_get_issuer_name(certificate))
        fields.validity = ValidityPeriod(notBefore: notBefore, notAfter: notAfter)
        fields.signature = CertificateSignature(identifier: X509_get_signature_nid(certificate))
        (fields.keyAlgorithm, fields.publicKey) = X509Handle.key(of: certificate)
        fields.keyIdentifier = digest(EVP_sha1(), X509_pubkey_digest)
        fields.fingerprint = digest(EVP_sha256(), X509_digest)
        fields.extensions = try X509Extensions.read(certificate)
        return fields
    }

    static func name(_ name: OpaquePointer?) -> DistinguishedName {
        DistinguishedName(
            text: ASN1Values.text(name), countries: ASN1Values.attributes(NID_countryName, of: name),
            states: ASN1Values.attributes(NID_stateOrProvinceName, of: name),
            commonNames: ASN1Values.attributes(NID_commonName, of: name),
            encoding: ASN1Values.encoding(ofName: name))
    }

    private typealias Digest = (
        OpaquePointer?, OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>?
    ) -> Int32

    private func digest(_ algorithm: OpaquePointer?, _ function: Digest) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard function(certificate, algorithm, &bytes, &length) == 1 else { return [] }
        return Array(bytes.prefix(Int(length)))
    }
}

extension CertificateSignature {
    init(identifier: Int32) {
        self =
            switch identifier {
            case NID_ecdsa_with_SHA256: .ecdsaSHA256
            case NID_ecdsa_with_SHA384: .ecdsaSHA384
            case NID_ecdsa_with_SHA512: .ecdsaSHA512
            case NID_ED25519: .ed25519
            case NID_ED448: .ed448
            default: .other
            }
    }
}
