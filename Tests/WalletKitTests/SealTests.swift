import Foundation
import TestSupport
import Testing

@testable import WalletKit

private let hpkeVectors = "crypto/hpke/rfc9180_base_p256_hkdfsha256.json"

@Suite struct `Sealing an answer` {
    @Test(.enabled(if: Vectors.available(hpkeVectors)))
    func `the first message of RFC 9180 comes out byte for byte`() throws {
        let all = try #require(JSONSerialization.jsonObject(with: Data(Vectors.bytes(hpkeVectors))) as? [[String: Any]])
        // AES-128-GCM (AEAD 1) is the wallet's only suite.
        let vectors = all.filter { $0["aead_id"] as? Int == 1 && $0["kdf_id"] as? Int == 1 && $0["mode"] as? Int == 0 }
        #expect(!vectors.isEmpty)
        for vector in vectors {
            func field(_ name: String) throws -> [UInt8] { try hex(#require(vector[name] as? String)) }
            let message = try #require((vector["encryptions"] as? [[String: Any]])?.first)
            func part(_ name: String) throws -> [UInt8] { try hex(#require(message[name] as? String)) }
            let ephemeral = try PrivateKey(.p256, number: field("skEm"))
            let sealed = try Seal.seal(
                part("pt"), to: field("pkRm"), info: field("info"), aad: part("aad"), ephemeral: ephemeral)
            #expect(sealed.encapsulated == (try field("enc")))
            #expect(sealed.ciphertext == (try part("ct")))
        }
        Vectors.ran(vectors.count, of: "wallet-hpke-rfc9180")
    }

    @Test func `a recipient off the curve is refused`() throws {
        let ephemeral = try PrivateKey(.p256)
        #expect(throws: WalletError.self) {
            try Seal.seal(
                [1], to: [4] + [UInt8](repeating: 0, count: 64), info: [], ephemeral: ephemeral)
        }
    }

    @Test func `Apple's own transcript comes out byte for byte`() throws {
        let folder = "apple/sample/session_transcript.txt"
        guard Vectors.available(folder) else { return }
        let expected = try hex(Vectors.text(folder))
        let cases = try #require(
            JSONSerialization.jsonObject(with: Data(Vectors.bytes("apple/cases.json"))) as? [String: Any])
        let control = try #require(
            (cases["cases"] as? [[String: Any]])?.first { $0["name"] as? String == "control-original" })
        let request = WalletRequest(
            merchantIdentifier: try #require(control["merchant_identifier"] as? String),
            teamIdentifier: try #require(control["team_identifier"] as? String),
            nonce: try hex(#require(control["nonce_hex"] as? String)), documentType: "us-drivers-license", elements: [])
        let point = try hex(Vectors.text("apple/sample/merchant_encryption_uncompressed_public_key.txt"))
        #expect(request.transcript(recipientKeyHash: try LibCrypto.digest(point)) == expected)
        Vectors.ran(1, of: "wallet-apple-transcript")
    }
}

func hex(_ text: String) throws -> [UInt8] {
    let digits = Array(text)
    return try stride(from: 0, to: digits.count, by: 2).map {
        try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
    }
}
