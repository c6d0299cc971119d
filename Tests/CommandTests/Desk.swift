import Configuration
import Foundation
import Gateway
import SQLiteStore
import Testing
import VerificationCore
import WalletKit

@testable import sekisho

/// An operator's folder: configurations, keys and the database of a gateway that runs, or ran.
final class Desk {
    static let moment = Moment(2026, 11, 30, 3)
    static let now = Timestamp(seconds: moment.seconds)

    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-desk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let issuer = try Issuer(at: Self.moment)
        try Data(issuer.root).write(to: folder.appendingPathComponent("root.der"))
        for name in ["first.key", "second.key"] { try write(name, try Merchant().key.pem) }
        for name in ["sealing", "sealing-next"] {
            var generator = SystemRandomNumberGenerator()
            try write(name, ByteText.hex(randomBytes(32, using: &generator)))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    /// A verifier of the kind that reaches nobody.
    func verifier(
        _ name: String, key: String = "first.key", merchant: String = "merchant.example", more: String = ""
    ) -> String {
        """
        "\(name)": {
          kind: "in_house", \(more)
          wallet: { merchant_identifier: "\(merchant)", team_identifier: "TEAM", keys: [{ key: { file: "\(path(key))" } }] },
          trust: [{ path: "\(path("root.der"))" }],
        },
        """
    }

    /// A verifier of the kind that a manifest describes: the manifest of the shipped example, which `edit` may change.
    func certified(_ name: String, edit: (String) -> String = { $0 }) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let example = root.appendingPathComponent("Config/providers/alpha.json5")
        try write("\(name).json5", edit(try String(contentsOf: example, encoding: .utf8)))
        if !FileManager.default.fileExists(atPath: path("\(name).key")) {
            try write("\(name).key", "the-key-of-\(name)-in-its-first-year")
        }
        return """
            "\(name)": {
              kind: "certified", manifest: "\(path("\(name).json5"))",
              credentials: { api_key: { file: "\(path("\(name).key"))" } },
              wallet: { merchant_identifier: "merchant.example", team_identifier: "TEAM", key_holder: "provider" },
            },
            """
    }

    /// Writes a configuration with one app that may ask for one purpose.
    @discardableResult
    func configuration(
        _ name: String, verifiers: [String], routes: String, environment: String = "staging",
        sealing: String = "sealing", purpose: String = "", documents: String = "\"org.iso.23220.1.jp.mnc\"",
        port: Int = 8480, more: String = ""
    ) throws -> String {
        try write(
            name,
            """
            {
              environment: "\(environment)",
              http: { port: \(port) },
              store: { path: "\(path("sekisho.sqlite3"))" },
              sealing: { keys: [{ id: "\(sealing)", key: { file: "\(path(sealing))" } }] },
              clients: { app: { key_sha256: ["\(String(repeating: "ab", count: 32))"], role: "app", purposes: ["kyc"] } },
              purposes: {
                kyc: {
                  document_types: [\(documents)], claims: ["name"], required_claims: ["name"], retention: "1d",
                  relying_party_retention: "30d", \(purpose)
                },
              },
              verifiers: { \(verifiers.joined(separator: "\n")) },
              routes: \(routes), \(more)
            }
            """)
        return path(name)
    }

    /// Makes the database as a gateway with this configuration leaves it, with so many open sessions of a verifier.
    func run(_ configuration: String, open: [String: Int] = [:], sealing: String = "sealing") async throws {
        let opened = try OpenedConfiguration.forCommand(path: configuration, at: Self.now)
        let loaded = opened.configuration
        let store = try SQLiteStore(path: path("sekisho.sqlite3"))
        _ = try await store.keepSetting("configuration:" + loaded.version, loaded.canonicalForm)
        try await store.replaceSetting("configuration.running", with: Array(loaded.version.utf8))
        try await store.replaceSetting(Inventory.setting, with: opened.inventory().encoded())
        _ = try await opened.keys.check(against: store)
        var generator = SystemRandomNumberGenerator()
        for (verifier, count) in open {
            for _ in 0..<count {
                let description = VerifierDescription(
                    id: VerifierID(verifier), kind: "in_house", isSimulated: false, certification: nil,
                    documentTypes: [])
                var record = SessionRecord(
                    id: SessionID("ses_" + ByteText.base64URL(randomBytes(16, using: &generator))),
                    client: ClientID("app"), purpose: PurposeID("kyc"), documentType: "org.iso.23220.1.jp.mnc",
                    verifier: description, nonce: Nonce.random(using: &generator),
                    walletIdentity: WalletIdentity(merchantIdentifier: "merchant.example", teamIdentifier: "TEAM"),
                    configurationVersion: loaded.version, createdAt: Self.now,
                    expiresAt: Self.now.advanced(by: .seconds(900)))
                record.wrappedKey = SealedBytes(keyID: sealing, bytes: [1])
                _ = try await store.create(record, idempotency: nil, ledger: [])
            }
        }
        await store.close()
    }

    func plan(_ arguments: String...) async -> CommandOutcome { await PlanCommand.execute(arguments, at: Self.now) }
}
