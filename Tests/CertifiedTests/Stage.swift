import Foundation
import HTTPClient
import JSONTree
import Synchronization
import Testing
public import VerificationCore

@testable import Certified
@testable import Configuration

/// A verifier of a manifest, the provider that answers it, and time that passes only by pauses.
struct Stage {
    static let now = Timestamp(seconds: 1_790_000_000)
    static let blob: [UInt8] = Array((0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    static let nonceBytes: [UInt8] = Array(1...32)
    static let card = "org.iso.23220.1.jp.mnc"
    static let licence = "org.iso.18013.5.1.mDL"

    let verifier: CertifiedVerifier
    let provider: FakeProvider
    let pacing: ManualPacing

    /// A stage for a manifest of the fixtures, changed by `edit`, and what its provider answers in turn.
    init(
        _ name: String, _ replies: [Result<OutboundAnswer, OutboundFailure>] = [], edit: (String) -> String = { $0 },
        wallet: String? = nil, authenticator: (any RequestAuthenticator)? = nil
    ) throws {
        let provider = FakeProvider.script(replies)
        let pacing = ManualPacing()
        let declaration = try Stage.declaration(manifest: edit(try Fixture.text(name)), wallet: wallet)
        let problems = JSONProblemList()
        let configuration = CertifiedConfiguration(declaration, in: Stage.context(), problems: problems)
        try #require(problems.problems.map(\.description) == [])
        let found = try #require(configuration)
        let access = found.access(by: provider)
        self.provider = provider
        self.pacing = pacing
        verifier = CertifiedVerifier(
            found, access: access, authenticator: authenticator ?? NoAuthentication(), receiver: nil, pacing: pacing)
    }

    /// Secrets are all alike but those whose form matters.
    static func context(_ environment: DeploymentEnvironment = .development) -> KindContext {
        KindContext(
            environment: environment, now: now,
            resolver: SecretResolver(variables: ["SECRET": "a-secret-of-32-bytes-or-a-bit-more!"]))
    }

    static func declaration(manifest: String, wallet: String? = nil, more: String = "") throws -> VerifierDeclaration {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID().uuidString).json5")
        try manifest.write(to: path, atomically: true, encoding: .utf8)
        let tree = try JSONNode.parse(Array(manifest.utf8), syntax: .json5)
        let secrets = (tree["credentials"]?.members ?? []).map { "\($0.name): { env: \"SECRET\" }" }
        let variables = (tree["variables"]?.members ?? []).filter { $0.value["default"] == nil }
            .map { "\($0.name): \"v-\($0.name)\"" }
        let isAnswered = tree["wallet"]?["identity"]?.string == "begin"
        let identity =
            isAnswered
            ? "{ team_identifier: \"TEAM\", key_holder: \"provider\" }"
            : "{ merchant_identifier: \"merchant.example\", team_identifier: \"TEAM\", key_holder: \"provider\" }"
        let documents = tree["vocabulary"]?["documents"] == nil ? "document_types: [\"\(card)\", \"\(licence)\"]," : ""
        let text = """
            { kind: "certified", manifest: "\(path.path)", credentials: { \(secrets.joined(separator: ", ")) },
              variables: { \(variables.joined(separator: ", ")) }, \(documents) wallet: \(wallet ?? identity), \(more) }
            """
        return VerifierDeclaration(
            id: VerifierID("example"), kind: "certified", certification: nil, certificationException: nil,
            isSimulated: false, node: try JSONNode.parse(Array(text.utf8), syntax: .json5), path: "verifiers.example")
    }

    static func purpose(
        _ claims: [String] = ["name", "birthdate", "address.formatted", "portrait"], required: [String] = ["name"],
        documents: [String] = [card, licence]
    ) -> Purpose {
        Purpose(
            id: PurposeID("kyc"), documentTypes: documents, claims: Set(claims.map { ClaimName($0) }),
            requiredClaims: Set(required.map { ClaimName($0) }), retention: .zero, relyingPartyRetention: .none)
    }

    static func request(_ purpose: Purpose = purpose(), documentType: String = card) throws -> VerificationRequest {
        VerificationRequest(
            session: SessionID("ses_1"), purpose: purpose, documentType: documentType,
            nonce: try #require(Nonce(nonceBytes)))
    }

    static func attempt(_ call: String = "submit", seconds: Int64 = 60) -> AttemptContext {
        AttemptContext(
            attempt: AttemptID("att_1"), idempotencyKey: "att_1-\(call)", now: now,
            deadline: now.advanced(by: .seconds(seconds)))
    }

    static var evidence: Evidence { Evidence(encryptedData: Sensitive(blob)) }

    /// A session that was begun, without a call where the manifest has none.
    func begun(_ request: VerificationRequest? = nil) async throws -> Challenge {
        try await verifier.begin(try request ?? Stage.request(), in: Stage.attempt("begin"))
    }

    /// The challenge as it stands after an answer that was not the last.
    static func later(_ challenge: Challenge, _ facts: ProviderFacts) -> Challenge {
        Challenge(
            request: challenge.request, nonce: challenge.nonce, walletIdentity: challenge.walletIdentity,
            state: facts.state ?? challenge.state, providerReference: facts.reference ?? challenge.providerReference)
    }
}

/// Time that passes only by pauses, and no chance.
final class ManualPacing: Pacing {
    private let state = Mutex<(elapsed: Duration, pauses: [Duration])>((.zero, []))

    func elapsed() -> Duration { state.withLock { $0.elapsed } }

    func pause(for duration: Duration) async {
        state.withLock {
            $0.elapsed += duration
            $0.pauses.append(duration)
        }
    }

    func random(below bound: UInt64) -> UInt64 { bound - 1 }

    var pauses: [Duration] { state.withLock { $0.pauses } }
}

extension FakeProvider {
    /// Answers in turn, and nothing after the last: a request too many fails the test that made it.
    static func script(_ replies: [Result<OutboundAnswer, OutboundFailure>]) -> FakeProvider {
        FakeProvider { number in
            number <= replies.count ? replies[number - 1] : .failure(OutboundFailure(.closed, wasSent: true))
        }
    }
}

extension Result where Success == OutboundAnswer, Failure == OutboundFailure {
    static func json(_ text: String, _ status: Int = 200, _ headers: [(name: String, value: String)] = []) -> Self {
        .success(.json(text, status: status, headers: headers))
    }

    static func raw(_ body: [UInt8], _ status: Int, type: String?) -> Self {
        .success(
            OutboundAnswer(
                status: status, headers: OutboundHeaders(type.map { [("Content-Type", $0)] } ?? []),
                body: Sensitive(body)))
    }

    static func lost(_ code: OutboundFailure.Code = .connectionLost, sent: Bool = true) -> Self {
        .failure(OutboundFailure(code, wasSent: sent, sends: sent ? 1 : 0))
    }
}

extension Conclusion {
    var report: Report? {
        if case .verdict(let verdict, _, _) = self { verdict.report } else { nil }
    }

    var isVerified: Bool {
        if case .verdict(.verified, _, _) = self { true } else { false }
    }

    var isRejected: Bool {
        if case .verdict(.rejected, _, _) = self { true } else { false }
    }

    var claims: ClaimSet? {
        if case .verdict(.verified(let claims, _), _, _) = self { claims.claims.withValue { $0 } } else { nil }
    }

    var incidents: [Incident] {
        if case .verdict(_, let incidents, _) = self { incidents } else { [] }
    }

    var facts: ProviderFacts {
        switch self {
        case .verdict(_, _, let provider): provider
        case .pending(let pending): pending.provider
        }
    }

    var pending: Pending? {
        if case .pending(let pending) = self { pending } else { nil }
    }
}

/// The error that a call ends in.
func failure(_ body: () async throws -> some Any) async throws -> VerificationError {
    do {
        _ = try await body()
    } catch let error as VerificationError {
        return error
    }
    throw Unexpected()
}

struct Unexpected: Error {}

extension ClaimName: ExpressibleByStringLiteral {
    /// A name as a test writes it.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
