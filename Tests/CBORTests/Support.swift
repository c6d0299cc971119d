import CBOR
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

/// Why bytes are refused; `nil` where they are not.
func refusal(_ bytes: [UInt8], limits: CBORLimits = .standard) -> CBORError? {
    do throws(CBORError) {
        _ = try CBORDocument(bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

func refusal(_ text: String) -> CBORError? { refusal(hex(text)) }

/// Why a closure refuses; `nil` where it does not.
func refusal(of body: () throws(CBORError) -> some Any) -> CBORError? {
    do throws(CBORError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// Diagnostic notation (RFC 8949 §8), with chunks joined.
func diagnostic(_ item: CBORItem) -> String {
    do {
        switch item.kind {
        case .unsigned: return "\(try item.unsigned())"
        case .negative:
            if let value = try? item.integer() { return "\(value)" }
            return "-1-n"
        case .bytes:
            let digits = try item.bytes().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            return "h'\(digits.joined())'"
        case .text: return "\"\(try item.text())\""
        case .array: return "[" + item.items.map(diagnostic).joined(separator: ", ") + "]"
        case .map: return "{" + item.pairs.map { diagnostic($0) + ": " + diagnostic($1) }.joined(separator: ", ") + "}"
        case .tag: return "\(item.tagNumber ?? 0)(\(item.tagged.map(diagnostic) ?? ""))"
        case .boolean: return try item.boolean() ? "true" : "false"
        case .null: return "null"
        case .undefined: return "undefined"
        case .simple: return "simple(\(try item.simple()))"
        case .float:
            let value = try item.double()
            if value.isNaN { return "NaN" }
            return value.isInfinite ? (value < 0 ? "-Infinity" : "Infinity") : "\(value)"
        }
    } catch {
        return "<\(error)>"
    }
}

/// Writes an item again, with the encoder's own shortest heads.
func encode(_ item: CBORItem, into encoder: inout CBOREncoder) throws {
    switch item.kind {
    case .unsigned: encoder.unsigned(try item.unsigned())
    case .negative:
        // The argument of a number below Int64 is not given out; only appendix A has one.
        if let value = try? item.integer() { encoder.integer(value) } else { encoder.negative(.max) }
    case .bytes: encoder.byteString(try item.bytes())
    case .text: encoder.text(try item.text())
    case .array:
        encoder.array(count: item.count)
        for child in item.items { try encode(child, into: &encoder) }
    case .map:
        encoder.map(count: item.count)
        for (key, value) in item.pairs {
            try encode(key, into: &encoder)
            try encode(value, into: &encoder)
        }
    case .tag:
        encoder.tag(try #require(item.tagNumber))
        try encode(try #require(item.tagged), into: &encoder)
    case .boolean: encoder.boolean(try item.boolean())
    case .null: encoder.null()
    case .undefined: encoder.undefined()
    case .simple: encoder.simple(try item.simple())
    case .float: encoder.double(try item.double())
    }
}

func encoded(_ item: CBORItem) throws -> [UInt8] {
    var encoder = CBOREncoder()
    try encode(item, into: &encoder)
    return encoder.bytes
}
