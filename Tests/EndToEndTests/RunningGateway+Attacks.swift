import Foundation
import VerificationCore
import WalletKit

/// What an attacker with an account can do: seal anything at all to the merchant's key.
extension RunningGateway {
    /// The body of a submission whose answer was changed at will. The issuer is not the configured one.
    func forged(
        for session: Answer, card: Card.Kind = .jp, _ edit: (inout Plan) -> Void
    ) throws -> String {
        let now = Moment(seconds: Int64(Date().timeIntervalSince1970))
        let pem = try String(contentsOf: folder.appendingPathComponent("var/demo/merchant.key"), encoding: .utf8)
        guard let nonce = (session.json["nonce"] as? String).flatMap({ ByteText.bytes(base64: $0) }) else {
            throw Failure(words: "no nonce in " + session.text)
        }
        let merchant = Merchant(
            identifier: "merchant.example.sekisho", teamIdentifier: "SEKISHO123", key: try PrivateKey(pem: pem))
        let wallet = Wallet(
            issuer: try Issuer(at: now), card: try Card.sample(card, at: now), merchant: merchant)
        var plan = try wallet.plan(merchant.request(nonce: nonce), at: now)
        edit(&plan)
        return try Self.submission(wallet.seal(plan))
    }

    /// The body of a submission of these bytes.
    static func submission(_ bytes: [UInt8]) -> String { #"{"encrypted_data":"\#(ByteText.base64(bytes))"}"# }

    /// The process: the one that works in this gateway's folder.
    func processIdentifier() throws -> Int32 {
        let own = folder.resolvingSymlinksInPath().path
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let number = Int32(name),
                let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd"),
                place == own
            else { continue }
            return number
        }
        throw Failure(words: "nothing runs in " + own)
    }

    /// The most memory that the process has had, in bytes.
    func peakBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(processIdentifier())/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }
}
