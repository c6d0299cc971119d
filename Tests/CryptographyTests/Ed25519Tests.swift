import Cryptography
import TestSupport
import Testing

@Suite struct Ed25519Tests {
    private struct Group: Decodable {
        let publicKey: Key
        let tests: [Case]
    }

    private struct Key: Decodable {
        let pk: Wycheproof.Hex
    }

    private struct Case: Decodable {
        let tcId: Int
        let msg: Wycheproof.Hex
        let sig: Wycheproof.Hex
        let result: Wycheproof.Outcome
    }

    @Test(.enabled(if: Wycheproof.isAvailable("ed25519")))
    func `every Wycheproof case gives its result`() throws {
        var count = 0
        for group in try Wycheproof.load("ed25519", Group.self) {
            let key = try Ed25519PublicKey(group.publicKey.pk.bytes)
            #expect(key.raw == group.publicKey.pk.bytes)
            for test in group.tests {
                count += 1
                #expect(test.result != .acceptable, "case \(test.tcId) leaves its result open")
                #expect(
                    key.verify(signature: test.sig.bytes, over: test.msg.bytes) == (test.result == .valid),
                    "case \(test.tcId)")
                if test.result == .valid {
                    #expect(!key.verify(signature: test.sig.bytes, over: test.msg.bytes + [0]))
                    #expect(!key.verify(signature: test.sig.bytes + [0], over: test.msg.bytes))
                    #expect(!key.verify(signature: test.sig.bytes.dropLast(), over: test.msg.bytes))
                }
            }
        }
        #expect(count > 0)
        Vectors.ran(count, of: "wycheproof/ed25519")
    }

    @Test(arguments: [0, 1, 31, 33, 57, 64])
    func `a key of another length is refused`(length: Int) {
        #expect(throws: CryptographyError.invalidKey) { try Ed25519PublicKey([UInt8](repeating: 1, count: length)) }
    }
}
