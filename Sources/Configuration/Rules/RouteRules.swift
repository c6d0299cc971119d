import JSONTree
import Routing
import VerificationCore

/// What is wrong with rules that can be read: one that no session meets or that never picks a verifier, one that sends a
/// session where it may never go, and a session that is left without a verifier.
struct RouteRules {
    let targets: RouteTargets
    let root: JSONReader

    func judge(_ rules: [ReadRule]) {
        var isRefused = false
        for (index, rule) in rules.enumerated() {
            judgeConditions(of: rule)
            if let reason = unreachable(rule.rule, after: rules[..<index].map(\.rule)) { rule.reader.report(reason) }
            let refusals = refusals(of: rule.rule)
            if !refusals.isEmpty { isRefused = true }
            for (member, refusal) in refusals { report(refusal, of: rule.reader, member: member) }
        }
        if !isRefused { judgeWhatIsLeft(rules.map(\.rule)) }
    }

    /// A rule that no session can meet is a mistake.
    private func judgeConditions(of rule: ReadRule) {
        let (reader, rule) = (rule.reader, rule.rule)
        let clientMember = reader.node["clients"] == nil ? "client" : "clients"
        for client in (rule.clients ?? []).compactMap({ targets.clients[$0] }) {
            if client.role != .app {
                reader.report("names a client that opens no sessions", member: clientMember)
            } else if let purposes = rule.purposes, purposes.isDisjoint(with: client.purposes) {
                reader.report("names a client that may not ask for the rule's purpose", member: clientMember)
            }
        }
        let purposes = (rule.purposes ?? []).compactMap { targets.purposes[$0]?.purpose }
        guard let types = rule.documentTypes, !purposes.isEmpty, purposes.count == rule.purposes?.count else { return }
        for type in types where !purposes.contains(where: { $0.documentTypes.contains(type) }) {
            reader.report(
                "is no document type of the rule's purpose",
                member: reader.node["document_types"] == nil ? "document_type" : "document_types")
        }
    }

    /// Why a rule never picks a verifier: rules before it speak of all its sessions at all its times, and have all its
    /// verifiers, so that where it has its turn, they were passed over already.
    private func unreachable(_ rule: RoutingRule, after others: [RoutingRule]) -> String? {
        let covering = others.filter { $0.covers(rule) }
        guard !covering.isEmpty else { return nil }
        let asked = Set(covering.flatMap(\.everyCandidate))
        return asked.isSuperset(of: rule.everyCandidate)
            ? "is never reached: rules before it speak of all its sessions, and have all its verifiers" : nil
    }

    /// The verifiers of a rule that may never be given one of its sessions, by the member that names them. A certification
    /// that has ended or not begun is no mistake of the rule's: its verifier is passed over.
    private func refusals(of rule: RoutingRule) -> [(member: String, CertificationRule.Refusal)] {
        let members =
            [
                (
                    rule.targets.count == 1 ? "verifier" : "verifiers",
                    rule.targets.filter { $0.weight > 0 }.map(\.verifier)
                )
            ]
            + [("fallback", rule.fallbacks), ("shadow", [rule.shadow?.verifier].compactMap(\.self))]
        return members.flatMap { member, verifiers in
            let found = Set(verifiers.compactMap { targets.verifiers[$0] }.flatMap { lasting(of: $0, in: rule) })
            return CertificationRule.Refusal.allCases.filter(found.contains).map { (member, $0) }
        }
    }

    private func lasting(of verifier: VerifierDeclaration, in rule: RoutingRule) -> [CertificationRule.Refusal] {
        sessions(of: rule).compactMap { purpose, type in
            let refusal = CertificationRule.refusal(
                of: verifier, for: purpose, documentType: type, in: targets.environment, at: targets.now)
            return refusal == .regimeNotAccepted || verifier.certification == nil ? refusal : nil
        }
    }

    /// What the sessions of a rule can be for, as far as its clients may ask for it.
    private func sessions(of rule: RoutingRule) -> [(PurposeDeclaration, documentType: String)] {
        let clients = rule.clients?.compactMap { targets.clients[$0] }
        return targets.purposes.filter { id, _ in
            (rule.purposes?.contains(id) ?? true) && (clients?.contains { $0.purposes.contains(id) } ?? true)
        }
        .values.flatMap { purpose in
            purpose.purpose.documentTypes.filter { rule.documentTypes?.contains($0) ?? true }.map { (purpose, $0) }
        }
    }

    private func report(_ refusal: CertificationRule.Refusal, of reader: JSONReader, member: String) {
        switch refusal {
        case .documentDemandsCertification:
            reader.report(
                "sends My Number Cards to a verifier without a current certification: production needs one, or a "
                    + "certification_exception with its legal basis", member: member)
        case .purposeDemandsCertification:
            reader.report(
                "serves a purpose that demands a certification (require_certification or regimes) by a verifier without "
                    + "a current one", member: member)
        case .regimeNotAccepted:
            reader.report(
                "serves a purpose with regimes by a verifier whose certification is of another one", member: member)
        }
    }

    /// For whatever an app may ask, one verifier at least must be allowed to take it, at any hour.
    private func judgeWhatIsLeft(_ rules: [RoutingRule]) {
        let asked = Set(targets.clients.values.flatMap(\.purposes))
        for (id, purpose) in targets.purposes where asked.contains(id) {
            for (index, type) in purpose.purpose.documentTypes.enumerated() {
                let clients = targets.clients.values.filter { $0.purposes.contains(id) }
                let isLeft = clients.contains { client in
                    !rules.contains { rule in
                        rule.window == nil && rule.speaks(of: id, type, client.id)
                            && rule.everyCandidate.contains { mayServe($0, purpose, type) }
                    }
                }
                if isLeft { reportLeft(id, index) }
            }
        }
    }

    private func mayServe(_ id: VerifierID, _ purpose: PurposeDeclaration, _ type: String) -> Bool {
        // A verifier that cannot be read is told of where it stands.
        guard let verifier = targets.verifiers[id] else { return true }
        return CertificationRule.refusal(
            of: verifier, for: purpose, documentType: type, in: targets.environment, at: targets.now) == nil
    }

    private func reportLeft(_ purpose: PurposeID, _ index: Int) {
        guard let node = root.node["purposes"]?[purpose.rawValue]?["document_types"]?.elements?[index] else { return }
        let path = JSONPath.member("document_types", of: JSONPath.member(purpose.rawValue, of: "purposes"))
        JSONReader(node, path: JSONPath.element(index, of: path), problems: root.problems).report(
            "is left without a verifier: none that the rules give it to has a certification that is current")
    }
}

extension RoutingRule {
    /// Whether the rule speaks of such sessions, at one time at least.
    func speaks(of purpose: PurposeID, _ documentType: String, _ client: ClientID) -> Bool {
        (purposes?.contains(purpose) ?? true) && (documentTypes?.contains(documentType) ?? true)
            && (clients?.contains(client) ?? true)
    }

    /// Whether the rule speaks of everything that another speaks of.
    func covers(_ other: RoutingRule) -> Bool {
        func covers<Name: Hashable>(_ mine: Set<Name>?, _ theirs: Set<Name>?) -> Bool {
            guard let mine else { return true }
            return theirs.map(mine.isSuperset) ?? false
        }
        return covers(purposes, other.purposes) && covers(documentTypes, other.documentTypes)
            && covers(clients, other.clients) && (window == nil || window == other.window)
    }
}
