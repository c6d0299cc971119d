import COpenSSL
import TestSupport
import Testing

@testable import Cryptography

@Suite struct ECDSATests {
    private struct Group: Decodable {
        let publicKey: Key
        let tests: [Case]
    }

    private struct Key: Decodable {
        let uncompressed: Wycheproof.Hex
    }

    private struct Case: Decodable {
        let tcId: Int
        let msg: Wycheproof.Hex
        let sig: Wycheproof.Hex
        let result: Wycheproof.Outcome
    }

    struct File: CustomTestStringConvertible {
        let name: String
        let curve: Curve
        let hash: HashAlgorithm
        var testDescription: String { name }
    }

    static let files = [
        File(name: "ecdsa_secp256r1_sha256_p1363", curve: .p256, hash: .sha256),
        File(name: "ecdsa_secp384r1_sha384_p1363", curve: .p384, hash: .sha384),
        File(name: "ecdsa_secp521r1_sha512_p1363", curve: .p521, hash: .sha512),
    ]

    @Test(
        .enabled(if: files.allSatisfy { Wycheproof.isAvailable($0.name) }), arguments: files)
    func `every Wycheproof case gives its result`(file: File) throws {
        var count = 0
        for group in try Wycheproof.load(file.name, Group.self) {
            let point = group.publicKey.uncompressed.bytes
            let key = try ECPublicKey(curve: file.curve, uncompressed: point)
            #expect(key.uncompressed == point)
            for test in group.tests {
                let verdict = key.verify(signature: test.sig.bytes, over: test.msg.bytes, hash: file.hash)
                #expect(test.result != .acceptable, "case \(test.tcId) leaves its result open")
                #expect(verdict == (test.result == .valid), "case \(test.tcId)")
                if test.result == .valid {
                    #expect(!key.verify(signature: test.sig.bytes, over: test.msg.bytes + [0], hash: file.hash))
                }
                count += 1
            }
        }
        #expect(count > 0)
        Vectors.ran(count, of: "wycheproof/\(file.name)")
    }

    /// The example of RFC 6979 §A.2.5: P-256, SHA-256, "sample".
    private static let point =
        "04"
        + "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    private static let signature =
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
        + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"

    @Test func `RFC 6979's example verifies, and no change of one byte of it does`() throws {
        let key = try ECPublicKey(curve: .p256, uncompressed: try #require(hex(Self.point)))
        let signature = try #require(hex(Self.signature))
        let message = Array("sample".utf8)
        #expect(key.verify(signature: signature, over: message, hash: .sha256))
        #expect(key.verify(signature: signature[...], over: message[...], hash: .sha256))
        for place in signature.indices {
            var changed = signature
            changed[place] ^= 0x40
            #expect(!key.verify(signature: changed, over: message, hash: .sha256))
        }
        #expect(!key.verify(signature: signature, over: message, hash: .sha384))
        #expect(!key.verify(signature: signature, over: Array("sampl".utf8), hash: .sha256))
    }

    @Test func `a signature is of exactly two fixed widths`() throws {
        let key = try ECPublicKey(curve: .p256, uncompressed: try #require(hex(Self.point)))
        let signature = try #require(hex(Self.signature))
        let message = Array("sample".utf8)
        let r = signature.prefix(32)
        let s = signature.suffix(32)
        let wrong: [[UInt8]] = [
            [], Array(r), signature.dropLast(), signature + [0], [0] + signature, [0] + r + [0] + s,
            // A signature for P-384 with both halves padded.
            [UInt8](repeating: 0, count: 16) + r + [UInt8](repeating: 0, count: 16) + s,
            // The DER form of the same numbers.
            [0x30, 0x46, 0x02, 0x21, 0x00] + r + [0x02, 0x21, 0x00] + s,
        ]
        for signature in wrong { #expect(!key.verify(signature: signature, over: message, hash: .sha256)) }
    }

    @Test func `a digest of another length than its algorithm's is refused`() throws {
        let key = try ECPublicKey(curve: .p256, uncompressed: try #require(hex(Self.point)))
        let signature = try #require(hex(Self.signature))
        let digest = Hash.sha256(Array("sample".utf8))
        #expect(key.verify(signature: signature, digest: digest, hash: .sha256))
        #expect(!key.verify(signature: signature, digest: digest, hash: .sha384))
        #expect(!key.verify(signature: signature, digest: digest.dropLast(), hash: .sha256))
        #expect(!key.verify(signature: signature, digest: digest + [0], hash: .sha256))
    }

    @Test(arguments: Curve.allCases)
    func `the DER form is the one that OpenSSL writes, for small, large and zero numbers`(curve: Curve) throws {
        let width = curve.coordinateLength
        var random = SecureRandom()
        var numbers: [[UInt8]] = [
            [UInt8](repeating: 0, count: width), [UInt8](repeating: 0xff, count: width),
            [0x80] + [UInt8](repeating: 0, count: width - 1), [0x7f] + [UInt8](repeating: 0xff, count: width - 1),
        ]
        for zeros in 0...width {
            numbers.append([UInt8](repeating: 0, count: zeros) + random.bytes(width - zeros))
        }
        for r in numbers {
            for s in numbers {
                let ours = (r + s).withUnsafeBufferPointer { raw in
                    ECDSASignature.withDER(raw: raw) { Array($0) }
                }
                let theirs = try #require(Self.encodedByOpenSSL(r, s))
                #expect(ours == theirs)
                #expect(ours.count <= ECDSASignature.maximumLength)
            }
        }
    }

    private static func encodedByOpenSSL(_ r: [UInt8], _ s: [UInt8]) -> [UInt8]? {
        guard let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        ECDSA_SIG_set0(signature, BN_bin2bn(r, Int32(r.count), nil), BN_bin2bn(s, Int32(s.count), nil))
        var out: UnsafeMutablePointer<UInt8>?
        let length = i2d_ECDSA_SIG(signature, &out)
        guard length > 0, let out else { return nil }
        defer { CRYPTO_free(out, #file, #line) }
        return Array(UnsafeBufferPointer(start: out, count: Int(length)))
    }
}
