import Certified
import Foundation
import HTTPClient
import JSONTree
import SandboxKit
import Testing
import VerificationCore

@testable import Configuration

/// The real verifier in front of a sandbox, driven by the manifests that ship.
extension Playground {
    static func manifest(_ name: String, file: String = #filePath) -> String {
        URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Config/providers/\(name).json5").path
    }

    static let purpose = Purpose(
        id: PurposeID("account-opening"), documentTypes: [DocumentCatalog.myNumberCard.type],
        claims: Set(["name", "address.formatted", "local_gov_code", "birthdate", "portrait"].map { ClaimName($0) }),
        requiredClaims: Set(["name", "address.formatted", "birthdate", "portrait"].map { ClaimName($0) }),
        retention: .zero, relyingPartyRetention: .none)

    /// So long that a call which ends before was not ended by its own patience, on however slow a machine.
    static let patient = Duration.seconds(120)

    /// The verifier of a manifest that ships, but for the timeout of every step; `nil` leaves the manifest's own five
    /// seconds.
    func verifier(
        _ provider: ProviderName, port: UInt16? = nil, timeout: Duration? = patient
    ) throws -> CertifiedVerifier {
        var manifest = Self.manifest(provider.rawValue)
        if let timeout {
            let text = try String(contentsOfFile: manifest, encoding: .utf8)
            manifest = root.appendingPathComponent("\(provider.rawValue)-\(UUID().uuidString).json5").path
            try text.replacingOccurrences(
                of: #"timeout: "5s""#, with: "timeout: \"\(timeout.components.seconds)s\""
            ).write(toFile: manifest, atomically: true, encoding: .utf8)
        }
        let credentials =
            switch provider {
            case .alpha: [("api_key", "alpha.key")]
            case .beta: [("client_id", "beta.client"), ("client_secret", "beta.secret")]
            case .gamma: [("signing_secret", "gamma.secret"), ("webhook_secret", "webhook.secret")]
            }
        let secrets = credentials.map { "\($0.0): { file: \"\(folder.file($0.1))\" }" }.joined(separator: ", ")
        let identity = SandboxFolder.sharedIdentity
        let wallet =
            "merchant_identifier: \"\(identity.merchantIdentifier)\", team_identifier: \"\(identity.teamIdentifier)\","
        let text = """
            {
              kind: "certified",
              manifest: "\(manifest)",
              endpoint: "https://localhost:\(port ?? sandbox.port)/\(provider.rawValue)",
              tls: { ca_file: "\(folder.file("authority.pem"))" },
              credentials: { \(secrets) },
              \(provider == .beta ? "" : "wallet: { \(wallet) key_holder: \"provider\" },")
            }
            """
        let problems = JSONProblemList()
        let node = try #require(JSONNode.parse(Array(text.utf8), syntax: .json5, limits: .standard, problems: problems))
        let declaration = VerifierDeclaration(
            id: VerifierID(provider.rawValue), kind: CertifiedProvider.kind, certification: nil,
            certificationException: nil, isSimulated: false, node: node, path: "verifiers.\(provider.rawValue)")
        let context = KindContext(
            environment: .development, now: Self.now(), resolver: SecretResolver(variables: [:]))
        return try CertifiedProvider.open(declaration, in: context, client: try HTTPClient())
    }

    func request() throws -> VerificationRequest {
        VerificationRequest(
            session: SessionID("ses_1"), purpose: Self.purpose, documentType: DocumentCatalog.myNumberCard.type,
            nonce: try #require(Nonce(Self.nonce)))
    }

    /// A context of one call; `patience` is how long its caller waits.
    func attempt(
        _ number: String = "1", _ call: String = "submit", patience: Duration = .seconds(300)
    ) -> AttemptContext {
        let now = Self.now()
        return AttemptContext(
            attempt: AttemptID("att_\(number)"), idempotencyKey: "att_\(number)-\(call)", now: now,
            deadline: now.advanced(by: patience))
    }

    /// The wallet's answer to a challenge, with the key of the merchant that it names.
    func evidence(_ challenge: Challenge) throws -> Evidence {
        let isOwn = challenge.walletIdentity == SandboxFolder.betaIdentity
        let nonce = challenge.nonce.bytes
        return Evidence(encryptedData: Sensitive(isOwn ? try betaBlob(nonce) : try blob(nonce)))
    }
}

/// How a call of the verifier ended, as far as a table of expectations tells it.
enum Ending: Equatable, CustomStringConvertible {
    case verified, rejected, pending, unknown
    case failed(VerificationError.Code, mayHaveBilled: Bool)

    var description: String {
        switch self {
        case .verified: "verified"
        case .rejected: "rejected"
        case .pending: "pending"
        case .unknown: "never received"
        case .failed(let code, let mayHaveBilled): "\(code.rawValue)\(mayHaveBilled ? ", may have billed" : "")"
        }
    }

    init(_ conclusion: Conclusion) {
        switch conclusion {
        case .verdict(.verified, _, _): self = .verified
        case .verdict(.rejected, _, _): self = .rejected
        case .pending: self = .pending
        }
    }

    init(_ error: VerificationError) {
        self = .failed(error.code, mayHaveBilled: error.mayHaveBilled)
    }

    /// What a call comes to.
    static func of(
        _ call: () async throws(VerificationError) -> Conclusion
    ) async -> Ending {
        do throws(VerificationError) { return Ending(try await call()) } catch { return Ending(error) }
    }

    /// What a question after a lost answer comes to.
    static func ofFetch(_ verifier: CertifiedVerifier, _ challenge: Challenge, _ attempt: AttemptContext) async
        -> Ending
    {
        do throws(VerificationError) {
            switch try await verifier.fetch(challenge, in: attempt) {
            case .conclusion(let conclusion): return Ending(conclusion)
            case .neverReceived: return .unknown
            }
        } catch {
            return Ending(error)
        }
    }
}

extension Challenge {
    /// The challenge with what a provider said meanwhile, as the gateway keeps it.
    func knowing(_ facts: ProviderFacts) -> Challenge {
        Challenge(
            request: request, nonce: nonce, walletIdentity: walletIdentity, state: facts.state ?? state,
            providerReference: facts.reference ?? providerReference)
    }
}
