import CBOR
import COSE
import TestSupport
import Testing

@Suite struct KeyTests {
    static func keyRefusal(_ bytes: [UInt8]) throws -> COSEError? {
        let item = try item(bytes)
        return refusal { () throws(COSEError) in try COSEKey(item: item) }
    }

    /// The P-256 key with other parameters behind it; each is one pair.
    static func extended(_ pairs: String...) -> [UInt8] {
        var bytes = hex(ForeignSignatures.p256) + pairs.flatMap(hex)
        bytes[0] += UInt8(pairs.count)
        return bytes
    }

    @Test func `C13 labels that are texts make no key`() throws {
        let x = hex(ForeignSignatures.p256)[6..<40]
        let y = hex(ForeignSignatures.p256)[41..<75]
        let text = hex("a461310262 2d31 01 622d32") + x + hex("622d33") + y
        #expect(try Self.keyRefusal(text) == .malformed)
        #expect(try Self.keyRefusal(hex(ForeignSignatures.p256)) == nil)
    }

    @Test func `a point that is not whole or not on its curve makes no key`() throws {
        let good = hex(ForeignSignatures.p256)
        var offCurve = good
        offCurve[good.count - 1] ^= 1
        #expect(try Self.keyRefusal(offCurve) == .malformed)
        let zero = String(repeating: "00", count: 32)
        #expect(try Self.keyRefusal(hex("a4010220012158 20\(zero)225820\(zero)")) == .malformed)
        #expect(try Self.keyRefusal(hex("a40102200121 40 2240")) == .malformed)
        // One byte short, which would fit if leading zeros might be dropped; one too long.
        let x = good[8..<40]
        let y = good[43..<75]
        func key(_ x: [UInt8], _ y: [UInt8]) -> [UInt8] {
            cbor { encoder in
                encoder.raw(hex("a40102200121"))
                encoder.byteString(x)
                encoder.integer(-3)
                encoder.byteString(y)
            }
        }
        #expect(try Self.keyRefusal(key(Array(x), Array(y))) == nil)
        #expect(try Self.keyRefusal(key(Array(x.dropFirst()), Array(y))) == .malformed)
        #expect(try Self.keyRefusal(key([0] + x, Array(y))) == .malformed)
        #expect(try Self.keyRefusal(key(Array(y), Array(x))) == .malformed)
    }

    @Test func `curves and key types that are none of ours are unsupported`() throws {
        let good = hex(ForeignSignatures.p256)
        // secp256k1, X25519, brainpoolP256r1, a text; the point itself is well-formed.
        for curve in ["08", "04", "190100", "65502d323536", "3a7fffffff", "3bffffffffffffffff"] {
            let changed = Array(good[..<4]) + hex(curve) + good[5...]
            #expect(try Self.keyRefusal(changed) == .algorithmUnsupported, "\(curve)")
        }
        for type in ["04", "00", "20", "63454332"] {
            let changed = Array(good[..<2]) + hex(type) + good[3...]
            #expect(try Self.keyRefusal(changed) == .algorithmUnsupported, "\(type)")
        }
        // The right curve of another key is not this key's curve.
        #expect(try Self.keyRefusal(Array(good[..<4]) + hex("02") + good[5...]) == .malformed)
        // y as a sign: well-formed by RFC 9053 §7.1.1, and not read.
        #expect(try Self.keyRefusal(hex("a4010220012158 20") + good[8..<40] + hex("22f5")) == .algorithmUnsupported)
    }

    @Test func `what a key says of its use is kept to`() throws {
        #expect(try Self.keyRefusal(Self.extended("0326")) == nil)
        #expect(try Self.keyRefusal(Self.extended("033806")) == nil)
        #expect(try Self.keyRefusal(Self.extended("033822")) == .algorithmUnsupported)
        #expect(try Self.keyRefusal(Self.extended("033818")) == .algorithmUnsupported)
        #expect(try Self.keyRefusal(Self.extended("048102")) == nil)
        #expect(try Self.keyRefusal(Self.extended("04820102")) == nil)
        #expect(try Self.keyRefusal(Self.extended("048101")) == .malformed)
        #expect(try Self.keyRefusal(Self.extended("0480")) == .malformed)
        #expect(try Self.keyRefusal(Self.extended("0402")) == .malformed)
        // A key identifier and what nobody knows.
        #expect(try Self.keyRefusal(Self.extended("02423131", "3903e700", "6161f6")) == nil)
        // The private part.
        #expect(try Self.keyRefusal(Self.extended("235820" + String(repeating: "01", count: 32))) == .malformed)
    }

    @Test func `an Ed25519 key is 32 bytes on curve 6`() throws {
        let x = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
        #expect(try Self.keyRefusal(hex("a3010120062158 20" + x)) == nil)
        #expect(try Self.keyRefusal(hex("a3010120042158 20" + x)) == .algorithmUnsupported)
        #expect(try Self.keyRefusal(hex("a3010120062158 1f" + x.dropLast(2))) == .malformed)
        #expect(try Self.keyRefusal(hex("a301012006215821" + x + "00")) == .malformed)
        #expect(try Self.keyRefusal(hex("a2010120 06")) == .malformed)
    }
}
