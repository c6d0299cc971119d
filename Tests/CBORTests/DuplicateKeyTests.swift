import CBOR
import Testing

@Suite struct DuplicateKeyTests {
    /// Pairs of spellings of one value.
    static let same = [
        ("01", "01"), ("01", "1801"), ("01", "1b0000000000000001"), ("20", "3800"), ("390001", "21"), ("40", "5800"),
        ("4161", "5f4161ff"), ("60", "7fff"), ("626162", "7f61616162ff"), ("7f616162 6263ff", "7f62616261 63ff"),
        ("f5", "f5"), ("f6", "f6"), ("f7", "f7"), ("f0", "f0"), ("f8ff", "f8ff"), ("f93c00", "fa3f800000"),
        ("f93c00", "fb3ff0000000000000"), ("f97e00", "fa7fc00000"), ("80", "9fff"), ("820102", "9f180102ff"),
        ("c101", "d8011801"), ("a0", "bfff"), ("a201020304", "a203040102"), ("d818426161", "d9001858026161"),
        ("81a201820102 03f6", "9fbf03f601820102ffff"),
    ]

    /// Keys of different values, though some look alike.
    static let different = [
        "01", "20", "21", "4101", "4131", "6131", "626131", "f93c00", "f98000", "f90000", "f4", "f5", "f6", "f7", "e1",
        "f8ff", "8101", "820102", "820201", "c101", "c201", "a0", "80", "40", "60", "a10101", "a10102",
        "1bffffffffffffffff",
        "3bffffffffffffffff", "00", "18ff", "19ffff", "f97e00", "d818420101",
    ]

    private static func map(_ keys: [String]) -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.map(count: keys.count)
        for key in keys {
            encoder.raw(hex(key))
            encoder.null()
        }
        return encoder.bytes
    }

    @Test(arguments: same) func `one value in two spellings is one key`(_ one: String, _ other: String) throws {
        for pair in [[one, other], [other, one]] {
            #expect(refusal(Self.map(pair)) == .duplicateKey)
            // Among few, among many, and below something else.
            #expect(refusal(Self.map(["6178"] + pair + ["6179"])) == .duplicateKey)
            let many = (100..<200).map { "18" + String($0, radix: 16) }
            #expect(refusal(Self.map(pair.prefix(1) + many + pair.suffix(1))) == .duplicateKey)
            #expect(refusal([0x82, 0x00, 0xA1, 0x00] + Self.map(pair)) == .duplicateKey)
            #expect(refusal([0xA1] + Self.map(pair) + [0x00]) == .duplicateKey)
            #expect(refusal([0xBF] + Self.map(pair).dropFirst() + [0xFF]) == .duplicateKey)
        }
    }

    @Test func `keys of different values are different keys`() throws {
        #expect(refusal(Self.map(Self.different)) == nil)
        #expect(try CBORDocument(Self.map(Self.different)).root.count == Self.different.count)
        for one in Self.different {
            for other in Self.different where one != other {
                #expect(refusal(Self.map([one, other])) == nil, "\(one) \(other)")
            }
        }
    }

    @Test func `a key twice inside an embedded item is seen when that is read`() throws {
        let outer = try CBORDocument(FaultTests.embedded(hex("a2010218 0103")))
        #expect(refusal { () throws(CBORError) in try outer.root.embedded() } == .duplicateKey)
    }

    /// Comparing each key with each would take 5 thousand million steps; the bound is generous to a slow machine.
    @Test func `a map of a hundred thousand hostile keys is judged in short time`() throws {
        let wide = CBORLimits(depth: 32, items: 400_000, length: 16 << 20)
        #if DEBUG
            // Without optimisation the same takes a thousand times as long.
            let count = 10_000
        #else
            let count = 100_000
        #endif
        let prefix = String(repeating: "a", count: 60)
        let kinds: [(inout CBOREncoder, Int) -> Void] = [
            { $0.unsigned(UInt64(count - $1)) },
            { $0.text(prefix + String(count + $1 ^ 0x5555)) },
            { encoder, number in
                encoder.array(count: 1)
                encoder.unsigned(UInt64(number ^ 0x5555))
            },
        ]
        for write in kinds {
            func bytes(_ last: Int) -> [UInt8] {
                var encoder = CBOREncoder()
                encoder.map(count: count)
                for number in 0..<count {
                    write(&encoder, number == count - 1 ? last : number)
                    encoder.null()
                }
                return encoder.bytes
            }
            let start = ContinuousClock.now
            #expect(refusal(bytes(count - 1), limits: wide) == nil)
            #expect(refusal(bytes(7), limits: wide) == .duplicateKey)
            #expect(ContinuousClock.now - start < .seconds(60))
        }
    }

    @Test func `keys that nest deeper than any standard's are refused before they are compared`() {
        func nested(_ levels: Int) -> [UInt8] {
            var key: [UInt8] = [0x80]
            for _ in 0..<levels { key = [0xA2] + key + [0, 1, 0] }
            return key
        }
        #expect(refusal(nested(4)) == nil)
        #expect(refusal(nested(20)) == .tooDeep)
    }
}
