import CBOR
import Testing

@Suite struct ItemTests {
    static func item(_ text: String) throws -> CBORItem { try CBORDocument(hex(text)).root }

    @Test func `a number outside the range asked for is refused, never cut`() throws {
        #expect(try Self.item("1bffffffffffffffff").unsigned() == .max)
        #expect(try Self.item("1b7fffffffffffffff").integer() == .max)
        #expect(try Self.item("3b7fffffffffffffff").integer() == .min)
        for text in ["1b8000000000000000", "3b8000000000000000", "1bffffffffffffffff", "3bffffffffffffffff", "f93c00"] {
            let item = try Self.item(text)
            #expect(refusal { () throws(CBORError) in try item.integer() } == .wrongType, "\(text)")
        }
        let negative = try Self.item("20")
        #expect(refusal { () throws(CBORError) in try negative.unsigned() } == .wrongType)
    }

    @Test func `an item of one type is not read as another`() throws {
        let texts = ["00", "20", "40", "60", "80", "a0", "c000", "f4", "f6", "f7", "e0", "f93c00"]
        for text in texts {
            let item = try Self.item(text)
            let answers: [(CBORItem.Kind, CBORError?)] = [
                (.unsigned, refusal { () throws(CBORError) in try item.unsigned() }),
                (.bytes, refusal { () throws(CBORError) in try item.bytes() }),
                (.text, refusal { () throws(CBORError) in try item.text() }),
                (.array, refusal { () throws(CBORError) in try item.array() }),
                (.map, refusal { () throws(CBORError) in try item.map() }),
                (.map, refusal { () throws(CBORError) in try item.require("a") }),
                (.tag, refusal { () throws(CBORError) in try item.tag(0) }),
                (.boolean, refusal { () throws(CBORError) in try item.boolean() }),
                (.simple, refusal { () throws(CBORError) in try item.simple() }),
                (.float, refusal { () throws(CBORError) in try item.double() }),
            ]
            for (kind, error) in answers where kind != item.kind { #expect(error == .wrongType, "\(text) \(kind)") }
            for (kind, error) in answers where kind == item.kind { #expect(error != .wrongType, "\(text) \(kind)") }
            #expect(refusal { () throws(CBORError) in try item.embedded() } == .wrongType)
            #expect(item.count == 0 && Array(item.items).isEmpty && Array(item.pairs).isEmpty)
            #expect(item["a"] == nil && item[0] == nil && item.items[0] == nil)
        }
    }

    @Test func `look-ups are by value and by type`() throws {
        let map = try Self.item("a8 6161 01 4161 02 1861 03 3860 04 7f6162 6163ff 05 f6 06 c16161 07 60 08")
        #expect(try map["a"]?.unsigned() == 1)
        #expect(try map[97]?.unsigned() == 3)
        #expect(try map[-97]?.unsigned() == 4)
        #expect(try map["bc"]?.unsigned() == 5)
        #expect(try map[""]?.unsigned() == 8)
        #expect(map["b"] == nil && map["ab"] == nil && map[96] == nil && map[0] == nil && map[-98] == nil)
        #expect(refusal { () throws(CBORError) in try map.require("zz") } == .missingKey)
        #expect(refusal { () throws(CBORError) in try map.require(5) } == .missingKey)
        // Text that looks alike to a reader of characters, but has other bytes, is another key.
        let accents = try Self.item("a2 62c3a9 01 6365cc81 02")
        #expect(try accents["\u{E9}"]?.unsigned() == 1)
        #expect(try accents["e\u{301}"]?.unsigned() == 2)
    }

    @Test func `an embedded item is read in place, and only under tag 24`() throws {
        let outer = try Self.item("83d8184483010203d8185f4183430102 03ff4483010203")
        for index in 0..<2 {
            let inner = try #require(outer.items[index]).embedded().root
            #expect(inner.encoded == [0x83, 1, 2, 3])
            #expect(inner.items.map { try? $0.unsigned() } == [1, 2, 3])
            #expect(try inner.items[2]?.unsigned() == 3 && inner.items[3] == nil)
        }
        let plain = try #require(outer.items[2])
        #expect(refusal { () throws(CBORError) in try plain.embedded() } == .wrongType)
        #expect(try plain.contents().root.count == 3)
        for text in ["d8184483010200ff", "d81844830102", "d8186401020304", "d81940", "d81840", "d818420101"] {
            guard let item = try? Self.item(text) else { continue }
            #expect(refusal { () throws(CBORError) in try item.embedded() } != nil, "\(text)")
        }
    }

    @Test func `floating-point numbers of 16 bits are all read and written`() throws {
        for bits in UInt16.min...UInt16.max {
            let bytes = [0xF9, UInt8(bits >> 8), UInt8(bits & 0xFF)]
            let value = try CBORDocument(bytes).root.double()
            let expected = Double(Float16(bitPattern: bits))
            if value.isNaN && expected.isNaN { continue }
            var encoder = CBOREncoder()
            encoder.double(value)
            if value.bitPattern != expected.bitPattern || encoder.bytes != bytes { Issue.record("\(bits): \(value)") }
        }
        for value: Double in [65505, 0x1p-25, 1.0009765624, 65536, 0x1p-149, 0.1, -Double.greatestFiniteMagnitude] {
            var encoder = CBOREncoder()
            encoder.double(value)
            #expect(encoder.bytes.count > 3)
            #expect(try CBORDocument(encoder.bytes).root.double() == value)
        }
    }
}
