import Cryptography
import TestSupport
import Testing

@Suite struct ECDHTests {
    private struct Group: Decodable {
        let curve: String
        let tests: [Case]
    }

    private struct Case: Decodable {
        let tcId: Int
        let flags: [String]
        let `public`: Wycheproof.Hex
        let `private`: Wycheproof.Hex
        let shared: Wycheproof.Hex
        let result: Wycheproof.Outcome
    }

    @Test(.enabled(if: Wycheproof.isAvailable("ecdh_secp256r1_ecpoint")))
    func `H15 every Wycheproof case gives its result, and every compressed point is refused`() throws {
        var count = 0
        var compressed = 0
        for group in try Wycheproof.load("ecdh_secp256r1_ecpoint", Group.self) {
            #expect(group.curve == "secp256r1")
            for test in group.tests {
                count += 1
                let scalar = Array(test.private.bytes.drop { $0 == 0 })
                let key = try P256PrivateKey(scalar: [UInt8](repeating: 0, count: 32 - scalar.count) + scalar)
                if test.result == .valid {
                    let peer = try ECPublicKey(curve: .p256, uncompressed: test.public.bytes)
                    #expect(try key.sharedSecret(with: peer) == test.shared.bytes, "case \(test.tcId)")
                    continue
                }
                if test.result == .acceptable {
                    // The only reason a case is left open here is the compressed form, which we refuse.
                    #expect(test.flags.contains("CompressedPoint"), "case \(test.tcId)")
                    compressed += 1
                }
                #expect(throws: CryptographyError.invalidPoint, "case \(test.tcId)") {
                    try ECPublicKey(curve: .p256, uncompressed: test.public.bytes)
                }
            }
        }
        #expect(count > 0)
        print("REFUSED BY DESIGN: wycheproof ecdh_secp256r1_ecpoint: \(compressed) acceptable: compressed points")
        Vectors.ran(count, of: "wycheproof/ecdh_secp256r1_ecpoint")
    }

    @Test func `a peer on another curve is refused`() throws {
        let key = try P256PrivateKey(scalar: [UInt8](repeating: 1, count: 32))
        for (curve, x, y) in PointTests.generators where curve != .p256 {
            let peer = try ECPublicKey(curve: curve, x: try #require(hex(x)), y: try #require(hex(y)))
            #expect(throws: CryptographyError.invalidKey) { try key.sharedSecret(with: peer) }
        }
    }

    @Test func `two keys agree, and a third does not`() throws {
        let keys = try (1...3).map { try P256PrivateKey(scalar: [UInt8](repeating: $0, count: 32)) }
        let first = try keys[0].sharedSecret(with: keys[1].publicKey)
        #expect(try keys[1].sharedSecret(with: keys[0].publicKey) == first)
        #expect(try keys[2].sharedSecret(with: keys[0].publicKey) != first)
        #expect(first.count == 32)
    }
}
