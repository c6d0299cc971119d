import CBOR
import COSE
import Testing

/// Bytes from hexadecimal text.
func hex(_ text: String) -> [UInt8] {
    var digits = text.filter { !$0.isWhitespace }[...]
    var bytes: [UInt8] = []
    while let byte = UInt8(digits.prefix(2), radix: 16), digits.count >= 2 {
        bytes.append(byte)
        digits = digits.dropFirst(2)
    }
    precondition(digits.isEmpty, "not hexadecimal: \(text)")
    return bytes
}

/// CBOR written by a closure.
func cbor(_ write: (inout CBOREncoder) -> Void) -> [UInt8] {
    var encoder = CBOREncoder()
    write(&encoder)
    return encoder.bytes
}

func item(_ bytes: [UInt8]) throws -> CBORItem { try CBORDocument(bytes).root }

func item(_ text: String) throws -> CBORItem { try item(hex(text)) }

/// Why a closure refuses; `nil` where it does not.
func refusal(of body: () throws(COSEError) -> some Any) -> COSEError? {
    do throws(COSEError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// A COSE_Sign1 of four items that are encoded already.
func sign1(protected: String, unprotected: String, payload: String, signature: String = "40") throws -> CBORItem {
    try item("84" + protected + unprotected + payload + signature)
}
