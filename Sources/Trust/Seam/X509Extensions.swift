import COpenSSL

/// Reads a certificate's extensions into Swift values.
enum X509Extensions {
    static func read(_ certificate: OpaquePointer) throws(CertificateError) -> CertificateExtensions {
        var read = CertificateExtensions()
        var seen: Set<String> = []
        for index in 0..<max(0, X509_get_ext_count(certificate)) {
            let entry = X509_get_ext(certificate, index)
            let identifier = ASN1Values.objectIdentifier(X509_EXTENSION_get_object(entry))
            guard seen.insert(identifier).inserted else { throw .duplicateExtension(identifier) }
            if X509_EXTENSION_get_critical(entry) == 1 { read.critical.append(identifier) }
        }
        if seen.contains(ObjectIdentifiers.keyUsage) { read.keyUsage = try keyUsage(certificate) }
        if seen.contains(ObjectIdentifiers.extendedKeyUsage) { read.extendedKeyUsage = try purposes(certificate) }
        if seen.contains(ObjectIdentifiers.basicConstraints) { read.basicConstraints = try constraints(certificate) }
        read.subjectKeyIdentifier = subjectKeyIdentifier(certificate)
        read.authorityKeyIdentifier = authorityKeyIdentifier(certificate, seen, &read.malformed)
        read.issuerAlternativeNames = alternativeNames(certificate)
        read.distributionPoints = distributionPoints(certificate)
        note(read.subjectKeyIdentifier == nil, ObjectIdentifiers.subjectKeyIdentifier, seen, &read.malformed)
        note(read.issuerAlternativeNames == nil, ObjectIdentifiers.issuerAlternativeName, seen, &read.malformed)
        note(read.distributionPoints == nil, ObjectIdentifiers.distributionPoints, seen, &read.malformed)
        return read
    }

    private static func note(_ absent: Bool, _ identifier: String, _ seen: Set<String>, _ malformed: inout [String]) {
        if absent, seen.contains(identifier) { malformed.append(identifier) }
    }

    private static func keyUsage(_ certificate: OpaquePointer) throws(CertificateError) -> KeyUsage {
        guard let value = X509_get_ext_d2i(certificate, NID_key_usage, nil, nil) else {
            throw .malformedExtension(ObjectIdentifiers.keyUsage)
        }
        let bits = value.assumingMemoryBound(to: ASN1_BIT_STRING.self)
        defer { ASN1_BIT_STRING_free(bits) }
        var usage: KeyUsage = []
        for bit in 0..<KeyUsage.bitCount where ASN1_BIT_STRING_get_bit(bits, Int32(bit)) == 1 {
            usage.insert(KeyUsage(rawValue: 1 << UInt16(bit)))
        }
        return usage
    }

    private static func purposes(_ certificate: OpaquePointer) throws(CertificateError) -> [String] {
        guard let value = X509_get_ext_d2i(certificate, NID_ext_key_usage, nil, nil) else {
            throw .malformedExtension(ObjectIdentifiers.extendedKeyUsage)
        }
        let usage = OpaquePointer(value)
        defer { EXTENDED_KEY_USAGE_free(usage) }
        return (0..<max(0, sekisho_key_purposes_count(usage))).map {
            ASN1Values.objectIdentifier(sekisho_key_purpose(usage, $0))
        }
    }

    private static func constraints(_ certificate: OpaquePointer) throws(CertificateError) -> BasicConstraints {
        guard let value = X509_get_ext_d2i(certificate, NID_basic_constraints, nil, nil) else {
            throw .malformedExtension(ObjectIdentifiers.basicConstraints)
        }
        let constraints = value.assumingMemoryBound(to: BASIC_CONSTRAINTS.self)
        defer { BASIC_CONSTRAINTS_free(constraints) }
        var length: Int?
        if let stated = constraints.pointee.pathlen {
            let number = ASN1_INTEGER_get(stated)
            guard number >= 0 else { throw .malformedExtension(ObjectIdentifiers.basicConstraints) }
            length = number
        }
        return BasicConstraints(isAuthority: constraints.pointee.ca != 0, pathLength: length)
    }

    private static func subjectKeyIdentifier(_ certificate: OpaquePointer) -> [UInt8]? {
        guard let value = X509_get_ext_d2i(certificate, NID_subject_key_identifier, nil, nil) else { return nil }
        let identifier = value.assumingMemoryBound(to: ASN1_OCTET_STRING.self)
        defer { ASN1_OCTET_STRING_free(identifier) }
        return ASN1Values.bytes(identifier)
    }

    private static func authorityKeyIdentifier(
        _ certificate: OpaquePointer, _ seen: Set<String>, _ malformed: inout [String]
    ) -> [UInt8]? {
        guard let value = X509_get_ext_d2i(certificate, NID_authority_key_identifier, nil, nil) else {
            note(true, ObjectIdentifiers.authorityKeyIdentifier, seen, &malformed)
            return nil
        }
        let identifier = value.assumingMemoryBound(to: AUTHORITY_KEYID.self)
        defer { AUTHORITY_KEYID_free(identifier) }
        return ASN1Values.bytes(identifier.pointee.keyid)
    }

    private static func alternativeNames(_ certificate: OpaquePointer) -> [GeneralName]? {
        guard let value = X509_get_ext_d2i(certificate, NID_issuer_alt_name, nil, nil) else { return nil }
        let names = OpaquePointer(value)
        defer { GENERAL_NAMES_free(names) }
        return ASN1Values.generalNames(names)
    }

    private static func distributionPoints(_ certificate: OpaquePointer) -> [DistributionPoint]? {
        guard let value = X509_get_ext_d2i(certificate, NID_crl_distribution_points, nil, nil) else { return nil }
        let points = OpaquePointer(value)
        defer { CRL_DIST_POINTS_free(points) }
        return (0..<max(0, sekisho_dist_points_count(points))).compactMap { index in
            guard let point = sekisho_dist_point(points, index) else { return nil }
            return DistributionPoint(
                names: ASN1Values.generalNames(sekisho_dist_point_full_name(point.pointee.distpoint)),
                limitsReasons: point.pointee.reasons != nil, namesIssuer: point.pointee.CRLissuer != nil)
        }
    }
}
