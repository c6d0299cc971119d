public import VerificationCore

/// A rule that picks a verifier. A condition that is `nil` holds for every session.
public struct RoutingRule: Sendable, Hashable {
    /// Its name: it stands on every session that it picked a verifier for, and fixes which session falls into which
    /// share.
    public var name: String
    /// The purposes it is for.
    public var purposes: Set<PurposeID>?
    /// The document types it is for.
    public var documentTypes: Set<String>?
    /// The clients it is for.
    public var clients: Set<ClientID>?
    /// When it holds.
    public var window: TimeWindow?
    /// The verifiers it picks from.
    public var targets: [WeightedTarget]
    /// The verifiers that are taken where no target can be, and that are asked after an error, in order.
    public var fallbacks: [VerifierID]
    /// Which verifier verifies a share of its sessions again.
    public var shadow: ShadowShare?

    /// A rule.
    public init(
        name: String, purposes: Set<PurposeID>? = nil, documentTypes: Set<String>? = nil,
        clients: Set<ClientID>? = nil, window: TimeWindow? = nil, targets: [WeightedTarget],
        fallbacks: [VerifierID] = [], shadow: ShadowShare? = nil
    ) {
        self.name = name
        self.purposes = purposes
        self.documentTypes = documentTypes
        self.clients = clients
        self.window = window
        self.targets = targets
        self.fallbacks = fallbacks
        self.shadow = shadow
    }

    /// Whether it speaks of every session at any time.
    public var isDefault: Bool { purposes == nil && documentTypes == nil && clients == nil && window == nil }

    /// The first of its conditions that a session does not meet; `nil` where it meets all.
    public func unmetCondition(of request: RoutingRequest) -> Condition? {
        if let purposes, !purposes.contains(request.purpose) { return .purpose }
        if let documentTypes, !documentTypes.contains(request.documentType) { return .documentType }
        if let clients, !clients.contains(request.client) { return .client }
        if let window, !window.contains(request.at) { return .window }
        return nil
    }

    /// What a rule looks at.
    public enum Condition: String, Sendable, CaseIterable, Hashable {
        case purpose
        case documentType = "document_type"
        case client
        case window
    }
}

/// A verifier and its share of a rule's sessions: its weight in the sum of all weights.
public struct WeightedTarget: Sendable, Hashable {
    /// The verifier.
    public var verifier: VerifierID
    /// Its weight; with 0 it gets no session of the rule, whatever happens to the others.
    public var weight: Int

    /// A target.
    public init(_ verifier: VerifierID, weight: Int = 1) {
        self.verifier = verifier
        self.weight = weight
    }
}

/// The share of a rule's sessions that are verified a second time.
public struct ShadowShare: Sendable, Hashable {
    /// By whom.
    public var verifier: VerifierID
    /// How many of a hundred.
    public var percent: Int

    /// A share.
    public init(verifier: VerifierID, percent: Int) {
        self.verifier = verifier
        self.percent = percent
    }
}
