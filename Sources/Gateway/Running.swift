import Cryptography
public import Routing
public import VerificationCore

/// One configuration as it runs: settings and opened verifiers. It is swapped whole or not at all.
public struct Running: Sendable {
    /// The settings.
    public let settings: GatewaySettings
    /// The sealing keys, checked against the store.
    public let keys: SealingKeys
    /// The opened verifiers by name.
    public let verifiers: [VerifierID: OpenedVerifier]
    /// The verifiers' circuits: whatever is swapped, they stay the same ones.
    public internal(set) var circuits = Circuits()
    private let clientsByKeyHash: [[UInt8]: Client]
    private let mayServe: @Sendable (VerifierID, PurposeID, _ documentType: String, Timestamp) -> Bool

    /// A configuration to run. `mayServe` says whether a verifier is certified as a session demands, asked again for
    /// each session because a certification can end while the gateway runs.
    public init(
        settings: GatewaySettings, keys: SealingKeys, verifiers: [OpenedVerifier],
        mayServe: @escaping @Sendable (VerifierID, PurposeID, _ documentType: String, Timestamp) -> Bool
    ) {
        self.settings = settings
        self.keys = keys
        self.mayServe = mayServe
        self.verifiers = Dictionary(verifiers.map { ($0.description.id, $0) }, uniquingKeysWith: { first, _ in first })
        var clients: [[UInt8]: Client] = [:]
        for client in settings.clients {
            for hash in client.keyHashes { clients[hash] = client }
        }
        self.clientsByKeyHash = clients
    }

    /// The settings of each verifier's circuit.
    var circuitSettings: [VerifierID: CircuitSettings] {
        verifiers.mapValues { settings.circuits[$0.description.id] ?? CircuitSettings() }
    }

    /// The client whose key this is. Keys are long and random, so looking their hash up tells a guesser nothing.
    func client(withKey key: Sensitive<[UInt8]>) -> Client? {
        clientsByKeyHash[key.withValue { Hash.digest($0, .sha256) }]
    }

    /// Whether a verifier is certified as a session demands, asked again because a certification can end while a session
    /// is open. A purpose that a newer configuration no longer has demands nothing any more.
    func mayServe(_ verifier: VerifierID, _ session: SessionRecord, at now: Timestamp) -> Bool {
        settings.purposes[session.purpose] == nil
            || mayServe(verifier, session.purpose, session.documentType, now)
    }

    /// Who gets a new session. `failed` are those that could not begin it; `isSpent` says whose budget is spent.
    func decide(
        _ request: RoutingRequest, monotonic: Duration, failed: Set<VerifierID> = [],
        isSpent: (VerifierID) -> Bool = { _ in false }
    ) -> RoutingDecision {
        settings.table.decide(request) { id in
            if failed.contains(id) { return .beginFailed }
            return outage(of: id, for: request, monotonic: monotonic) ?? (isSpent(id) ? .budgetSpent : nil)
        }
    }

    /// Why a verifier cannot be given a session; `nil` where it can.
    func outage(of id: VerifierID, for request: RoutingRequest, monotonic: Duration) -> OutageReason? {
        let opened = verifiers[id]
        let standing = OutageReason.standing(
            opened?.description.offer, for: settings.purposes[request.purpose], request.documentType
        ) { mayServe(id, request.purpose, request.documentType, request.at) }
        guard standing == nil, let opened else { return standing }
        guard opened.isReady(at: request.at) else { return .notReady }
        return circuits.outage(of: id, at: monotonic)
    }
}

extension OpenedVerifier {
    /// Whether the verifier can verify now; one that reports nothing is taken at its word.
    func isReady(at now: Timestamp) -> Bool { health?.health(at: now).isReady ?? true }
}
