import Foundation
import SandboxKit
import VerificationCore
import WalletKit

/// What every run shares: an issuer, a wallet, the provider alpha of the sandbox in this process, and a folder for the
/// gateways that run beside it.
final class Bed {
    let folder: URL
    let sandbox: Sandbox
    let authority: String
    let alphaKey: String
    private let issuer: Issuer
    private let card: Card
    private let merchant: Merchant

    static let claims = ["name", "address.formatted", "local_gov_code", "birthdate", "portrait"]
    private static let elements = ["givenName", "familyName", "portrait", "address", "dateOfBirth"]
    /// The SHA-256 of ``clientKey``, as in `Config/development.json5`.
    private static let clientKeyHash = "5181bf7b72b66a9c4c69c081147f29a55917a674701af189b6b79289c871fb0f"
    static let clientKey = "demo-app-key"

    init(manifest: URL) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-overhead-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let now = Self.now()
        let moment = Moment(seconds: now.milliseconds / 1000)
        issuer = try Issuer(at: moment)
        card = try .sample(.jp, at: moment)
        merchant = try Merchant()
        let sandboxFolder = SandboxFolder(path: folder.path + "/sandbox")
        authority = sandboxFolder.file("authority.pem")
        try Self.write(WalletKit.PEM.encode(issuer.root, label: "CERTIFICATE"), to: folder, "iaca.pem")
        try Self.write(merchant.key.pem, to: folder, "merchant.key")
        try Self.write(ByteText.hex(Randomness.system.bytes(32)), to: folder, "sealing.key")
        _ = try sandboxFolder.issue(wallet: folder.path, force: false, at: now)
        alphaKey = try String(contentsOfFile: sandboxFolder.file("alpha.key"), encoding: .utf8)
        sandbox = try Sandbox(try sandboxFolder.configuration(clock: Self.now))
        try sandbox.start()
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try Self.write(text, to: folder, "alpha.json5")
        try Self.write(Self.withoutIdempotency(text), to: folder, "alpha-fresh.json5")
    }

    deinit {
        sandbox.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The manifest of the same provider, had it no idempotency: then each submission takes a connection of its own.
    private static func withoutIdempotency(_ manifest: String) throws -> String {
        let lines = manifest.split(separator: "\n", omittingEmptySubsequences: false)
        let kept = lines.filter { line in
            let words = line.drop { $0 == " " }
            return !words.hasPrefix("idempotency:") && words != "retry: { tries: 2, backoff: \"200ms\" },"
        }
        guard kept.count == lines.count - 2 else { throw Failure(words: "alpha's manifest is not what it was") }
        return kept.joined(separator: "\n")
    }

    /// The wallet's answer to a nonce.
    func blob(_ nonce: [UInt8]) throws -> [UInt8] {
        try Wallet(issuer: issuer, card: card, merchant: merchant)
            .present(
                merchant.request(nonce: nonce, elements: Self.elements),
                at: Moment(seconds: Self.now().milliseconds / 1000))
    }

    /// A gateway's configuration, with a purpose for each way to verify.
    func configuration(store: String) throws -> URL {
        let purpose = { (name: String) in
            """
            "\(name)": { document_types: ["org.iso.23220.1.jp.mnc"], claims: \(Self.claims), required_claims: \(Self.claims),
              retention: "1h", relying_party_retention: "30d" },
            """
        }
        let wallet = """
            merchant_identifier: "\(merchant.identifier)", team_identifier: "\(merchant.teamIdentifier)"
            """
        let alpha = { (name: String) in
            """
            "\(name)": { kind: "certified", manifest: "\(name).json5", endpoint: "https://localhost:\(self.sandbox.port)/alpha",
              tls: { ca_file: "\(self.authority)" }, credentials: { api_key: { file: "sandbox/alpha.key" } },
              wallet: { \(wallet), key_holder: "provider" } },
            """
        }
        let text = """
            { environment: "development", http: { port: 0 }, store: \(store),
              sealing: { keys: [{ id: "bench", key: { file: "sealing.key" } }] },
              clients: { app: { key_sha256: ["\(Self.clientKeyHash)"], role: "app",
                purposes: ["alpha", "alpha-fresh", "in-house"] } },
              purposes: { \(["alpha", "alpha-fresh", "in-house"].map(purpose).joined()) },
              verifiers: { \(alpha("alpha")) \(alpha("alpha-fresh"))
                "in-house": { kind: "in_house", wallet: { \(wallet), keys: [{ key: { file: "merchant.key" } }] },
                  trust: [{ path: "iaca.pem" }] } },
              routes: [{ purpose: "alpha", verifier: "alpha" }, { purpose: "alpha-fresh", verifier: "alpha-fresh" },
                { verifier: "in-house" }] }
            """
        let name = "gateway-\(UUID().uuidString).json5"
        try Self.write(text, to: folder, name)
        return folder.appendingPathComponent(name)
    }

    private static func write(_ text: String, to folder: URL, _ name: String) throws {
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    @Sendable private static func now() -> Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
}

/// Why there are no figures.
struct Failure: Error, CustomStringConvertible {
    let words: String
    var description: String { words }
}
