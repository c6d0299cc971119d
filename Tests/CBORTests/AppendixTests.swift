import CBOR
import Foundation
import TestSupport
import Testing

/// A value as the appendix gives it in JSON.
indirect enum JSONExample: Decodable, Equatable {
    case null
    case boolean(Bool)
    case number(Double, unsigned: UInt64?, signed: Int64?)
    case text(String)
    case array([JSONExample])
    case object([String: JSONExample])

    init(from decoder: any Decoder) throws {
        let box = try decoder.singleValueContainer()
        if box.decodeNil() {
            self = .null
        } else if let value = try? box.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? box.decode(Double.self) {
            self = .number(value, unsigned: try? box.decode(UInt64.self), signed: try? box.decode(Int64.self))
        } else if let value = try? box.decode(String.self) {
            self = .text(value)
        } else if let value = try? box.decode([JSONExample].self) {
            self = .array(value)
        } else {
            self = .object(try box.decode([String: JSONExample].self))
        }
    }

    /// Whether an item is this value.
    func matches(_ item: CBORItem) throws -> Bool {
        switch self {
        case .null: return item.isNull
        case .boolean(let value): return try item.boolean() == value
        case .text(let value): return try item.text() == value
        case .array(let values):
            guard try item.array().count == values.count else { return false }
            return try zip(values, item.items).allSatisfy { try $0.matches($1) }
        case .object(let members):
            guard try item.map().count == members.count else { return false }
            return try members.allSatisfy { name, value in try value.matches(item.require(name)) }
        case .number(let value, let unsigned, let signed):
            switch item.kind {
            case .unsigned: return try item.unsigned() == unsigned
            case .negative:
                if let signed { return try item.integer() == signed }
                return item.encoded == hex("3bffffffffffffffff")[...] && value == -0x1p64
            case .float: return try item.double().bitPattern == value.bitPattern
            case .tag:
                // Appendix A has ±2^64 and a little as big numbers (RFC 8949 §3.4.3).
                let magnitude = try item.tagged?.bytes().reduce(0.0) { $0 * 256 + Double($1) } ?? .nan
                return item.tagNumber == 2 ? magnitude == value : item.tagNumber == 3 && -1 - magnitude == value
            default: return false
            }
        }
    }
}

struct AppendixAExample: Decodable {
    let hex: String
    let roundtrip: Bool
    let diagnostic: String?
    let decoded: JSONExample?

    private enum Key: String, CodingKey { case hex, roundtrip, diagnostic, decoded }

    init(from decoder: any Decoder) throws {
        let box = try decoder.container(keyedBy: Key.self)
        hex = try box.decode(String.self, forKey: .hex)
        roundtrip = try box.decode(Bool.self, forKey: .roundtrip)
        diagnostic = try box.decodeIfPresent(String.self, forKey: .diagnostic)
        decoded = box.contains(.decoded) ? try box.decode(JSONExample.self, forKey: .decoded) : nil
    }
}

@Suite struct AppendixTests {
    static let examples = "crypto/cbor/appendix_a.json"
    static let malformed = "crypto/cbor/rfc8949_appendix_f_not_well_formed.json"
    /// The file is the edition of RFC 7049; RFC 8949 §3.3 made this one not well-formed.
    static let withdrawn = "f818"

    @Test(.enabled(if: Vectors.available(examples)))
    func `the examples of appendix A decode to their values and encode to their bytes`() throws {
        let examples = try JSONDecoder().decode([AppendixAExample].self, from: Data(Vectors.bytes(Self.examples)))
        for example in examples where example.hex != Self.withdrawn {
            let bytes = hex(example.hex)
            let item = try CBORDocument(bytes).root
            #expect(item.encoded == bytes[...])
            if let decoded = example.decoded { #expect(try decoded.matches(item), "\(example.hex)") }
            if let expected = example.diagnostic {
                // The chunked one is written in chunks there and joined here.
                let joined = expected == "(_ h'0102', h'030405')" ? "h'0102030405'" : expected
                #expect(diagnostic(item) == joined)
            }
            #expect(example.decoded != nil || example.diagnostic != nil)
            let again = try encoded(item)
            #expect((again == bytes) == example.roundtrip, "\(example.hex)")
        }
        #expect(refusal(Self.withdrawn) == .notWellFormed)
        #expect(examples.count == 82)
        Vectors.ran(examples.count, of: "cbor-appendix-a")
    }

    @Test(.enabled(if: Vectors.available(malformed)))
    func `nothing of appendix F is well-formed`() throws {
        let groups = try JSONDecoder().decode([String: [String]].self, from: Data(Vectors.bytes(Self.malformed)))
        let cut: Set = [
            "end_of_input_in_head", "short_strings", "short_containers", "tag_without_content",
            "unclosed_indefinite_strings", "unclosed_indefinite_containers",
        ]
        for (name, examples) in groups {
            for example in examples {
                // Two declare more pairs than bytes are left: that is seen before the break is.
                let tooShort = ["a1ff", "a20000ff"].contains(example)
                let expected: CBORError = cut.contains(name) || tooShort ? .truncated : .notWellFormed
                #expect(refusal(example) == expected, "\(name) \(example)")
            }
        }
        let count = groups.values.reduce(0) { $0 + $1.count }
        #expect(groups.count == 14 && count == 94)
        Vectors.ran(count, of: "cbor-appendix-f")
    }
}
