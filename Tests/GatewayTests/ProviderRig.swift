import MemoryStore
import Routing
import Testing
import VerificationCore

@testable import Gateway

extension VerifierDescription {
    static let sharedKeys = WalletKeys(
        identity: WalletIdentity(merchantIdentifier: "merchant.test", teamIdentifier: "TEAM"),
        keyHashes: [[UInt8](repeating: 1, count: 32)])

    /// A verifier that reaches out, billed for each submission that comes to a verdict unless the test says otherwise.
    static func certified(
        _ id: String, steps: Set<VerificationStep> = [.submit, .poll, .fetch], nonce: NonceOrigin = .gateway,
        isNotified: Bool = false, certification: Certification? = nil, keys: WalletKeys? = sharedKeys,
        claims: Set<ClaimName>? = nil,
        billing: [VerificationStep: BillingRule] = [.submit: BillingRule(.completedAny, when: .verdict)]
    ) -> VerifierDescription {
        VerifierDescription(
            id: VerifierID(id), kind: "certified", isSimulated: false, certification: certification,
            documentTypes: ["org.iso.23220.1.jp.mnc"],
            claims: claims.map { ["org.iso.23220.1.jp.mnc": $0] }, walletKeys: keys, nonceOrigin: nonce, steps: steps,
            isNotified: isNotified, billing: BillingPlan(billing))
    }
}

extension Rig {
    /// A gateway over scripted providers: the first is the target, the rest its fallbacks unless a table says otherwise.
    static func providers(
        _ providers: [ScriptedProvider], table: RoutingTable? = nil, store: any Store = MemoryStore(),
        clock: ManualClock = ManualClock(), retention: Duration = .seconds(3600), regimes: Set<String>? = nil,
        notifies: Bool = false, circuits: CircuitSettings? = nil,
        isCertified: @escaping @Sendable (VerifierID) -> Bool = { _ in true }
    ) throws -> Rig {
        let ids = providers.map(\.description.id)
        let rule = RoutingRule(
            name: "all", targets: ids.prefix(1).map { WeightedTarget($0) }, fallbacks: Array(ids.dropFirst()))
        return try Rig(
            store: store, clock: clock, retention: retention, regimes: regimes, notifies: notifies,
            verifiers: providers.map(\.opened), table: table ?? RoutingTable(rules: [rule]),
            circuits: circuits.map { settings in Dictionary(uniqueKeysWithValues: ids.map { ($0, settings) }) } ?? [:],
            isCertifiedVerifier: isCertified)
    }

    /// A session, submitted; what the submission was answered.
    func submitted() async throws -> Reply { try await submit(try await create().id) }

    func record(_ id: String) async throws -> SessionRecord { try await store.session(SessionID(id)) }

    func status(_ id: String) async throws -> SessionStatus { try await record(id).status }

    /// The ledger of a session as words: `role call kind class outcome`.
    func ledger(_ id: String) async throws -> [String] {
        try await store.ledger(of: SessionID(id)).map(\.draft).map { draft in
            [
                draft.role.rawValue, draft.call?.rawValue ?? "-", draft.kind.rawValue, draft.billableClass.rawValue,
                draft.outcome?.rawValue,
            ].compactMap { $0 }.joined(separator: " ")
        }
    }

    /// Moves the clock and runs what happens by itself.
    func pass(_ duration: Duration) async {
        clock.advance(by: duration)
        let housekeeper = Housekeeper(of: gateway)
        await housekeeper.tick()
        await housekeeper.ask()
        await housekeeper.resolveLate()
    }

    func notify(_ verifier: String, _ notification: VerificationCore.Notification) async throws -> NoticeEffect {
        try await gateway.sessions.receiveNotice(notification, for: VerifierID(verifier))
    }
}
