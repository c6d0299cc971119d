/// A value to be written as JSON; members keep their order.
public indirect enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    case object([(String, JSONValue)])

    /// The text, or `null` where there is none.
    public static func string(orNull text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// A whole number.
    public static func integer(_ value: Int) -> JSONValue { .integer(Int64(value)) }

    /// The value as compact JSON (RFC 8259) in UTF-8.
    public func encoded() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The value as compact JSON text.
    public var text: String { String(decoding: encoded(), as: UTF8.self) }
}

/// The encoder of all answers: compact, members in their order, text exactly as it is but for what JSON must escape.
public struct JSONWriter {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// An empty writer.
    public init() {}

    /// Appends a value.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .string(let text): write(text)
        case .array(let elements):
            bytes.append(0x5B)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                write(element)
            }
            bytes.append(0x5D)
        case .object(let members):
            bytes.append(0x7B)
            for (index, (name, value)) in members.enumerated() {
                if index > 0 { bytes.append(0x2C) }
                write(name)
                bytes.append(0x3A)
                write(value)
            }
            bytes.append(0x7D)
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(0x22)
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
            case 0x08: bytes.append(contentsOf: [0x5C, 0x62])
            case 0x09: bytes.append(contentsOf: [0x5C, 0x74])
            case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
            case 0x0C: bytes.append(contentsOf: [0x5C, 0x66])
            case 0x0D: bytes.append(contentsOf: [0x5C, 0x72])
            case 0x00..<0x20:
                bytes.append(contentsOf: [
                    0x5C, 0x75, 0x30, 0x30, JSONWriter.digit(byte >> 4), JSONWriter.digit(byte & 15),
                ])
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
