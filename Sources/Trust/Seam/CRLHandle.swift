import COpenSSL
import VerificationCore

/// OpenSSL's object for one CRL.
///
/// `@unchecked Sendable` holds because the object is never changed after its fields were read, in `init`'s caller and
/// before it is shared; `X509_CRL_verify` only reads it, and the pointer is freed once, by the last owner.
final class CRLHandle: @unchecked Sendable {
    private let list: OpaquePointer

    init(der: [UInt8]) throws(CertificateError) {
        let parsed: OpaquePointer? = der.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = start
            guard let parsed = d2i_X509_CRL(nil, &cursor, buffer.count) else { return nil }
            guard cursor == start + buffer.count else {
                X509_CRL_free(parsed)
                return nil
            }
            return parsed
        }
        guard let parsed else {
            ERR_clear_error()
            throw .malformed
        }
        list = parsed
    }

    deinit {
        X509_CRL_free(list)
    }

    func isSigned(byKeyOf issuer: X509Handle) -> Bool {
        let verified = issuer.withKey { key in key != nil && X509_CRL_verify(list, key) == 1 }
        if !verified { ERR_clear_error() }
        return verified
    }

    func fields() throws(CertificateError) -> CRLFields {
        defer { ERR_clear_error() }
        guard let thisUpdate = ASN1Values.timestamp(X509_CRL_get0_lastUpdate(list)) else { throw .malformedTime }
        var nextUpdate: Timestamp?
        if let stated = X509_CRL_get0_nextUpdate(list) {
            nextUpdate = ASN1Values.timestamp(stated)
            if nextUpdate == nil { throw .malformedTime }
        }
        return CRLFields(
            issuer: X509Handle.name(X509_CRL_get_issuer(list)), thisUpdate: thisUpdate, nextUpdate: nextUpdate,
            signature: CertificateSignature(identifier: X509_CRL_get_signature_nid(list)), scope: try scope(),
            serialNumbers: try serialNumbers())
    }

    private func serialNumbers() throws(CertificateError) -> Set<String> {
        let count = max(0, sekisho_revoked_count(list))
        var numbers = Set<String>(minimumCapacity: Int(count))
        for index in 0..<count {
            let entry = sekisho_revoked(list, index)
            for position in 0..<max(0, X509_REVOKED_get_ext_count(entry)) {
                let item = X509_REVOKED_get_ext(entry, position)
                // A critical one can say that the entry is another issuer's (RFC 5280 section 5.3.3).
                guard X509_EXTENSION_get_critical(item) != 1 else {
                    throw .unsupportedExtension(ASN1Values.objectIdentifier(X509_EXTENSION_get_object(item)))
                }
            }
            guard let number = ASN1Values.hex(X509_REVOKED_get0_serialNumber(entry)) else { throw .malformed }
            numbers.insert(number)
        }
        return numbers
    }

    /// What the list covers; every critical extension but the issuing distribution point is refused, a delta among them.
    private func scope() throws(CertificateError) -> CRLScope {
        var isLimited = false
        for index in 0..<max(0, X509_CRL_get_ext_count(list)) {
            let item = X509_CRL_get_ext(list, index)
            let identifier = ASN1Values.objectIdentifier(X509_EXTENSION_get_object(item))
            if identifier == CRLScope.issuingDistributionPoint {
                isLimited = true
            } else if X509_EXTENSION_get_critical(item) == 1 {
                throw .unsupportedExtension(identifier)
            }
        }
        guard isLimited else { return CRLScope() }
        guard let value = X509_CRL_get_ext_d2i(list, NID_issuing_distribution_point, nil, nil) else {
            throw .malformedExtension(CRLScope.issuingDistributionPoint)
        }
        let point = value.assumingMemoryBound(to: ISSUING_DIST_POINT.self)
        defer { ISSUING_DIST_POINT_free(point) }
        let limits = point.pointee
        // Partial by reason, of attribute certificates, or of several issuers: it could only be misread as "good".
        guard limits.onlysomereasons == nil, limits.indirectCRL == 0, limits.onlyattr == 0 else {
            throw .unsupportedExtension(CRLScope.issuingDistributionPoint)
        }
        var scope = CRLScope()
        scope.authorities = limits.onlyuser == 0
        scope.endEntities = limits.onlyCA == 0
        if limits.distpoint != nil {
            scope.points = ASN1Values.generalNames(sekisho_dist_point_full_name(limits.distpoint))
        }
        return scope
    }
}
