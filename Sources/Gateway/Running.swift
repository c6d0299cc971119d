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

    /// Whether the session's verifier is certified as it demands, asked again because a certification can end while a
    /// session is open. A purpose that a newer configuration no longer has demands nothing any more.
    func mayServe(_ session: SessionRecord, at now: Timestamp) -> Bool {
        settings.purposes[session.purpose] == nil
            || mayServe(session.verifier, session.purpose, session.documentType, now)
    }

    /// Who gets a session, of the verifiers that can take it now.
    func decide(_ request: RoutingRequest) -> RoutingDecision {
        settings.table.decide(request) { outage(of: $0, for: request) }
    }

    /// Why a verifier cannot be given a session, as far as the configuration and the verifier tell.
    private func outage(of id: VerifierID, for request: RoutingRequest) -> OutageReason? {
        guard let opened = verifiers[id], opened.description.documentTypes.contains(request.documentType) else {
            return .unsuitable
        }
        guard mayServe(id, request.purpose, request.documentType, request.at) else { return .certificationNotCurrent }
        return opened.isReady(at: request.at) ? nil : .notReady
    }
}

extension OpenedVerifier {
    /// Whether the verifier can verify now; one that reports nothing is taken at its word.
    func isReady(at now: Timestamp) -> Bool { health?.health(at: now).isReady ?? true }
}
