import Cryptography
public import VerificationCore

/// One configuration as it runs: settings and opened verifiers. It is swapped whole or not at all.
public struct Running: Sendable {
    /// The settings.
    public let settings: GatewaySettings
    /// The sealing keys, checked against the store.
    public let keys: SealingKeys
    /// The opened verifiers by name.
    public let verifiers: [VerifierID: OpenedVerifier]
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

    /// The verifier that the first matching rule picks among those that can take the session now.
    func verifier(
        for purpose: PurposeID, documentType: String, client: ClientID, at now: Timestamp
    ) -> OpenedVerifier? {
        for route in settings.routes
        where route.matches(purpose: purpose, documentType: documentType, client: client) {
            guard let opened = verifiers[route.verifier], opened.description.documentTypes.contains(documentType),
                opened.isReady(at: now), mayServe(route.verifier, purpose, documentType, now)
            else { continue }
            return opened
        }
        return nil
    }
}

extension OpenedVerifier {
    /// Whether the verifier can verify now; one that reports nothing is taken at its word.
    func isReady(at now: Timestamp) -> Bool { health?.health(at: now).isReady ?? true }
}
