import Cryptography
import JSONTree
import Routing
import VerificationCore

/// What rules can name, and what they are judged by.
struct RouteTargets {
    let purposes: [PurposeID: PurposeDeclaration]
    let clients: [ClientID: ClientDeclaration]
    let verifiers: [VerifierID: VerifierDeclaration]
    let environment: DeploymentEnvironment
    let now: Timestamp
}

/// A rule and where it stands.
struct ReadRule {
    let rule: RoutingRule
    let reader: JSONReader
}

/// The ranges within which shares can be configured.
enum ShareRanges {
    /// A ten-thousandth is the smallest share of two verifiers.
    static let weight: ClosedRange<Int64> = 0...10_000
    static let percent: ClosedRange<Int64> = 0...100
}

extension ConfigurationReading {
    /// The conditions of a rule.
    private static let conditions = [
        "purpose", "purposes", "document_type", "document_types", "client", "clients", "window",
    ]

    func routes(_ targets: RouteTargets) -> RoutingTable {
        guard let list = root.required("routes"), let readers = list.elements() else { return RoutingTable(rules: []) }
        var rules: [ReadRule] = []
        for reader in readers where reader.isObject() {
            guard var rule = rule(reader) else { continue }
            name(&rule, at: reader, among: rules)
            rules.append(ReadRule(rule: rule, reader: reader))
        }
        if !readers.contains(where: isDefault) {
            list.report("needs a rule without conditions, so that every session finds a verifier")
        }
        if !isRecalled { RouteRules(targets: targets, root: root).judge(rules) }
        return RoutingTable(rules: rules.map(\.rule))
    }

    private func isDefault(_ reader: JSONReader) -> Bool {
        reader.node.members.map { members in
            !members.contains { ConfigurationReading.conditions.contains($0.name) }
        } ?? false
    }

    private func rule(_ reader: JSONReader) -> RoutingRule? {
        defer { reader.rejectUnknownKeys() }
        let name = reader.optional("name")
        let text = name?.string()
        if let name, let text, !ConfiguredName.isValid(text) { name.report("must be \(ConfiguredName.form)") }
        let purposes = mentions(one: "purpose", many: "purposes", of: reader, in: "purposes")
        let clients = mentions(one: "client", many: "clients", of: reader, in: "clients")
        let documentTypes = documentTypes(of: reader)
        let window = reader.optionalObject("window").flatMap(window)
        let targets = targets(of: reader)
        let fallbacks = fallbacks(of: reader)
        let shadow = reader.optionalObject("shadow").flatMap(shadow)
        guard let targets, !targets.isEmpty else { return nil }
        let rule = RoutingRule(
            name: text ?? "", purposes: purposes.map { Set($0.map { PurposeID($0) }) }, documentTypes: documentTypes,
            clients: clients.map { Set($0.map { ClientID($0) }) }, window: window, targets: targets,
            fallbacks: fallbacks, shadow: shadow)
        refuseRepeats(in: rule, at: reader)
        return rule
    }

    /// Names a rule that has no name by its conditions, so that its sessions' shares stay as they are when other rules
    /// come and go; a name stands once.
    private func name(_ rule: inout RoutingRule, at reader: JSONReader, among others: [ReadRule]) {
        let names = Set(others.map(\.rule.name))
        guard rule.name.isEmpty else {
            if names.contains(rule.name) { reader.report("is the name of another rule already", member: "name") }
            return
        }
        var conditions = rule.purposes?.map(\.rawValue).sorted() ?? []
        conditions += rule.documentTypes?.sorted() ?? []
        conditions += rule.clients?.map(\.rawValue).sorted() ?? []
        if rule.window != nil { conditions.append("window") }
        let all = conditions.joined(separator: "+")
        let short = ByteText.hex(Hash.sha256(all.utf8).prefix(4))
        let name = conditions.isEmpty ? "default" : all.utf8.count > ConfiguredName.longest ? "rule-\(short)" : all
        var candidate = name
        var number = 2
        while names.contains(candidate) {
            candidate = "\(name)-\(number)"
            number += 1
        }
        rule.name = candidate
    }

    /// The names that a condition lists: one under its one key, or several under the other.
    private func mentions(
        one: String, many: String, of reader: JSONReader, in dictionary: String
    ) -> [String]? {
        let single = reader.optional(one)
        guard let list = reader.optional(many) else {
            return single.map { [mention($0, of: one, in: dictionary)].compactMap(\.self) }
        }
        if single != nil { reader.report("says the same as \(one); only one of them may stand", member: many) }
        if list.node.elements?.isEmpty == true { list.report("must not be empty: leave it out to look at none") }
        return list.uniqueStrings().compactMap { mention($0.reader, of: one, in: dictionary) }
    }

    /// The name of something declared at the root.
    private func mention(_ reader: JSONReader?, of what: String, in dictionary: String) -> String? {
        guard let reader, let text = reader.string() else { return nil }
        if !isDeclared(text, in: dictionary) {
            let known = root.node[dictionary]?.members?.map(\.name) ?? []
            reader.reportUnknown(text, what, among: known)
        }
        return text
    }

    private func documentTypes(of reader: JSONReader) -> Set<String>? {
        func known(_ text: String, _ member: JSONReader) {
            if DocumentCatalog.definition(of: text) == nil {
                member.reportUnknown(text, "known document type", among: DocumentCatalog.documents.map(\.type))
            }
        }
        let single = reader.optional("document_type")
        let type = single?.string()
        if let single, let type { known(type, single) }
        guard let list = reader.optional("document_types") else {
            return single == nil ? nil : Set([type].compactMap(\.self))
        }
        if single != nil {
            reader.report("says the same as document_type; only one of them may stand", member: "document_types")
        }
        if list.node.elements?.isEmpty == true { list.report("must not be empty: leave it out to look at none") }
        let strings = list.uniqueStrings()
        for (text, member) in strings { known(text, member) }
        return Set(strings.map(\.text))
    }

    private func targets(of reader: JSONReader) -> [WeightedTarget]? {
        guard let list = reader.optional("verifiers") else {
            return mention(reader.required("verifier"), of: "verifier", in: "verifiers")
                .map { [WeightedTarget(VerifierID($0))] }
        }
        if reader.optional("verifier") != nil {
            reader.report("says the same as verifier; only one of them may stand", member: "verifiers")
        }
        guard let readers = list.elements() else { return nil }
        if readers.isEmpty { list.report("must not be empty") }
        var targets: [WeightedTarget] = []
        for entry in readers where entry.isObject() {
            defer { entry.rejectUnknownKeys() }
            let id = entry.required("id")
            let name = mention(id, of: "verifier", in: "verifiers")
            guard let weight = entry.integer("weight", in: ShareRanges.weight), let name else { continue }
            if targets.contains(where: { $0.verifier.rawValue == name }) { id?.report("is in the list already") }
            targets.append(WeightedTarget(VerifierID(name), weight: Int(weight)))
        }
        if !targets.isEmpty, targets.count == readers.count, targets.allSatisfy({ $0.weight == 0 }) {
            list.report("has no weight above 0, so no session finds a verifier by it")
        }
        return targets
    }

    private func fallbacks(of reader: JSONReader) -> [VerifierID] {
        guard let list = reader.optional("fallback") else { return [] }
        return list.uniqueStrings().compactMap { mention($0.reader, of: "verifier", in: "verifiers") }
            .map { VerifierID($0) }
    }

    private func shadow(_ reader: JSONReader) -> ShadowShare? {
        defer { reader.rejectUnknownKeys() }
        let verifier = mention(reader.required("verifier"), of: "verifier", in: "verifiers")
        guard let percent = reader.integer("percent", in: ShareRanges.percent), let verifier else { return nil }
        return ShadowShare(verifier: VerifierID(verifier), percent: Int(percent))
    }

    /// A verifier that is to fall back to itself, or to verify again what it verified, promises nothing.
    private func refuseRepeats(in rule: RoutingRule, at reader: JSONReader) {
        guard rule.targets.count == 1, let only = rule.targets.first?.verifier else { return }
        if rule.fallbacks.contains(only) { reader.report("holds the rule's own verifier", member: "fallback") }
        if rule.shadow?.verifier == only, rule.fallbacks.isEmpty {
            reader.report("is the rule's own verifier", member: "shadow")
        }
    }
}
