import Foundation
import InHouse
import JSONTree
import Testing
import VerificationCore
import WalletKit

@testable import Configuration

/// An issuer and a merchant of the test wallet's making, with their files in a folder of their own.
final class World: Sendable {
    static let moment = Moment(2026, 11, 30, 3)
    static let now = Timestamp(seconds: moment.seconds)

    let folder: URL
    let wallet: Wallet

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-in-house-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        wallet = Wallet(
            issuer: try Issuer(at: Self.moment), card: try .sample(.jp, at: Self.moment), merchant: try Merchant())
        try write("root.der", wallet.issuer.root)
        try write("wallet.key", Array(wallet.merchant.key.pem.utf8))
        try write("wallet.der", certificate(for: wallet.merchant.key))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        return url.path
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// A certificate for a wallet's key; who issued it does not matter here.
    func certificate(
        for key: PrivateKey, from: Moment = World.moment.adding(days: -10),
        until: Moment = World.moment.adding(days: 400)
    ) throws -> [UInt8] {
        try wallet.issuer.signer { template in
            template.publicKeyInfo = key.publicKeyInfo
            template.notBefore = from
            template.notAfter = until
        }.chain[0]
    }

    /// A declaration of the kind; `edit` may change its JSON text.
    func declaration(_ edit: (String) -> String = { $0 }) throws -> VerifierDeclaration {
        let text = edit(
            """
            {
              kind: "in_house",
              wallet: {
                merchant_identifier: "\(wallet.merchant.identifier)",
                team_identifier: "\(wallet.merchant.teamIdentifier)",
                keys: [{ key: { file: "\(path("wallet.key"))" }, certificate: "\(path("wallet.der"))" }],
              },
              trust: [{ path: "\(path("root.der"))" }],
            }
            """)
        let problems = JSONProblemList()
        let node = JSONNode.parse(Array(text.utf8), syntax: .json5, limits: .standard, problems: problems)
        try problems.throwIfAny()
        return VerifierDeclaration(
            id: VerifierID("in-house"), kind: InHouseProvider.kind, certification: nil, certificationException: nil,
            isSimulated: node?["mode"]?.string == "simulator", node: try #require(node), path: "verifiers.in-house")
    }

    var context: KindContext {
        KindContext(environment: .development, now: Self.now, resolver: SecretResolver(variables: [:]))
    }

    func open(_ edit: (String) -> String = { $0 }) throws -> InHouseVerifier {
        try InHouseProvider.open(declaration(edit), in: context)
    }

    /// The problems that a declaration has, as `path: problem`.
    func problems(_ edit: (String) -> String) throws -> [String] {
        let problems = JSONProblemList()
        InHouseProvider.check(try declaration(edit), in: context, problems: problems)
        return problems.problems.map { "\($0.path): \($0.problem)" }
    }

    var purpose: Purpose {
        Purpose(
            id: PurposeID("account"), documentTypes: [DocumentCatalog.myNumberCard.type],
            claims: [ClaimName("name"), ClaimName("birthdate")], requiredClaims: [ClaimName("name")],
            retention: .zero, relyingPartyRetention: .none)
    }

    func request(_ type: String = DocumentCatalog.myNumberCard.type, nonce: UInt8 = 1) throws -> VerificationRequest {
        VerificationRequest(
            session: SessionID("ses_test"), purpose: purpose, documentType: type,
            nonce: try #require(Nonce([UInt8](repeating: nonce, count: 32))))
    }

    func attempt(at now: Timestamp = World.now) -> AttemptContext {
        AttemptContext(
            attempt: AttemptID("att_test"), idempotencyKey: "1", now: now, deadline: now.advanced(by: .seconds(10)))
    }

    func answer(_ challenge: Challenge, fault: Fault? = nil, from other: Wallet? = nil) throws -> Evidence {
        let wallet = other ?? self.wallet
        let request = wallet.merchant.request(
            nonce: challenge.nonce.bytes, elements: ["givenName", "familyName", "dateOfBirth"])
        return Evidence(encryptedData: Sensitive(try wallet.present(request, fault: fault, at: Self.moment)))
    }
}
