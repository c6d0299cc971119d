import COpenSSL
import VerificationCore

/// Copies of OpenSSL's ASN.1 values. Nothing of this file keeps a pointer.
enum ASN1Values {
    static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
        guard let string else { return nil }
        let length = Int(ASN1_STRING_length(string))
        guard length > 0, let data = ASN1_STRING_get0_data(string) else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: length))
    }

    /// An integer as lower-case hexadecimal of its magnitude, with a minus sign where it is negative.
    static func hex(_ integer: UnsafePointer<ASN1_INTEGER>?) -> String? {
        guard let magnitude = bytes(integer), let integer else { return nil }
        let digits = ByteText.hex(magnitude.isEmpty ? [0] : magnitude)
        return ASN1_STRING_type(integer) & V_ASN1_NEG != 0 ? "-" + digits : digits
    }

    static func objectIdentifier(_ object: OpaquePointer?) -> String {
        guard let object else { return "" }
        // 80 signs hold every identifier that this room knows; a longer one is cut and so stays unknown.
        var text = [CChar](repeating: 0, count: 80)
        let length = OBJ_obj2txt(&text, Int32(text.count), object, 1)
        return String(decoding: text.prefix(Int(max(0, min(length, 79)))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A time in one of the two forms of RFC 5280 section 4.1.2.5, in seconds and with `Z`; anything else is `nil`.
    static func timestamp(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
        guard let time, let digits = bytes(time) else { return nil }
        return switch ASN1_STRING_type(time) {
        case V_ASN1_UTCTIME where digits.count == 13:
            // 50 to 99 are of the twentieth century.
            CertificateTime.timestamp((digits[0] >= 0x35 ? [0x31, 0x39] : [0x32, 0x30]) + digits)
        case V_ASN1_GENERALIZEDTIME where digits.count == 15: CertificateTime.timestamp(digits)
        default: nil
        }
    }

    static func text(_ name: OpaquePointer?) -> String {
        guard let name, let sink = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free_all(sink) }
        guard X509_NAME_print_ex(sink, name, 0, sekisho_name_flags) >= 0 else { return "" }
        var text = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(sink)))
        let read = BIO_read(sink, &text, Int32(text.count))
        return String(decoding: text.prefix(Int(max(0, read))), as: UTF8.self)
    }

    /// Every value of one attribute of a name, in order.
    static func attributes(_ kind: Int32, of name: OpaquePointer?) -> [String] {
        guard let name else { return [] }
        var values: [String] = []
        var position = X509_NAME_get_index_by_NID(name, kind, -1)
        while position >= 0 {
            let data = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, position))
            var utf8: UnsafeMutablePointer<UInt8>?
            let length = ASN1_STRING_to_UTF8(&utf8, data)
            if length >= 0, let utf8 {
                values.append(String(decoding: UnsafeBufferPointer(start: utf8, count: Int(length)), as: UTF8.self))
                CRYPTO_free(utf8, #file, #line)
            }
            position = X509_NAME_get_index_by_NID(name, kind, position)
        }
        return values
    }

    static func encoding(ofName name: OpaquePointer?) -> [UInt8] {
        guard let name else { return [] }
        var der: UnsafePointer<UInt8>?
        var length = 0
        guard X509_NAME_get0_der(name, &der, &length) == 1, let der else { return [] }
        return Array(UnsafeBufferPointer(start: der, count: length))
    }

    static func generalNames(_ names: OpaquePointer?) -> [GeneralName] {
        guard let names else { return [] }
        return (0..<max(0, sekisho_general_names_count(names))).map { index in
            let text = bytes(sekisho_general_name_text(names, index)).map { String(decoding: $0, as: UTF8.self) }
            return switch (sekisho_general_name_type(names, index), text) {
            case (GEN_EMAIL, let text?): .email(text)
            case (GEN_URI, let text?): .uri(text)
            case (GEN_DNS, let text?): .dns(text)
            case _: .other
            }
        }
    }
}
