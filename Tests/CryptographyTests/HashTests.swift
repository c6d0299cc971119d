import Cryptography
import Testing

@Suite struct HashTests {
    /// FIPS 180-4's own examples, as NIST publishes them.
    static let known: [(HashAlgorithm, String, String)] = [
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            .sha384, "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha512, "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
                + "454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ]

    @Test(arguments: known)
    func `a known message has its known digest`(algorithm: HashAlgorithm, message: String, digest: String) throws {
        let expected = try #require(hex(digest))
        #expect(Hash.digest(Array(message.utf8), algorithm) == expected)
        #expect(Hash.digest(message.utf8, algorithm) == expected)
        #expect(Hash.digest(message.utf8.reversed().reversed() as [UInt8], algorithm) == expected)
        #expect(expected.count == algorithm.length)
        if algorithm == .sha256 { #expect(Hash.sha256(Array(message.utf8)[...]) == expected) }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `parts hash as their joined whole, and cut differently they hash the same`(algorithm: HashAlgorithm) {
        let message = (0..<300).map { UInt8($0 & 0xff) }
        let whole = Hash.digest(message, algorithm)
        for cut in 0...message.count {
            #expect(Hash.digest(parts: [message[..<cut], [], message[cut...]], algorithm) == whole)
        }
        #expect(Hash.digest(parts: [], algorithm) == Hash.digest([UInt8](), algorithm))
        #expect(Hash.digest(parts: [message[1...], message[..<1]], algorithm) != whole)
    }

    /// RFC 4231 §4.2, §4.3, §4.7; the third key is longer than a block.
    static let codes: [([UInt8], String, String)] = [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        // The empty key and message, as Python's hashlib gives it; the RFC has no such case.
        ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]

    @Test(arguments: codes)
    func `a known message has its known authentication code`(key: [UInt8], message: String, code: String) throws {
        let expected = try #require(hex(code))
        let message = Array(message.utf8)
        #expect(HMACSHA256.authenticationCode(for: message, key: key) == expected)
        #expect(HMACSHA256.isValid(expected, for: message, key: key))
        #expect(!HMACSHA256.isValid(expected.dropLast(), for: message, key: key))
        #expect(!HMACSHA256.isValid(expected + [0], for: message, key: key))
        #expect(!HMACSHA256.isValid([UInt8](), for: message, key: key))
        #expect(!HMACSHA256.isValid(expected, for: message + [0], key: key))
        #expect(!HMACSHA256.isValid(expected, for: message, key: key + [1]))
    }

    @Test func `an empty key is not the key of the call before`() {
        let message = Array("message".utf8)
        let without = HMACSHA256.authenticationCode(for: message, key: [UInt8]())
        _ = HMACSHA256.authenticationCode(for: message, key: Array("a secret".utf8))
        #expect(HMACSHA256.authenticationCode(for: message, key: [UInt8]()) == without)
        #expect(HMACSHA256.authenticationCode(for: message, key: Array("a secret".utf8)) != without)
    }

    @Test func `equality looks at every byte and at the length`() {
        let bytes = (0..<65).map { UInt8($0) }
        #expect(constantTimeEquals(bytes, bytes[...]))
        #expect(constantTimeEquals([UInt8](), [UInt8]()))
        #expect(!constantTimeEquals(bytes, [UInt8]()))
        #expect(!constantTimeEquals(bytes, bytes.dropLast()))
        #expect(!constantTimeEquals(bytes, bytes + [0]))
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << UInt8(bit)
                #expect(!constantTimeEquals(bytes, changed))
            }
        }
    }

    @Test func `a wiped array is zeros of the same length`() {
        for length in [0, 1, 31, 32, 4096] {
            var bytes = [UInt8](repeating: 0xa5, count: length)
            Wipe.bytes(&bytes)
            #expect(bytes == [UInt8](repeating: 0, count: length))
        }
    }

    @Test func `random bytes are of the length asked for, from the generator given, and never twice the same`() {
        struct Counting: RandomNumberGenerator {
            var count: UInt64 = 0
            mutating func next() -> UInt64 {
                count += 1
                return 0x0807_0605_0403_0201 &+ (count - 1) &* 0x0808_0808_0808_0808
            }
        }
        for length in 0...40 {
            var counting = Counting()
            #expect(counting.bytes(length) == (0..<length).map { UInt8($0 + 1) })
        }
        var random = SecureRandom()
        #expect(Set((0..<1000).map { _ in random.bytes(16) }).count == 1000)
    }
}
