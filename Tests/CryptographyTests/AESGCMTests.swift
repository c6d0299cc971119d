import Cryptography
import TestSupport
import Testing

@Suite struct AESGCMTests {
    private struct Group: Decodable {
        let keySize: Int
        let ivSize: Int
        let tagSize: Int
        let tests: [Case]
    }

    private struct Case: Decodable {
        let tcId: Int
        let key: Wycheproof.Hex
        let iv: Wycheproof.Hex
        let aad: Wycheproof.Hex
        let msg: Wycheproof.Hex
        let ct: Wycheproof.Hex
        let tag: Wycheproof.Hex
        let result: Wycheproof.Outcome
    }

    @Test(.enabled(if: Wycheproof.isAvailable("aes_gcm")))
    func `every Wycheproof case of a supported size gives its result, and every other size is refused`() throws {
        var judged = 0
        var refused: [String: Int] = [:]
        for group in try Wycheproof.load("aes_gcm", Group.self) {
            for test in group.tests {
                let sealed = test.ct.bytes + test.tag.bytes
                let opened = Result {
                    try AESGCM.open(sealed, key: test.key.bytes, nonce: test.iv.bytes, aad: test.aad.bytes)
                }
                let made = Result {
                    try AESGCM.seal(test.msg.bytes, key: test.key.bytes, nonce: test.iv.bytes, aad: test.aad.bytes)
                }
                if group.ivSize != 96 || group.keySize == 192 {
                    let reason: CryptographyError = group.ivSize != 96 ? .unsupported : .invalidKey
                    #expect(throws: reason, "case \(test.tcId)") { try opened.get() }
                    #expect(throws: reason, "case \(test.tcId)") { try made.get() }
                    refused[group.ivSize != 96 ? "nonce not of 96 bits" : "key of 192 bits", default: 0] += 1
                    continue
                }
                #expect(group.tagSize == 128)
                judged += 1
                switch test.result {
                case .valid:
                    #expect(try opened.get() == test.msg.bytes, "case \(test.tcId)")
                    #expect(try made.get() == sealed, "case \(test.tcId)")
                case .invalid:
                    #expect(throws: CryptographyError.authenticationFailed, "case \(test.tcId)") { try opened.get() }
                    #expect(try made.get() != sealed, "case \(test.tcId)")
                case .acceptable:
                    Issue.record("case \(test.tcId) leaves its result open")
                }
            }
        }
        #expect(judged > 0)
        for (reason, count) in refused.sorted(by: { $0.key < $1.key }) {
            print("REFUSED BY DESIGN: wycheproof aes_gcm: \(count) cases: \(reason)")
        }
        Vectors.ran(judged + refused.values.reduce(0, +), of: "wycheproof/aes_gcm")
    }

    private let key = [UInt8](repeating: 7, count: 32)
    private let nonce = [UInt8](repeating: 9, count: 12)

    @Test(arguments: [0, 1, 15, 16, 17, 4096])
    func `what is sealed opens again, and not with one bit changed anywhere`(length: Int) throws {
        var random = SecureRandom()
        let plaintext = random.bytes(length)
        let aad = random.bytes(20)
        let sealed = try AESGCM.seal(plaintext, key: key, nonce: nonce, aad: aad)
        #expect(sealed.count == length + AESGCM.tagLength)
        #expect(try AESGCM.open(sealed, key: key, nonce: nonce, aad: aad) == plaintext)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= UInt8(1 << (place % 8))
            #expect(throws: CryptographyError.authenticationFailed) {
                try AESGCM.open(changed, key: key, nonce: nonce, aad: aad)
            }
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try AESGCM.open(sealed, key: key, nonce: nonce, aad: aad.dropLast())
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try AESGCM.open(sealed, key: key, nonce: nonce.map { $0 ^ 1 }, aad: aad)
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try AESGCM.open(sealed, key: key.map { $0 ^ 1 }, nonce: nonce, aad: aad)
        }
        // A failure leaves nothing behind that the next use of the thread's context could meet.
        #expect(try AESGCM.open(sealed, key: key, nonce: nonce, aad: aad) == plaintext)
    }

    @Test(arguments: 0..<16)
    func `less than a tag is never opened`(length: Int) {
        #expect(throws: CryptographyError.authenticationFailed) {
            try AESGCM.open([UInt8](repeating: 0, count: length), key: key, nonce: nonce)
        }
    }

    @Test(arguments: [0, 1, 15, 17, 24, 31, 33, 64])
    func `a key of another length is refused`(length: Int) {
        #expect(throws: CryptographyError.invalidKey) {
            try AESGCM.seal([1], key: [UInt8](repeating: 0, count: length), nonce: nonce)
        }
        #expect(throws: CryptographyError.invalidKey) {
            try AESGCM.open(
                [UInt8](repeating: 0, count: 32), key: [UInt8](repeating: 0, count: length), nonce: nonce)
        }
    }
}
