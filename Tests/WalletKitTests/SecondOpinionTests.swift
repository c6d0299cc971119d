import Foundation
import Testing

@testable import WalletKit

private let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/second_opinion.py").path

private let isThere: Bool = {
    if let run = try? Tool.run("python3", ["-c", "import cryptography"]), run.code == 0 { return true }
    print("SKIPPED: python3 with pyca/cryptography is absent: nobody else reads the wallet's answers")
    return false
}()

@Suite struct `Another implementation reads the wallet's answers` {
    @Test(.enabled(if: isThere), arguments: Card.Kind.allCases)
    func `every hash, signature and certificate holds in Python too`(kind: Card.Kind) throws {
        // Python's own library reads certificates strictly, so the dates must be of today.
        let now = Moment(seconds: Int64(Date().timeIntervalSince1970))
        let merchant = try Merchant()
        let wallet = Wallet(
            issuer: try Issuer(at: now), card: try Card.sample(kind, at: now), merchant: merchant)
        let nonce = LibCrypto.random(32)
        let request = merchant.request(nonce: nonce, documentType: kind.documentType)
        let folder = try Folder()
        let key = try folder.write("merchant.key", merchant.key.pem)
        let root = try folder.write("iaca.pem", PEM.encode(wallet.issuer.root, label: "CERTIFICATE"))
        func opinion(_ envelope: [UInt8], nonce: [UInt8]) throws -> (output: String, code: Int32) {
            let text = nonce.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return try Tool.run(
                "python3", [script, key, root, text, request.merchantIdentifier, request.teamIdentifier],
                input: envelope)
        }
        let genuine = try opinion(wallet.present(request, at: now), nonce: nonce)
        #expect(genuine.code == 0, "\(genuine.output)")
        #expect(genuine.output.contains(kind == .jp ? "\"01101\"" : "1990-07-14"))
        #expect(genuine.output.contains("\"portrait\": 3000"))
        for name in ["value_changed", "resealed_old_response", "root_forged", "object_altered", "tag_flipped"] {
            let forged = try opinion(wallet.present(request, fault: .named(name), at: now), nonce: nonce)
            #expect(forged.code != 0, "\(name)")
        }
    }
}
