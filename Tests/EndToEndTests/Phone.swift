import Foundation
import WalletKit

/// The wallet of a gateway's folder in the test's own process: a thousand answers do not take a thousand processes.
struct Phone: Sendable {
    private let issuer: Issuer
    private let card: Card
    private let keys: [String: PrivateKey]
    private let now: Moment

    init(beside gateway: RunningGateway) throws {
        let demo = gateway.folder.appendingPathComponent("var/demo")
        func text(_ name: String) throws -> String {
            try String(contentsOf: demo.appendingPathComponent(name), encoding: .utf8)
        }
        func pair(_ name: String) throws -> Issuer.Kept.Pair {
            guard let certificate = try PEM.decode(text(name + ".pem"), label: "CERTIFICATE").first else {
                throw RunningGateway.Failure(words: "no certificate in \(name).pem")
            }
            return (try PrivateKey(pem: text(name + ".key")), certificate)
        }
        now = Moment(seconds: Int64(Date().timeIntervalSince1970))
        issuer = try Issuer(
            restoring: Issuer.Kept(
                root: pair("iaca"), signer: pair("signer"), revokedSigner: pair("revoked-signer")),
            IssuerOptions(), created: now)
        card = try Card.sample(.jp, at: now)
        keys = [
            "merchant.example.sekisho": try PrivateKey(pem: text("merchant.key")),
            "merchant.example.beta": try PrivateKey(pem: text("sandbox/beta-merchant.key")),
        ]
    }

    /// SHA-256 of the key that the gateway, alpha and gamma share, in hexadecimal: what a configuration names it by.
    var sharedKeyHash: String {
        get throws {
            guard let key = keys["merchant.example.sekisho"] else { throw RunningGateway.Failure(words: "no key") }
            return try Merchant(identifier: "", teamIdentifier: "", key: key).keyHash
                .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }

    /// The body of a submission that answers a session as the gateway told it.
    func answer(_ session: [String: Any], fault: String? = nil) throws -> String {
        guard let request = session["wallet_request"] as? [String: Any],
            let merchant = request["merchant_identifier"] as? String, let key = keys[merchant],
            let nonce = (request["nonce"] as? String).flatMap(Self.bytes),
            let type = request["document_type"] as? String,
            let elements = request["elements"] as? [String]
        else { throw RunningGateway.Failure(words: "no request to a wallet: \(session)") }
        let team = request["team_identifier"] as? String ?? "SEKISHO123"
        let wallet = Wallet(
            issuer: issuer, card: card, merchant: Merchant(identifier: merchant, teamIdentifier: team, key: key))
        let envelope = try wallet.present(
            WalletRequest(
                merchantIdentifier: merchant, teamIdentifier: team, nonce: nonce, documentType: type,
                elements: elements), fault: fault.map { try Fault.named($0) }, at: now)
        return #"{"encrypted_data":"\#(Data(envelope).base64EncodedString())"}"#
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let plain = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return Data(base64Encoded: String(plain) + padding).map { Array($0) }
    }
}
