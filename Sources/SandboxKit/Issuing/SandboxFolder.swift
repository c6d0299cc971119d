import Foundation
import JSONTree
public import VerificationCore
import WalletKit

/// The folder of a sandbox: what it serves with, and what its callers must know. Everything is for its owner alone.
public struct SandboxFolder: Sendable {
    /// Where it is.
    public let path: String

    /// The merchant that `sekisho-wallet` and the development configuration name; alpha and gamma have its key.
    public static let sharedIdentity = WalletIdentity(
        merchantIdentifier: "merchant.example.sekisho", teamIdentifier: "SEKISHO123")
    /// Beta's own merchant.
    public static let betaIdentity = WalletIdentity(
        merchantIdentifier: "merchant.example.beta", teamIdentifier: "BETATEAM01")

    private static let record = "sandbox.json"
    private static let names = [
        "authority.pem", "authority.key", "server.pem", "server.key", "client.pem", "client.key", "alpha.key",
        "beta.client", "beta.secret", "gamma.secret", "webhook.secret", "beta-merchant.key", record,
    ]

    /// A folder, whether it is there or not.
    public init(path: String) {
        self.path = path
    }

    /// Makes everything once; what is there already stays, unless `force`. Says in words what was made.
    ///
    /// - Parameter wallet: The folder of `sekisho-wallet issue`: the issuer's root and the shared merchant's key.
    public func issue(wallet: String, force: Bool, at now: Timestamp) throws(SandboxError) -> [String] {
        let moment = Moment(seconds: now.milliseconds / 1000)
        if force {
            for name in Self.names { try? FileManager.default.removeItem(atPath: file(name)) }
        } else if let created = try? readRecord().created {
            if created.adding(days: Identities.leafDays) <= moment {
                throw .file("the certificates in \(path) have run out; --force makes everything anew")
            }
            return []
        }
        guard FileManager.default.fileExists(atPath: wallet + "/merchant.key") else {
            throw .file("\(wallet) is no wallet's folder; `sekisho-wallet issue --directory \(wallet)` makes one")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .file("cannot make the folder \(path)")
        }
        try writeKeys(at: moment)
        let random = { ByteText.base64URL(Randomness.system.bytes(32)) }
        try write("alpha.key", "alpha_" + random())
        try write("beta.client", SandboxSecrets.betaClient)
        try write("beta.secret", "beta_" + random())
        try write("gamma.secret", "gamma_" + random())
        try write("webhook.secret", SandboxSecrets.webhookPrefix + ByteText.base64(Randomness.system.bytes(32)))
        // The record comes last, so that a folder with a record is whole.
        let record: JSONValue = .object([("created", .integer(moment.seconds)), ("wallet", .string(wallet))])
        try write(Self.record, record.text + "\n")
        return [
            "made \(file("authority.pem")): the authority behind https://localhost",
            "made \(file("client.pem")), \(file("client.key")): the gateway's own certificate, where one is asked for",
            "made \(file("alpha.key")), beta.client, beta.secret, gamma.secret, webhook.secret: what the gateway must know",
            "made \(file("beta-merchant.key")): the key that beta opens answers with",
        ]
    }

    /// What a sandbox of this folder is made of.
    public func configuration(clock: @escaping @Sendable () -> Timestamp) throws(SandboxError) -> SandboxConfiguration {
        let wallet = try readRecord().wallet
        return SandboxConfiguration(
            certificate: file("server.pem"), certificateKey: file("server.key"), authority: file("authority.pem"),
            anchors: [wallet + "/iaca.pem"],
            sharedMerchant: SandboxMerchant(
                identity: Self.sharedIdentity, key: Sensitive(try read(wallet + "/merchant.key"))),
            betaMerchant: SandboxMerchant(
                identity: Self.betaIdentity, key: Sensitive(try read(file("beta-merchant.key")))),
            secrets: SandboxSecrets(
                alphaKey: try secret("alpha.key"), betaSecret: try secret("beta.secret"),
                gammaSecret: try secret("gamma.secret"), webhookSecret: try secret("webhook.secret")),
            clock: clock)
    }

    /// The path of one of its files.
    public func file(_ name: String) -> String { path + "/" + name }

    private func writeKeys(at moment: Moment) throws(SandboxError) {
        do {
            let identities = try Identities(at: moment)
            for (name, pair) in [
                ("authority", identities.authority), ("server", identities.server), ("client", identities.client),
            ] {
                try write(name + ".key", pair.key.pem)
                try write(name + ".pem", PEM.encode(pair.certificate, label: "CERTIFICATE"))
            }
            try write("beta-merchant.key", try PrivateKey(.p256).pem)
        } catch let error as SandboxError {
            throw error
        } catch {
            throw .file("libcrypto could not make the sandbox's keys")
        }
    }

    private func readRecord() throws(SandboxError) -> (created: Moment, wallet: String) {
        let missing = "\(path) holds no sandbox; `sekisho-sandbox issue --directory \(path)` makes one"
        guard FileManager.default.fileExists(atPath: file(Self.record)) else { throw .file(missing) }
        guard let node = try? JSONNode.parse(read(file(Self.record)), syntax: .json),
            let created = node["created"]?.integer, let wallet = node["wallet"]?.string
        else { throw .file("\(file(Self.record)) is not what `issue` wrote") }
        return (Moment(seconds: created), wallet)
    }

    private func secret(_ name: String) throws(SandboxError) -> Sensitive<String> {
        Sensitive(String(decoding: try read(file(name)), as: UTF8.self))
    }

    private func read(_ path: String) throws(SandboxError) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else { throw .file("cannot read \(path)") }
        return Array(data)
    }

    /// Writes a file for its owner alone, from the first moment on.
    private func write(_ name: String, _ text: String) throws(SandboxError) {
        let bytes = Data(text.utf8)
        unlink(file(name))
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw .system("write \(file(name))", errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: bytes)
            try handle.close()
        } catch {
            throw .file("cannot write \(file(name))")
        }
    }
}
