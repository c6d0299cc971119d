public import VerificationCore

/// The rules in the order in which they stand in the configuration.
public struct RoutingTable: Sendable, Hashable {
    /// The rules.
    public var rules: [RoutingRule]

    /// A table.
    public init(rules: [RoutingRule]) {
        self.rules = rules
    }

    /// Who gets a session. The first rule that speaks of it has the word: its target whose share the session falls
    /// into, or, where that one is out, its other targets and then its fallbacks. Only where all of them are out does
    /// the next rule that speaks of the session have it.
    ///
    /// It reads no clock, no configuration and no network: the same arguments give the same decision.
    public func decide(
        _ request: RoutingRequest, outages: (VerifierID) -> OutageReason?
    ) -> RoutingDecision {
        var routing = Routing()
        var steps: [RoutingStep] = []
        var asked: Set<VerifierID> = []
        for rule in rules {
            if let unmet = rule.unmetCondition(of: request) {
                steps.append(.skipped(rule: rule.name, unmet: unmet))
                continue
            }
            let candidates = rule.candidates(for: request.session)
            steps.append(.matched(rule: rule.name, candidates: candidates))
            for candidate in candidates where asked.insert(candidate).inserted {
                if let reason = outages(candidate) {
                    routing.passedOver.append(Routing.PassedOver(candidate, reason))
                    steps.append(.passedOver(rule: rule.name, verifier: candidate, reason))
                    continue
                }
                steps.append(.picked(rule: rule.name, verifier: candidate))
                routing.rule = rule.name
                routing.fallbacks = rule.fallbacks.filter { $0 != candidate }
                if let shadow = rule.shadow, shadow.verifier != candidate,
                    SessionShares.isShadowed(request.session, by: shadow, rule: rule.name)
                {
                    routing.shadow = shadow.verifier
                    steps.append(.shadowed(rule: rule.name, verifier: shadow.verifier))
                }
                return RoutingDecision(verifier: candidate, routing: routing, steps: steps)
            }
        }
        steps.append(.nobody)
        return RoutingDecision(verifier: nil, routing: routing, steps: steps)
    }
}

extension RoutingRule {
    /// The verifiers in the order in which a session would get them.
    public func candidates(for session: SessionID) -> [VerifierID] {
        let targets = SessionShares.order(of: targets, for: session, rule: name)
        return targets + fallbacks.filter { !targets.contains($0) }
    }

    /// Every verifier that the rule can give a session to.
    public var everyCandidate: [VerifierID] {
        let weighed = targets.filter { $0.weight > 0 }.map(\.verifier)
        return weighed + fallbacks.filter { !weighed.contains($0) }
    }
}
