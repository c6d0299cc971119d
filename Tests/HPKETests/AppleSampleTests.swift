import Cryptography
import HPKE
import TestSupport
import Testing

/// Apple's own sample: an envelope, its key and the plaintext.
struct AppleSample {
    static let path = "apple/sample/hpke_envelope.cbor"

    let key: P256PrivateKey
    let enc: [UInt8]
    let info: [UInt8]
    let data: [UInt8]
    let plaintext: [UInt8]

    init() throws {
        key = try P256PrivateKey(try Vectors.bytes("apple/sample/merchant_encryption.key"))
        enc = try #require(hex(try Vectors.text("apple/sample/pkem.txt")))
        info = try #require(hex(try Vectors.text("apple/sample/session_transcript.txt")))
        plaintext = try #require(hex(try Vectors.text("apple/sample/plaintext_topics.cbor")))
        // These tests know no CBOR: the key "data", then a byte string with a length of two bytes, to the end.
        let envelope = try #require(hex(try Vectors.text(Self.path)))
        let mark = Array("\u{64}data".utf8) + [0x59]
        let start = try #require(envelope.indices.first { envelope[$0...].starts(with: mark) }) + mark.count
        data = Array(envelope[(start + 2)...])
        try #require(data.count == Int(envelope[start]) << 8 | Int(envelope[start + 1]))
    }

    func open(
        enc: [UInt8]? = nil, data: [UInt8]? = nil, info: [UInt8]? = nil, aad: [UInt8] = []
    ) throws(HPKEError) -> [UInt8] {
        try HPKE.open(
            enc: (enc ?? self.enc)[...], ciphertext: (data ?? self.data)[...], recipient: key, info: info ?? self.info,
            aad: aad)
    }
}

@Suite(.enabled(if: Vectors.available(AppleSample.path))) struct AppleSampleTests {
    @Test func `Apple's sample opens to Apple's plaintext`() throws {
        let sample = try AppleSample()
        #expect(try sample.open() == sample.plaintext)
        Vectors.ran(1, of: "apple/sample/hpke_envelope")
    }

    @Test func `another info, associated data or key does not open it`() throws {
        let sample = try AppleSample()
        for info in [
            [], Hash.sha256(sample.info), sample.info + [0], sample.info.dropLast(),
            [0xd8, 0x18, 0x58, 200] + sample.info,
        ] {
            #expect(throws: HPKEError.openFailed) { try sample.open(info: info) }
        }
        #expect(throws: HPKEError.openFailed) { try sample.open(aad: sample.info) }
        #expect(throws: HPKEError.openFailed) { try sample.open(aad: [0]) }
        #expect(throws: HPKEError.openFailed) {
            try HPKE.open(
                enc: sample.enc[...], ciphertext: sample.data[...],
                recipient: try P256PrivateKey(scalar: [UInt8](repeating: 1, count: 32)), info: sample.info)
        }
    }

    @Test func `H15 an encapsulated key that is not a point on the curve is refused`() throws {
        let sample = try AppleSample()
        let x = sample.enc[1...32]
        let y = sample.enc[33...]
        let zeros = [UInt8](repeating: 0, count: 64)
        let sign = try #require(y.last) & 1
        let wrong: [[UInt8]] = [
            [], [0x00], [0x04], [0x04] + zeros, sample.enc.dropLast(), sample.enc + [0], [0x02 + sign] + x,
            [0x06 + sign] + x + y, [0x00] + x + y, Array(x + y), [0x04] + y + x,
            [0x04] + [UInt8](repeating: 0xff, count: 64),
        ]
        for enc in wrong { #expect(throws: HPKEError.encapsulatedKeyInvalid) { try sample.open(enc: enc) } }
        // Another point of the curve is a key, but not this message's.
        #expect(throws: HPKEError.openFailed) { try sample.open(enc: sample.key.publicKey.uncompressed) }
    }

    @Test(.enabled(if: Vectors.available("crypto/wycheproof/ecdh_secp256r1_ecpoint_test.json")))
    func `H15 every invalid point of the Wycheproof file is refused as an encapsulated key`() throws {
        let sample = try AppleSample()
        var count = 0
        for point in try InvalidPoints.load() {
            #expect(throws: HPKEError.encapsulatedKeyInvalid) { try sample.open(enc: point) }
            count += 1
        }
        #expect(count >= 17)
        Vectors.ran(count, of: "wycheproof/ecdh_secp256r1_ecpoint as encapsulated keys")
    }

    @Test func `H16 a ciphertext shorter than a tag, or of one, is refused`() throws {
        let sample = try AppleSample()
        for length in 0...17 {
            #expect(throws: HPKEError.openFailed) { try sample.open(data: Array(sample.data.prefix(length))) }
            #expect(throws: HPKEError.openFailed) { try sample.open(data: Array(sample.data.suffix(length))) }
            #expect(throws: HPKEError.openFailed) { try sample.open(data: [UInt8](repeating: 0, count: length)) }
        }
    }

    @Test func `H16 a change of any one byte of the ciphertext is refused, always with the same reason`() throws {
        let sample = try AppleSample()
        var data = sample.data
        for place in data.indices {
            data[place] ^= 0x01
            #expect(throws: HPKEError.openFailed) { try sample.open(data: data) }
            data[place] ^= 0x01
        }
        #expect(try sample.open(data: data) == sample.plaintext)
        Vectors.ran(data.count, of: "apple/sample/hpke_envelope with one byte changed")
    }

    @Test func `H16 a megabyte of other data is refused`() throws {
        let sample = try AppleSample()
        var random = SecureRandom()
        #expect(throws: HPKEError.openFailed) { try sample.open(data: random.bytes(1 << 20)) }
        #expect(throws: HPKEError.openFailed) {
            try sample.open(data: sample.data + [UInt8](repeating: 0, count: 1 << 20))
        }
    }
}
