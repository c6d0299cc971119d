import COpenSSL

extension P256PrivateKey {
    /// What DER is that is not a private key we can read, as far as its outside says.
    static func otherThing(_ der: [UInt8]) -> PrivateKeyError {
        if parses(der, { d2i_X509(nil, &$0, $1).map { X509_free($0) } != nil }) { return .certificate }
        if parses(der, { d2i_PUBKEY(nil, &$0, $1).map { EVP_PKEY_free($0) } != nil }) { return .publicKey }
        // EncryptedPrivateKeyInfo (RFC 5958 §3) has the shape of any algorithm and octet string.
        if parses(der, { d2i_X509_SIG(nil, &$0, $1).map { X509_SIG_free($0) } != nil }) { return .encrypted }
        if parses(der, { d2i_PKCS8_PRIV_KEY_INFO(nil, &$0, $1).map { PKCS8_PRIV_KEY_INFO_free($0) } != nil }) {
            return .malformed
        }
        return .notAKey
    }

    private static func parses(_ der: [UInt8], _ read: (inout UnsafePointer<UInt8>?, Int) -> Bool) -> Bool {
        der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return read(&cursor, bytes.count)
        }
    }

    /// The curve's name, or `nil` for one given by its parameters instead of a name.
    static func groupName(_ key: OpaquePointer) -> String? {
        // Longer than the name of any curve the library knows.
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1 else { return nil }
        return String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func commonName(_ group: String?) -> String {
        switch group {
        case "secp384r1": "P-384"
        case "secp521r1": "P-521"
        case .some(let name): name
        case nil: "a curve without a name"
        }
    }

    /// Whether the private number is in range, the point on the curve, and the two belong together.
    static func isConsistent(_ key: OpaquePointer) -> Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return EVP_PKEY_check(context) == 1
    }

    /// A coordinate at full width, independent of the form in which the file had the point.
    static func number(_ key: OpaquePointer, _ name: String) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else { return nil }
        defer { BN_free(number) }
        let width = Curve.p256.coordinateLength
        var bytes = [UInt8](repeating: 0, count: width)
        return BN_bn2binpad(number, &bytes, Int32(width)) == Int32(width) ? bytes : nil
    }
}
