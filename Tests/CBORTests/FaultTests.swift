import CBOR
import Foundation
import TestSupport
import Testing

/// Faults that others shipped, in what the reader is responsible for.
@Suite struct FaultTests {
    /// The most memory the process has had, in KiB.
    static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").dropFirst().compactMap { Int($0) }.first)
    }

    /// A byte string of declared length around bytes, under tag 24.
    static func embedded(_ bytes: [UInt8]) -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.tag(24)
        encoder.byteString(bytes)
        return encoder.bytes
    }

    /// Other tests run at the same time; what is looked for is gigabytes.
    static let allowedGrowth = 64 << 10

    @Test func `C22 a declared count never allocates more than the input can hold`() throws {
        let before = try Self.peak()
        for text in [
            "9a7fffffff", "9bffffffffffffffff", "9b7fffffffffffffff", "bb0000000100000000", "bbffffffffffffffff",
            "bb7fffffffffffffff", "bb8000000000000000", "5b7fffffffffffffff", "5bffffffffffffffff",
            "7b7fffffffffffffff", "7bffffffffffffffff", "5f5b7fffffffffffffffff", "7f7bffffffffffffffffff",
            "9a00010000 00", "ba00010000 0000",
        ] {
            #expect(refusal(text) == .truncated, "\(text)")
            let outer = try CBORDocument(Self.embedded(hex(text)))
            #expect(refusal { () throws(CBORError) in try outer.root.embedded() } == .truncated, "\(text)")
        }
        #expect(try Self.peak() - before < Self.allowedGrowth)
    }

    @Test func `C23 nested heads that each claim all that is left reserve nothing`() throws {
        let before = try Self.peak()
        let deep = CBORLimits(depth: 128, items: 1_000_000, length: 1 << 20)
        for size in [20_000, 40_000, 160_000] {
            var chain: [UInt8] = []
            while chain.count + 5 <= size {
                chain.append(0x9A)
                let left = UInt32(size - chain.count - 4)
                for shift in stride(from: 24, through: 0, by: -8) { chain.append(UInt8(left >> UInt32(shift) & 0xFF)) }
            }
            chain += [UInt8](repeating: 0, count: size - chain.count)
            #expect(refusal(chain) == .tooDeep)
            #expect(refusal(chain, limits: deep) == .tooDeep)
        }
        #expect(try Self.peak() - before < Self.allowedGrowth)
    }

    @Test func `C24 the end of the input is seen before each read`() {
        for text in [
            "", "9f", "bf", "5f", "7f", "d8", "c0", "f8", "d818", "5f41", "7f61", "bf00", "f9", "f900", "fb00",
        ] {
            #expect(refusal(text) == .truncated, "\(text)")
        }
    }

    static let real = [
        "apple/device-mock-2025/device_response.cbor",
        "realworld/auth0-mdl/example1/deviceResponse.device_response.cbor",
        "realworld/eudi-test/mdl.device_response.cbor", "realworld/google-test-mdl/deviceResponse.cbor",
        "realworld/bdr-test-mdl/issuerSigned.cbor",
    ]

    @Test(.enabled(if: Vectors.available("realworld")), arguments: real)
    func `C24 every prefix of a real response is refused as cut off, and so is anything behind it`(_ path: String)
        throws
    {
        let bytes = try Vectors.bytes(path)
        #expect(refusal(bytes) == nil)
        for length in 0..<bytes.count {
            let error = refusal(Array(bytes[..<length]))
            if error != .truncated { Issue.record("\(path): the first \(length) bytes: \(String(describing: error))") }
        }
        for more in [0x00, 0xF6, 0xFF] as [UInt8] { #expect(refusal(bytes + [more]) == .trailingBytes) }
        Vectors.ran(bytes.count, of: "cbor-prefixes")
    }

    @Test func `C25 nesting is bounded in arrays, maps, tags, and items embedded in each other`() throws {
        let limit = CBORLimits.standard.depth
        for opening in ["81", "c1", "9f", "a100", "bf00"] {
            #expect(refusal([[UInt8]](repeating: hex(opening), count: 50_000).flatMap { $0 }) == .tooDeep, "\(opening)")
            #expect(refusal([[UInt8]](repeating: hex(opening), count: limit + 1).flatMap { $0 } + [0]) == .tooDeep)
        }
        #expect(refusal([UInt8](repeating: 0x81, count: limit) + [0]) == nil)
        #expect(refusal([UInt8](repeating: 0xC1, count: limit) + [0]) == nil)
        // An empty array holds nothing, so it is no deeper than a number.
        #expect(refusal([UInt8](repeating: 0x81, count: limit) + [0x80]) == nil)

        var nested: [UInt8] = [0]
        for _ in 0..<100 { nested = Self.embedded(nested) }
        var levels = 0
        var document = try CBORDocument(nested)
        var error: CBORError?
        while error == nil, levels < 100 {
            do throws(CBORError) {
                // Limits of its own do not buy an embedded item depth anew.
                document = try document.root.embedded(limits: levels % 2 == 0 ? nil : .standard)
                levels += 1
            } catch let refused {
                error = refused
            }
        }
        #expect(error == .tooDeep)
        #expect(levels == limit / 2 - 1)
    }

    @Test func `C26 text is UTF-8 in every chunk by itself`() throws {
        for text in [
            "62c328", "62c080", "63eda080", "65f888808080", "64f4908080", "61ff", "61c3", "62e282", "637a80e2",
            "7f61e26282acff", "7f61c361a9ff", "7f626161 61ff ff",
        ] {
            #expect(refusal(text) == .invalidUTF8, "\(text)")
            #expect(refusal("a1" + text + "00") == .invalidUTF8)
            #expect(refusal("a100" + text) == .invalidUTF8)
        }
        #expect(try CBORDocument(hex("7f63e282ac62c3a9ff")).root.text() == "€é")
        // C41: nothing is mended; a name cut inside a character is no name.
        let name = Array("東京都千代田区".utf8)
        #expect(refusal([0x60 + UInt8(name.count - 1)] + name.dropLast()) == .invalidUTF8)
        // A variation selector, a full-width space and a character outside the BMP come out as they went in.
        let odd = Array("葛\u{E0100}\u{3000}𠮷".utf8)
        #expect(try Array(CBORDocument([0x60 + UInt8(odd.count)] + odd).root.text().utf8) == odd)
    }

    @Test func `C27 chunks are of declared length and of the string's own type`() throws {
        for text in [
            "7f7f6161ffff", "5f6161ff", "7f4161ff", "5f5f4161ffff", "5f01ff", "7ff6ff", "5fc24101ff", "5f80ff",
        ] {
            #expect(refusal(text) == .notWellFormed, "\(text)")
        }
        #expect(refusal([UInt8](repeating: 0x7F, count: 50_000)) == .notWellFormed)
        #expect(try CBORDocument(hex("5fff")).root.bytes().isEmpty)
        #expect(try CBORDocument(hex("5f41aa405802bbccff")).root.bytes() == [0xAA, 0xBB, 0xCC])
    }

    /// Writes an item in the least usual way that is valid.
    static func respelt(_ item: CBORItem, into encoder: inout CBOREncoder) throws {
        switch item.kind {
        case .unsigned: encoder.head(.unsigned, try item.unsigned(), width: .eight)
        case .negative: encoder.head(.negative, UInt64(bitPattern: ~(try item.integer())), width: .eight)
        case .bytes:
            let bytes = try item.bytes()
            encoder.indefiniteByteString()
            encoder.head(.bytes, UInt64(bytes.count / 2), width: .two)
            encoder.raw(bytes.prefix(bytes.count / 2))
            encoder.byteString(bytes.dropFirst(bytes.count / 2))
            encoder.endIndefinite()
        case .text:
            encoder.head(.text, UInt64(try item.textBytes().count), width: .four)
            encoder.raw(try item.textBytes())
        case .array:
            encoder.indefiniteArray()
            for child in item.items { try respelt(child, into: &encoder) }
            encoder.endIndefinite()
        case .map:
            encoder.indefiniteMap()
            for (key, value) in item.pairs.reversed() {
                try respelt(key, into: &encoder)
                try respelt(value, into: &encoder)
            }
            encoder.endIndefinite()
        case .tag:
            encoder.head(.tag, try #require(item.tagNumber), width: .two)
            try respelt(try #require(item.tagged), into: &encoder)
        case .boolean, .null, .undefined, .simple, .float: encoder.raw(item.encoded)
        }
    }

    /// The same value, whatever the order of map keys.
    static func agree(_ one: CBORItem, _ other: CBORItem) -> Bool {
        if one.kind != other.kind || one.count != other.count || one.tagNumber != other.tagNumber { return false }
        switch one.kind {
        case .array: return zip(one.items, other.items).allSatisfy(agree)
        case .map: return zip(one.pairs, other.pairs.reversed()).allSatisfy { agree($0.0, $1.0) && agree($0.1, $1.1) }
        case .tag: return agree(one.tagged!, other.tagged!)
        default: return diagnostic(one) == diagnostic(other)
        }
    }

    @Test(.enabled(if: Vectors.available("realworld")), arguments: real)
    func `C29 valid spellings that are not minimal are read, to the same values, and kept as they came`(
        _ path: String
    ) throws {
        let bytes = try Vectors.bytes(path)
        let item = try CBORDocument(bytes).root
        #expect(item.encoded == bytes[...])
        var encoder = CBOREncoder()
        try Self.respelt(item, into: &encoder)
        let odd = try CBORDocument(encoder.bytes).root
        #expect(encoder.bytes != bytes)
        #expect(odd.encoded == encoder.bytes[...])
        #expect(Self.agree(item, odd))
        let shortest = try encoded(item)
        // Two of these issuers write maps with counts of 16 bits.
        #expect((shortest == bytes) == !(path.contains("auth0") || path.contains("bdr")), "\(path)")
        #expect(shortest.count <= bytes.count)
        Vectors.ran(1, of: "cbor-respelt")
    }
}
