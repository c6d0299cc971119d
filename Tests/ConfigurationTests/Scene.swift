import Configuration
import Foundation
import JSONTree
import Testing
import VerificationCore

/// The configuration files that we ship, and a folder with what they point to.
struct Scene {
    /// A time at which everything in the examples is current.
    static let now = RFC3339.timestamp("2026-11-30T09:00:00Z") ?? Timestamp(seconds: 0)

    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func shipped(_ name: String) throws -> String {
        try String(contentsOf: repository.appendingPathComponent("Config/\(name)"), encoding: .utf8)
    }

    /// A small configuration in which everything is right.
    static let good = """
        {
          environment: "development",
          store: { path: "x.sqlite3" },
          sealing: { keys: [{ id: "k1", key: { env: "SEALING" } }] },
          clients: { app: { key_sha256: ["\(String(repeating: "ab", count: 32))"], role: "app", purposes: ["kyc"] } },
          purposes: {
            kyc: {
              document_types: ["org.iso.23220.1.jp.mnc"],
              claims: ["name", "birthdate"],
              required_claims: ["name"],
              retention: "1d",
              relying_party_retention: "30d",
            },
          },
          verifiers: { main: { kind: "in_house", wallet: { merchant_identifier: "m", team_identifier: "t", keys: [] }, trust: [] } },
          routes: [{ verifier: "main" }],
        }
        """

    static let sealingKey = String(repeating: "0123456789abcdef", count: 4)

    /// A kind as strict as a real one.
    static let kinds: [String: KindChecker] = [
        "in_house": { verifier, context, problems in
            let reader = verifier.reader(problems: problems)
            _ = reader.optionalString("mode")
            if let wallet = reader.object("wallet") {
                _ = wallet.string("merchant_identifier")
                _ = wallet.string("team_identifier")
                for entry in wallet.array("keys") ?? [] where entry.isObject() {
                    _ = entry.optionalString("certificate")
                    if let place = entry.required("key") { judge(place, context) }
                    entry.rejectUnknownKeys()
                }
                wallet.rejectUnknownKeys()
            }
            for anchor in reader.optionalArray("trust") ?? [] where anchor.isObject() {
                _ = anchor.string("path")
                _ = anchor.optionalArray("document_types")?.map { $0.string() }
                anchor.rejectUnknownKeys()
            }
            _ = reader.optionalString("certificate_profile")
            if let revocation = reader.optionalObject("revocation") {
                _ = revocation.array("crls")?.map { $0.string() }
                _ = revocation.optionalArray("urls")?.map { $0.string() }
                _ = revocation.optionalString("max_age")
                _ = revocation.optionalString("policy")
                revocation.rejectUnknownKeys()
            }
            reader.rejectUnknownKeys()
        },
        "certified": { verifier, context, problems in
            let reader = verifier.reader(problems: problems)
            _ = reader.string("manifest")
            for entry in reader.optionalObject("credentials")?.entries() ?? [] { judge(entry.reader, context) }
            reader.leave(["mode", "endpoint", "document_types", "wallet", "variables", "billing", "tls", "proxy"])
            reader.rejectUnknownKeys()
        },
    ]

    private static func judge(_ place: JSONReader, _ context: KindContext) {
        guard let reference = SecretReference(place) else { return }
        do throws(SecretProblem) { _ = try reference.resolve(using: context.resolver) } catch {
            place.report(error.words)
        }
    }

    static func loader(_ variables: [String: String] = ["SEALING": sealingKey]) -> ConfigurationLoader {
        ConfigurationLoader(kinds: kinds, resolver: SecretResolver(variables: variables))
    }

    /// The good configuration with texts replaced; each must occur.
    static func load(
        _ changes: [(String, String)] = [], variables: [String: String] = ["SEALING": sealingKey],
        now: Timestamp = now
    ) throws -> GatewayConfiguration {
        var text = good
        for (old, new) in changes {
            try #require(text.contains(old), "\(old) is no part of the good configuration")
            text = text.replacingOccurrences(of: old, with: new)
        }
        return try loader(variables).load(Array(text.utf8), at: now)
    }

    /// The problems of the changed configuration, without lines.
    static func problems(
        _ changes: (String, String)..., variables: [String: String] = ["SEALING": sealingKey], now: Timestamp = now
    ) throws -> [String] {
        do {
            _ = try load(changes, variables: variables, now: now)
            return []
        } catch let problems as JSONProblems {
            return problems.problems.map { "\($0.path): \($0.problem)" }
        }
    }
}

/// A folder that is gone afterwards.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return file.path
    }
}
