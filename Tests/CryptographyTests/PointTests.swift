import Cryptography
import Foundation
import TestSupport
import Testing

/// The invariant that lets a peer go unchecked when a secret is derived: no ``ECPublicKey`` is off its curve.
@Suite struct PointTests {
    /// The generator of each curve (SEC 2 §2.4.2, §2.5.1, §2.6.1).
    static let generators: [(Curve, String, String)] = [
        (
            .p256, "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        ),
        (
            .p384,
            "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7",
            "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f"
        ),
        (
            .p521,
            "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348"
                + "b3c1856a429bf97e7e31c2e5bd66",
            "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c"
                + "7086a272c24088be94769fd16650"
        ),
    ]

    /// The prime of P-256's field (SEC 2 §2.4.2).
    static let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"

    @Test(arguments: generators)
    func `the generator is read from its point and from its coordinates`(
        curve: Curve, x: String, y: String
    ) throws {
        let x = try #require(hex(x))
        let y = try #require(hex(y))
        let key = try ECPublicKey(curve: curve, uncompressed: [0x04] + x + y)
        #expect(key.uncompressed == [0x04] + x + y)
        #expect(key == (try ECPublicKey(curve: curve, x: x, y: y)))
        #expect(Set([key, try ECPublicKey(curve: curve, x: x[...], y: y[...])]).count == 1)
    }

    @Test(arguments: generators)
    func `H15 a point of any other form, length or place is refused before it is used`(
        curve: Curve, x: String, y: String
    ) throws {
        let x = try #require(hex(x))
        let y = try #require(hex(y))
        let sign = try #require(y.last) & 1
        let zero = [UInt8](repeating: 0, count: x.count)
        var refused: [String: [UInt8]] = [
            "nothing": [], "infinity": [0x00], "infinity at full length": [0x00] + x + y,
            "compressed": [0x02 + sign] + x, "the other compressed": [0x03 - sign] + x,
            "hybrid": [0x06 + sign] + x + y, "hybrid of the other sign": [0x07 - sign] + x + y,
            "compressed head at full length": [0x02 + sign] + x + y, "uncompressed head alone": [0x04],
            "no head": x + y, "one byte short": [0x04] + x + y.dropLast(), "one byte long": [0x04] + x + y + [0],
            "zeros": [0x04] + zero + zero, "x alone": [0x04] + x, "y is zero": [0x04] + x + zero,
            "x is zero": [0x04] + zero + y, "swapped": [0x04] + y + x,
            "all ones": [0x04] + [UInt8](repeating: 0xff, count: 2 * x.count),
            "SPKI head": [0x30, 0x59] + [0x04] + x + y,
        ]
        for place in 0..<y.count {
            var changed = y
            changed[place] ^= 1
            refused["y changed at \(place)"] = [0x04] + x + changed
        }
        for head in UInt8.min...UInt8.max where head != 0x04 { refused["head \(head)"] = [head] + x + y }
        for (name, point) in refused {
            #expect(throws: CryptographyError.invalidPoint, "\(name)") {
                try ECPublicKey(curve: curve, uncompressed: point)
            }
        }
    }

    @Test(arguments: generators)
    func `H15 coordinates of any other width are refused, padded ones too`(curve: Curve, x: String, y: String) throws {
        let x = try #require(hex(x))
        let y = try #require(hex(y))
        let pairs: [([UInt8], [UInt8])] = [
            ([], []), (x, []), ([], y), (x.dropLast(), y), (x, y.dropLast()), ([0] + x, y), (x, [0] + y),
            ([0] + x, [0] + y), (x + [0], y.dropLast()), (x.dropLast(), y + [0]), (Array(x.dropFirst()), [0] + y),
            // The same point, cut in another place.
            (x + y.prefix(1), Array(y.dropFirst())), (x.dropLast(), x.suffix(1) + y), (x + y, []), ([], x + y),
        ]
        for (x, y) in pairs {
            #expect(throws: CryptographyError.invalidPoint) { try ECPublicKey(curve: curve, x: x, y: y) }
        }
    }

    @Test func `H15 a coordinate not below the prime is refused, though its remainder is on the curve`() throws {
        // x = 5 is on P-256; p + 5 is the same residue, written in 32 bytes, and must not be.
        let prime = try #require(hex(Self.prime))
        let y = try #require(hex("459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"))
        let x = [UInt8](repeating: 0, count: 31) + [5]
        _ = try ECPublicKey(curve: .p256, x: x, y: y)
        var carry = 5
        var above = prime
        for place in above.indices.reversed() {
            let sum = Int(above[place]) + carry
            above[place] = UInt8(sum & 0xff)
            carry = sum >> 8
        }
        #expect(carry == 0)
        #expect(throws: CryptographyError.invalidPoint) { try ECPublicKey(curve: .p256, x: above, y: y) }
        #expect(throws: CryptographyError.invalidPoint) { try ECPublicKey(curve: .p256, x: prime, y: y) }
        #expect(throws: CryptographyError.invalidPoint) { try ECPublicKey(curve: .p256, x: x, y: prime) }
    }

    @Test func `a point of one curve is not a point of another`() throws {
        for (curve, x, y) in Self.generators {
            let point = [0x04] + (try #require(hex(x))) + (try #require(hex(y)))
            for other in Curve.allCases where other != curve {
                #expect(throws: CryptographyError.invalidPoint) { try ECPublicKey(curve: other, uncompressed: point) }
            }
        }
    }
}
