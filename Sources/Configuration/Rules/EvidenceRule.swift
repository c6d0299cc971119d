public import JSONTree
import Routing
public import VerificationCore

/// What can be judged of a configuration only when its verifiers are open: whose evidence each of them can judge.
///
/// A wallet seals its answer to one merchant's key and binds it to one nonce. So whoever is to judge it after another,
/// as a fallback or as a shadow, needs the same wallet identity, every key that the wallet may have sealed to, and a
/// nonce of the gateway's; a rule that promises anything else is refused, not found out in the middle of a session.
public enum EvidenceRule {
    /// What is wrong; nothing where all is well. `descriptions` are those of the opened verifiers.
    public static func problems(
        of configuration: GatewayConfiguration, descriptions: [VerifierID: VerifierDescription], at now: Timestamp
    ) -> [JSONProblem] {
        var problems: [JSONProblem] = []
        for (index, rule) in configuration.routes.rules.enumerated() {
            let line = index < configuration.lines.routes.count ? configuration.lines.routes[index] : 1
            let path = JSONPath.element(index, of: "routes")
            for (number, fallback) in rule.fallbacks.enumerated() {
                let place = JSONPath.element(number, of: JSONPath.member("fallback", of: path))
                let problem = problem(of: fallback, as: "fallback", in: rule, descriptions)
                if let problem { problems.append(JSONProblem(path: place, line: line, problem: problem)) }
            }
            if let shadow = rule.shadow {
                let place = JSONPath.member("verifier", of: JSONPath.member("shadow", of: path))
                let problem = problem(of: shadow.verifier, as: "shadow", in: rule, descriptions)
                if let problem { problems.append(JSONProblem(path: place, line: line, problem: problem)) }
            }
        }
        return problems + unserved(configuration, descriptions) + left(configuration, descriptions, now)
    }

    /// A rule that names a purpose gives it to nobody who could verify no one for it. A rule that speaks of every purpose
    /// passes such a verifier over.
    private static func unserved(
        _ configuration: GatewayConfiguration, _ descriptions: [VerifierID: VerifierDescription]
    ) -> [JSONProblem] {
        var problems: [JSONProblem] = []
        for (index, rule) in configuration.routes.rules.enumerated() {
            for purpose in (rule.purposes ?? []).compactMap({ configuration.purposes[$0]?.purpose }) {
                for type in purpose.documentTypes where rule.documentTypes?.contains(type) ?? true {
                    for verifier in rule.everyCandidate.compactMap({ descriptions[$0] })
                    where verifier.documentTypes.contains(type) {
                        let missing = verifier.missingClaims(of: purpose, type).map(\.rawValue).sorted()
                        if missing.isEmpty { continue }
                        problems.append(
                            JSONProblem(
                                path: JSONPath.element(index, of: "routes"),
                                line: index < configuration.lines.routes.count ? configuration.lines.routes[index] : 1,
                                problem:
                                    "gives \(purpose.id.rawValue) to \(verifier.id.rawValue), which can never give "
                                    + "\(missing.joined(separator: ", ")) of \(type): everybody would be rejected"))
                    }
                }
            }
        }
        return problems
    }

    private static func problem(
        of id: VerifierID, as role: String, in rule: RoutingRule, _ descriptions: [VerifierID: VerifierDescription]
    ) -> String? {
        guard let second = descriptions[id] else { return nil }
        let others = rule.everyCandidate.filter { $0 != id }.compactMap { descriptions[$0] }
        if others.contains(where: { !second.canJudgeEvidence(of: $0) }) {
            return "cannot be a \(role): it cannot judge what is made for another verifier of the rule; that takes the "
                + "same merchant and team identifier, every key of the other's, and a nonce of the gateway's at both"
        }
        let types = others.reduce(into: Set<String>()) { $0.formUnion($1.documentTypes) }
        let asked = rule.documentTypes.map(types.intersection) ?? types
        return asked.isDisjoint(with: second.documentTypes) && !asked.isEmpty
            ? "cannot be a \(role): it verifies none of the rule's document types" : nil
    }

    /// In production, for whatever an app may ask, one verifier at least must be able and allowed to take it.
    private static func left(
        _ configuration: GatewayConfiguration, _ descriptions: [VerifierID: VerifierDescription], _ now: Timestamp
    ) -> [JSONProblem] {
        guard configuration.environment == .production else { return [] }
        var problems: [JSONProblem] = []
        for (id, purpose) in configuration.purposes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let clients = configuration.clients.values.filter { $0.purposes.contains(id) }
            for (index, type) in purpose.purpose.documentTypes.enumerated() {
                let isLeft = clients.contains { client in
                    !configuration.routes.rules.contains { rule in
                        rule.window == nil && rule.speaks(of: id, type, client.id)
                            && rule.everyCandidate.contains { candidate in
                                guard let verifier = configuration.verifiers[candidate] else { return false }
                                return descriptions[candidate]?.canServe(purpose.purpose, type) == true
                                    && CertificationRule.refusal(
                                        of: verifier, for: purpose, documentType: type,
                                        in: configuration.environment, at: now) == nil
                            }
                    }
                }
                guard isLeft else { continue }
                let path = JSONPath.member("document_types", of: JSONPath.member(id.rawValue, of: "purposes"))
                problems.append(
                    JSONProblem(
                        path: JSONPath.element(index, of: path), line: configuration.lines.purposes[id] ?? 1,
                        problem:
                            "is left without a verifier: none that the rules give it to verifies this document, with all the claims that the purpose requires"
                    ))
            }
        }
        return problems
    }
}
