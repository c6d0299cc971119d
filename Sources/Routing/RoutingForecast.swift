public import VerificationCore

/// What a table gives sessions of one kind, over all of them.
public struct RoutingForecast: Sendable, Hashable {
    /// The rule that has the word; `nil` where none can give them a verifier.
    public let rule: String?
    /// The shares of the verifiers, the largest first; empty where no verifier can be given the sessions.
    public let shares: [RoutingShare]
    /// The verifiers that were passed over on the way, with their reasons.
    public let passedOver: [Routing.PassedOver]
    /// Who is asked after an error, by the rule.
    public let fallbacks: [VerifierID]
    /// Who verifies again, by the rule.
    public let shadow: ShadowShare?
}

/// A verifier's share, as an exact fraction in lowest terms.
public struct RoutingShare: Sendable, Hashable {
    /// The verifier.
    public let verifier: VerifierID
    /// The part.
    public let part: Int
    /// The whole.
    public let whole: Int

    /// A share of a sum of weights.
    init(_ verifier: VerifierID, weight: Int, of sum: Int) {
        let divisor = RoutingShare.greatestCommonDivisor(weight, sum)
        self.verifier = verifier
        part = weight / divisor
        whole = sum / divisor
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? max(left, 1) : greatestCommonDivisor(right, left % right)
    }
}

extension RoutingTable {
    /// The shares in which sessions of one kind get verifiers: what ``decide(_:outages:)`` gives over all names that a
    /// session can have. The session of the request plays no part.
    public func forecast(_ request: RoutingRequest, outages: (VerifierID) -> OutageReason?) -> RoutingForecast {
        var passedOver: [Routing.PassedOver] = []
        var seen: Set<VerifierID> = []
        func isOut(_ id: VerifierID) -> Bool {
            guard let reason = outages(id) else { return false }
            if seen.insert(id).inserted { passedOver.append(Routing.PassedOver(id, reason)) }
            return true
        }
        for rule in rules where rule.unmetCondition(of: request) == nil {
            let targets = rule.targets.filter { $0.weight > 0 && !isOut($0.verifier) }
            let sum = targets.reduce(0) { $0 + $1.weight }
            var shares = targets.map { RoutingShare($0.verifier, weight: $0.weight, of: sum) }
            if shares.isEmpty, let fallback = rule.fallbacks.first(where: { !isOut($0) }) {
                shares = [RoutingShare(fallback, weight: 1, of: 1)]
            }
            guard !shares.isEmpty else { continue }
            let ordered = shares.sorted {
                ($1.part * $0.whole, $0.verifier.rawValue) < ($0.part * $1.whole, $1.verifier.rawValue)
            }
            return RoutingForecast(
                rule: rule.name, shares: ordered, passedOver: passedOver, fallbacks: rule.fallbacks,
                shadow: rule.shadow)
        }
        return RoutingForecast(rule: nil, shares: [], passedOver: passedOver, fallbacks: [], shadow: nil)
    }
}
