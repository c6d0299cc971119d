import Cryptography
import Foundation
import JSONTree
import SandboxKit
import Synchronization
import Testing
import VerificationCore
import WalletKit

/// A running sandbox with a folder of its own, and a wallet whose answers it can open.
final class Playground: Sendable {
    static let moment = Moment(seconds: Int64(Date().timeIntervalSince1970))

    let folder: SandboxFolder
    let sandbox: Sandbox
    let root: URL
    private let ahead: Ahead

    /// How far the sandbox's clock is ahead of the machine's.
    private final class Ahead: Sendable {
        let duration = Mutex(Duration.zero)
    }
    private let issuer: Issuer
    private let card: Card
    private let shared: Merchant
    private let own: Merchant

    init(
        processing: Duration = .zero, webhookPort: UInt16? = nil, control: Bool = false,
        clientCertificates: Set<ProviderName> = []
    ) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-sandbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        issuer = try Issuer(at: Self.moment)
        card = try .sample(.jp, at: Self.moment)
        shared = try Merchant()
        try WalletKit.PEM.encode(issuer.root, label: "CERTIFICATE")
            .write(to: root.appendingPathComponent("iaca.pem"), atomically: true, encoding: .utf8)
        try shared.key.pem.write(to: root.appendingPathComponent("merchant.key"), atomically: true, encoding: .utf8)
        folder = SandboxFolder(path: root.path + "/sandbox")
        _ = try folder.issue(wallet: root.path, force: false, at: Self.now())
        own = Merchant(
            identifier: SandboxFolder.betaIdentity.merchantIdentifier,
            teamIdentifier: SandboxFolder.betaIdentity.teamIdentifier,
            key: try PrivateKey(pem: String(contentsOfFile: folder.file("beta-merchant.key"), encoding: .utf8)))
        let ahead = Ahead()
        self.ahead = ahead
        var configuration = try folder.configuration(
            clock: { Self.now().advanced(by: ahead.duration.withLock { $0 }) })
        configuration.processing = processing
        configuration.controlPort = control ? 0 : nil
        configuration.webhookURL = webhookPort.map { "http://127.0.0.1:\($0)/hook" }
        configuration.demandingClientCertificates = clientCertificates
        sandbox = try Sandbox(configuration)
        try sandbox.start()
    }

    deinit {
        sandbox.stop()
        try? FileManager.default.removeItem(at: root)
    }

    /// Lets time pass for the sandbox: what it works on is done when the test says so, not when the machine has waited.
    func pass(_ duration: Duration) { ahead.duration.withLock { $0 += duration } }

    @Sendable static func now() -> Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    func secret(_ name: String) throws -> String { try String(contentsOfFile: folder.file(name), encoding: .utf8) }

    func client(certified: Bool = false) throws -> TLSClient {
        try TLSClient(
            port: sandbox.port, authority: folder.file("authority.pem"),
            certificate: certified ? folder.file("client.pem") : nil, key: certified ? folder.file("client.key") : nil)
    }

    /// The wallet's answer to the shared merchant.
    func blob(
        _ nonce: [UInt8], fault: WalletKit.Fault? = nil, elements: [String] = elements
    ) throws -> [UInt8] {
        try Wallet(issuer: issuer, card: card, merchant: shared)
            .present(shared.request(nonce: nonce, elements: elements), fault: fault, at: Self.moment)
    }

    /// The wallet's answer to beta's merchant.
    func betaBlob(
        _ nonce: [UInt8], fault: WalletKit.Fault? = nil, elements: [String] = elements
    ) throws -> [UInt8] {
        try Wallet(issuer: issuer, card: card, merchant: own)
            .present(own.request(nonce: nonce, elements: elements), fault: fault, at: Self.moment)
    }

    static let elements = ["givenName", "familyName", "address", "dateOfBirth", "portrait", "sex", "age"]
}

// MARK: - Alpha

extension Playground {
    static let nonce = [UInt8](repeating: 7, count: 32)

    func alphaBody(_ number: String = "ses_1", walletFault: String? = nil) throws -> [UInt8] {
        JSONValue.object([
            ("uketsukeBango", .string(number)), ("shoruiShubetsu", .string("JPMNC")),
            ("nonce", .string(ByteText.hex(Self.nonce))),
            (
                "angoData",
                .string(ByteText.base64(try blob(Self.nonce, fault: walletFault.map { try WalletKit.Fault.named($0) })))
            ),
        ]).encoded()
    }

    func alphaHeaders(key: String? = nil) throws -> [(String, String)] {
        [("X-Alpha-Key", try secret("alpha.key")), ("Content-Type", "application/json")]
            + (key.map { [("X-Irai-Id", $0)] } ?? [])
    }

    /// One submission to alpha on a connection of its own.
    func alpha(
        key: String? = nil, body: [UInt8]? = nil, milliseconds: Int = 10_000
    ) throws -> Reply {
        try client().exchange(
            "POST", "/alpha/v1/kakunin", headers: alphaHeaders(key: key), body: body ?? alphaBody(),
            milliseconds: milliseconds)
    }
}

// MARK: - Beta

extension Playground {
    static let form = ("Content-Type", "application/x-www-form-urlencoded")

    func betaToken() throws -> Reply {
        let pair = SandboxSecrets.betaClient + ":" + (try secret("beta.secret"))
        return try client().exchange(
            "POST", "/beta/oauth2/token",
            headers: [Self.form, ("Authorization", "Basic " + ByteText.base64(Array(pair.utf8)))],
            body: Array("grant_type=client_credentials".utf8))
    }

    func betaBegin(_ token: String) throws -> Reply {
        try client().exchange(
            "POST", "/beta/verifications", headers: [Self.form, ("Authorization", "Bearer " + token)],
            body: Array("document=jp.my-number-card&client_reference=ses_1".utf8))
    }

    func betaSubmit(_ token: String, _ opened: JSONNode) throws -> Reply {
        let challenge = try #require(opened["wallet"]?["challenge"]?.string.flatMap { ByteText.bytes(hex: $0) })
        let id = try #require(opened["id"]?.string)
        return try client().exchange(
            "POST", "/beta/verifications/\(id)/credential",
            headers: [
                Self.form, ("Authorization", "Bearer " + token),
                ("X-Access-Secret", try #require(opened["access_secret"]?.string)),
            ],
            body: Array("encrypted_response=\(ByteText.base64URL(try betaBlob(challenge)))".utf8))
    }

    func betaPoll(_ token: String, _ opened: JSONNode, secret: String? = nil) throws -> Reply {
        try client().exchange(
            "GET", "/beta/verifications/\(try #require(opened["id"]?.string))",
            headers: [
                ("Authorization", "Bearer " + token),
                ("X-Access-Secret", try secret ?? #require(opened["access_secret"]?.string)),
            ])
    }
}

// MARK: - Gamma

extension Playground {
    func gamma(
        _ method: String, _ target: String, body: [UInt8] = [], at time: Int64? = nil, secret: String? = nil
    ) throws -> Reply {
        let seconds = String(time ?? Self.now().milliseconds / 1000)
        let key = Array(try (secret ?? self.secret("gamma.secret")).utf8)
        let code = HMACSHA256.authenticationCode(for: Array((seconds + method + target).utf8) + body, key: key)
        return try client().exchange(
            method, target,
            headers: [
                ("X-Gamma-Key", SandboxSecrets.gammaKey), ("X-Gamma-Timestamp", seconds),
                ("X-Gamma-Signature", ByteText.hex(code)), ("Content-Type", "application/json"),
            ], body: body)
    }

    func gammaBody(_ reference: String = "ses_1") throws -> [UInt8] {
        JSONValue.object([
            ("check", .object([("externalRef", .string(reference)), ("kind", .string("wallet/jp-mnc"))])),
            (
                "evidence",
                .object([
                    ("format", .string("apple-hpke-v1")), ("nonce", .string(ByteText.base64URL(Self.nonce))),
                    ("blob", .string(ByteText.base64URL(try blob(Self.nonce)))),
                ])
            ),
        ]).encoded()
    }
}

extension Reply {
    /// The body as strict JSON.
    func json() throws -> JSONNode { try JSONNode.parse(body, syntax: .json, limits: Self.limits) }

    private static let limits = JSONLimits(bytes: 8 << 20, depth: 16, values: 1000)
}

extension JSONNode {
    /// The value at a path.
    func at(_ path: String...) -> JSONNode? { path.reduce(Optional(self)) { $0?[$1] } }
}
