import Foundation
import HTTPClient
import JSONTree
import Testing
import VerificationCore
import WebhookSignatures

@testable import Certified
@testable import Configuration

/// A verifier opened as the gateway opens it, with the secrets, the authentication and the webhooks of its manifest.
struct AdversaryRig {
    static let now = Timestamp(seconds: 1_796_029_200)
    static let secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    static let card = "org.iso.23220.1.jp.mnc"

    let verifier: CertifiedVerifier

    init(manifest: String, client: any OutboundSending) throws {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("sekisho-adversary-\(UUID().uuidString).json5")
        try manifest.write(to: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: path) }
        let tree = try JSONNode.parse(Array(manifest.utf8), syntax: .json5)
        let secrets = (tree["credentials"]?.members ?? []).map { "\($0.name): { env: \"SECRET\" }" }
        let text = """
            { kind: "certified", manifest: "\(path.path)", document_types: ["\(Self.card)"],
              credentials: { \(secrets.joined(separator: ", ")) },
              wallet: { merchant_identifier: "merchant.example", team_identifier: "TEAM", key_holder: "provider" } }
            """
        let declaration = VerifierDeclaration(
            id: VerifierID("example"), kind: CertifiedProvider.kind, certification: nil, certificationException: nil,
            isSimulated: false, node: try JSONNode.parse(Array(text.utf8), syntax: .json5), path: "verifiers.example")
        let context = KindContext(
            environment: .development, now: Self.now, resolver: SecretResolver(variables: ["SECRET": Self.secret]))
        verifier = try CertifiedProvider.open(declaration, in: context, client: client)
    }

    static func gamma(_ client: any OutboundSending) throws -> AdversaryRig {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Config/providers/gamma.json5")
        return try AdversaryRig(manifest: try String(contentsOf: path, encoding: .utf8), client: client)
    }

    static func attempt(_ id: String = "att_1") -> AttemptContext {
        AttemptContext(
            attempt: AttemptID(id), idempotencyKey: id + "-submit", now: now, deadline: now.advanced(by: .seconds(60)))
    }

    /// A session that was begun and has the provider's reference.
    func begun(_ id: String = "att_1", reference: String? = nil) async throws -> Challenge {
        let purpose = Purpose(
            id: PurposeID("kyc"), documentTypes: [Self.card], claims: [ClaimName("name")], requiredClaims: [],
            retention: .zero, relyingPartyRetention: .none)
        let request = VerificationRequest(
            session: SessionID("ses_" + id), purpose: purpose, documentType: Self.card,
            nonce: try #require(Nonce(Array(1...32))))
        let challenge = try await verifier.begin(request, in: Self.attempt(id))
        return Challenge(
            request: request, nonce: challenge.nonce, walletIdentity: challenge.walletIdentity, state: challenge.state,
            providerReference: reference ?? challenge.providerReference)
    }

    /// The notice of a notification, or why there is none.
    func received(
        _ headers: [(name: String, value: String)], _ body: [UInt8], at now: Timestamp = now
    ) -> Result<Notice, NotificationError> {
        do throws(NotificationError) {
            return .success(try verifier.receive(Notification(headers: headers, body: Sensitive(body)), at: now))
        } catch { return .failure(error) }
    }

    func error(
        _ headers: [(name: String, value: String)], _ body: [UInt8], at now: Timestamp = now
    ) -> NotificationError? {
        if case .failure(let error) = received(headers, body, at: now) { error } else { nil }
    }

    static func signed(
        _ body: [UInt8], id: String = "msg_1", at time: Timestamp = now
    ) throws -> [(name: String, value: String)] {
        let secrets = try #require(WebhookSecret(standard: Array(secret.utf8)).flatMap { WebhookSecrets([$0]) })
        return try #require(StandardWebhooks().headers(id: id, at: time, body: body, secrets: secrets))
    }
}
