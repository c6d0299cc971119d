import COpenSSL

/// Reads the outside of a private key's file: PEM or DER, whatever the algorithm of the key.
enum PrivateKeyFile {
    /// The DER of the one private key of PEM text; certificates and EC parameters beside it are passed over.
    ///
    /// The caller wipes it.
    static func der(ofPEM file: [UInt8]) throws(PrivateKeyError) -> [UInt8] {
        var blocks: [PEM.Block]
        do { blocks = try PEM.blocks(file) } catch { throw .malformedPEM(line: error.line) }
        guard let first = blocks.first else { throw file.isEmpty ? .empty : .notAKey }
        blocks.removeAll { !$0.label.hasSuffix("PRIVATE KEY") }
        guard let block = blocks.first else {
            switch first.label {
            case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": throw .certificate
            case "PUBLIC KEY", "EC PUBLIC KEY", "RSA PUBLIC KEY": throw .publicKey
            default: throw .notAKey
            }
        }
        guard blocks.count == 1 else { throw .severalKeys }
        if block.isEncrypted || block.label == "ENCRYPTED PRIVATE KEY" { throw .encrypted }
        return block.bytes
    }

    /// The key of DER: one key and nothing after it.
    static func key(der: [UInt8]) throws(PrivateKeyError) -> PKey {
        defer { ERR_clear_error() }
        guard !der.isEmpty else { throw .empty }
        let read = der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let made = d2i_AutoPrivateKey_ex(nil, &cursor, bytes.count, nil, nil)
            return (made: made, isWhole: cursor == bytes.baseAddress.map { $0 + bytes.count })
        }
        guard let made = read.made else { throw otherThing(der) }
        let key = PKey(owning: made)
        guard read.isWhole else { throw .malformed }
        return key
    }

    /// The library's name of a key's algorithm.
    static func typeName(_ key: OpaquePointer) -> String {
        EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
    }

    /// What DER is that is not a private key we can read, as far as its outside says.
    private static func otherThing(_ der: [UInt8]) -> PrivateKeyError {
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

    /// The name that people use of a curve.
    static func commonName(_ group: String?) -> String {
        switch group {
        case "prime256v1": "P-256"
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
}
