import Cryptography
import Foundation
import HTTPServer
import MemoryStore
import Routing
import Synchronization
import TestSupport
import Testing
import VerificationCore
import WebhookSignatures

@testable import Gateway

/// A clock that only moves when it is told to.
final class ManualClock: GatewayClock {
    private let state = Mutex((now: Timestamp(seconds: 1_790_000_000), isDisputed: false))

    func now() -> Timestamp { state.withLock { $0.now } }
    func monotonic() -> Duration { .milliseconds(now().milliseconds) }
    var isDisputed: Bool { state.withLock { $0.isDisputed } }

    func advance(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }

    func dispute(_ isDisputed: Bool) {
        state.withLock { $0.isDisputed = isDisputed }
    }
}

/// A verifier that answers as the test says. It knows nothing of documents.
struct ScriptedVerifier: Verifier, HealthReporting {
    enum Act: Sendable {
        case verified(ClaimSet)
        case rejected(CheckName, Reason)
        case error(VerificationError.Code)
        case slow(Duration, ClaimSet)
        /// Verified once the gate is open.
        case held(Gate, ClaimSet)
        case pending
    }

    let act: @Sendable (Evidence) -> Act
    let isReady: @Sendable () -> Bool
    let calls: Counter
    let alarms: [VerifierHealth.Alarm]

    func begin(
        _ request: VerificationRequest, in attempt: AttemptContext
    ) async throws(VerificationError) -> Challenge {
        Challenge(
            request: request, nonce: request.nonce,
            walletIdentity: WalletIdentity(merchantIdentifier: "merchant.test", teamIdentifier: "TEAM"),
            state: Sensitive([1, 2, 3]))
    }

    func conclude(
        _ evidence: Evidence, for challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion {
        calls.add()
        guard challenge.state.withValue({ $0 }) == [1, 2, 3] else {
            throw VerificationError(.challengeUnusable, "state lost")
        }
        switch act(evidence) {
        case .verified(let claims): return Self.verified(claims)
        case .slow(let duration, let claims):
            try? await Task.sleep(for: duration)
            return Self.verified(claims)
        case .held(let gate, let claims):
            await gate.wait()
            return Self.verified(claims)
        case .pending: return .pending(Pending())
        case .rejected(let check, let reason):
            var report = Report()
            report.fail(check, reason)
            return .verdict(.rejected(report, nil), incidents: [])
        case .error(let code): throw VerificationError(code, "as the test says")
        }
    }

    func health(at now: Timestamp) -> VerifierHealth { VerifierHealth(isReady: isReady(), alarms: alarms) }

    private static func verified(_ claims: ClaimSet) -> Conclusion {
        var report = Report()
        for check in CheckName.inHouse where check != .revocation { report.pass(check) }
        var facts = DocumentFacts(type: "org.iso.23220.1.jp.mnc")
        facts.mobileSecurityObjectDigest = [UInt8](repeating: 0xAB, count: 32)
        guard
            let verified = VerifiedClaims(
                Sensitive(claims), document: Sensitive(facts), report: report,
                required: .inHouse(revocation: false))
        else { return .pending(Pending()) }
        return .verdict(.verified(verified, report), incidents: [.individualNumberReceived])
    }
}

/// A count that many tasks may add to.
final class Counter: Sendable {
    private let count = Atomic(0)
    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
}

/// Lines of the log, kept.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    func append(_ line: String) { lines.withLock { $0.append(line) } }
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

/// A gateway over a store and a scripted verifier, without a socket.
struct Rig: Sendable {
    static let appKey = "app-key-0123456789"
    static let otherKey = "other-key-0123456789"
    static let financeKey = "finance-key-0123456789"
    static let operatorKey = "operator-key-0123456789"
    static let auditorKey = "auditor-key-0123456789"
    static let claims: ClaimSet = [ClaimName("name"): .text("番号　花子"), ClaimName("birthdate"): .text("1971-09-01")]

    let gateway: Gateway
    let store: any Store
    let clock: ManualClock
    let metrics = Metrics()
    let lines: LogLines
    let calls = Counter()
    let keys: SealingKeys
    let running: Running
    let source = ScriptedSource()

    /// A webhook that nobody delivers to.
    static var webhook: Webhook? {
        WebhookSecret(bytes: [UInt8](repeating: 1, count: 32)).flatMap { WebhookSecrets([$0]) }
            .map { Webhook(url: Sensitive("https://app.example/hooks"), secrets: $0) }
    }

    /// Waits until somebody waits for a session.
    func untilSomebodyWaits(for id: String) async throws {
        #expect(try await eventually { gateway.sessions.waiters.waitedFor.contains(SessionID(id)) })
    }

    /// Waits until a verification is under way: a fixed pause is too short on a busy machine.
    func untilVerifierIsCalled() async {
        _ = try? await eventually { calls.value > 0 }
    }

    init(
        store: any Store = MemoryStore(), clock: ManualClock = ManualClock(), keyByte: UInt8 = 7,
        olderKeyByte: UInt8? = nil,
        keyName: String = "k1",
        retention: Duration = .seconds(3600), isSimulated: Bool = false,
        isReady: @escaping @Sendable () -> Bool = { true },
        isCertified: @escaping @Sendable () -> Bool = { true }, trustFramework: String? = "jp_aml",
        alarms: [VerifierHealth.Alarm] = [], certification: Certification? = nil, regimes: Set<String>? = nil,
        notifies: Bool = false, verifiers: [OpenedVerifier] = [], table: RoutingTable? = nil,
        circuits: [VerifierID: CircuitSettings] = [:],
        isCertifiedVerifier: @escaping @Sendable (VerifierID) -> Bool = { _ in true },
        webhook: Webhook? = nil, more: [OpenedVerifier] = [],
        change: (inout GatewaySettings) -> Void = { _ in },
        act: @escaping @Sendable (Evidence) -> ScriptedVerifier.Act = { _ in .verified(Rig.claims) }
    ) throws {
        let lines = LogLines()
        self.store = store
        self.clock = clock
        self.lines = lines
        func key(_ byte: UInt8) -> Sensitive<[UInt8]> { Sensitive([UInt8](repeating: byte, count: 32)) }
        self.keys = try SealingKeys(
            olderKeyByte.map { [("k2", key(keyByte)), ("k1", key($0))] } ?? [(keyName, key(keyByte))])
        let purpose = Purpose(
            id: PurposeID("account-opening"), documentTypes: ["org.iso.23220.1.jp.mnc"],
            claims: [ClaimName("name"), ClaimName("birthdate"), ClaimName("address.formatted"), ClaimName("portrait")],
            requiredClaims: [ClaimName("name")], retention: retention, relyingPartyRetention: .days(30),
            legalMethod: LegalMethod(
                policy: "犯収法施行規則", procedure: "6条1項1号ル", lawAsOf: try #require(CivilDate("2026-04-01"))),
            trustFramework: trustFramework, regimes: regimes)
        func client(_ id: String, _ key: String, _ role: Client.Role) -> Client {
            var client = Client(
                id: ClientID(id), keyHashes: [Hash.sha256(Array(key.utf8))], role: role,
                purposes: role == .app ? [purpose.id] : [])
            if notifies { client.webhook = Rig.webhook }
            return client
        }
        var settings = GatewaySettings(
            version: "test-1",
            clients: [
                client("app", Rig.appKey, .app), client("other", Rig.otherKey, .app),
                client("finance", Rig.financeKey, .finance), client("operator", Rig.operatorKey, .operator),
                client("auditor", Rig.auditorKey, .auditor),
            ],
            purposes: [purpose.id: purpose],
            table: table
                ?? RoutingTable(rules: [
                    RoutingRule(name: "default", targets: [WeightedTarget(VerifierID("in-house"))])
                ]),
            sessionLifetime: .seconds(900), processingDeadline: .seconds(30), purgeAfter: .seconds(86_400 * 30))
        settings.circuits = circuits
        if let webhook { settings.clients[0].webhook = webhook }
        change(&settings)
        let verifier = ScriptedVerifier(act: act, isReady: isReady, calls: calls, alarms: alarms)
        let opened = OpenedVerifier(
            description: VerifierDescription(
                id: VerifierID("in-house"), kind: "in_house", isSimulated: isSimulated, certification: certification,
                documentTypes: ["org.iso.23220.1.jp.mnc"]),
            verifier: verifier, health: verifier)
        self.running = Running(
            settings: settings, keys: keys, verifiers: (verifiers.isEmpty ? [opened] : verifiers) + more,
            mayServe: { id, _, _, _ in isCertified() && isCertifiedVerifier(id) })
        self.gateway = Gateway(
            running: running, source: source, store: store, clock: clock, metrics: metrics,
            log: Log(minimum: .debug) { lines.append($0) }, openAPI: Array("{}".utf8))
    }

    func call(
        _ method: String, _ path: String, key: String? = Rig.appKey, body: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> Reply {
        var all = headers + [("Host", "localhost")]
        if let key { all.append(("Authorization", "Bearer " + key)) }
        if body != nil { all.append(("Content-Type", "application/json")) }
        let fields = HTTPHeaders(all.map { (name: $0.0, value: $0.1) })
        let request = try #require(
            HTTPRequest(method: method, target: path, headers: fields, body: Array((body ?? "").utf8)))
        return try Reply(await gateway.respond(to: request))
    }

    func create(_ headers: [(String, String)] = [], body: String = #"{"purpose":"account-opening"}"#) async throws
        -> Reply
    {
        try await call("POST", "/v1/sessions", body: body, headers: headers)
    }

    func submit(_ id: String, blob: String = "AAEC", headers: [(String, String)] = []) async throws -> Reply {
        try await call(
            "POST", "/v1/sessions/\(id)/submission", body: #"{"encrypted_data":"\#(blob)"}"#, headers: headers)
    }
}

/// An answer, read back by another JSON reader than the one that wrote it.
struct Reply: @unchecked Sendable {
    // The dictionary holds only what JSONSerialization made of an answer, and nothing changes it afterwards.
    let status: Int
    let headers: [String: String]
    let json: [String: Any]
    let text: String

    init(_ response: HTTPResponse) throws {
        status = response.status
        headers = Dictionary(response.headers, uniquingKeysWith: { first, _ in first })
        text = String(decoding: response.body, as: UTF8.self)
        let isJSON = headers["Content-Type"]?.hasSuffix("json") == true
        json = isJSON ? try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any] ?? [:] : [:]
    }

    var code: String? { json["code"] as? String }
    var id: String { json["id"] as? String ?? "" }
    var sessionStatus: String? { json["status"] as? String }
    var result: [String: Any]? { json["result"] as? [String: Any] }
}
