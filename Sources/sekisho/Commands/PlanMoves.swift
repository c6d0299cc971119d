import Configuration
import JSONTree
import Routing
import VerificationCore

extension Plan {
    /// Where sessions go, by purpose, document and client, before and after. Shares are exact; what circuits do meanwhile
    /// is left out, because nobody knows it beforehand.
    static func moves(_ facts: Facts) -> [Move] {
        kinds(of: facts.after).union(facts.before.map(kinds) ?? []).sorted().map { kind in
            Move(
                purpose: kind.purpose, documentType: kind.documentType, client: kind.client,
                before: facts.before.flatMap { forecast(of: kind, by: $0, facts) },
                after: forecast(of: kind, by: facts.after, facts))
        }
    }

    private struct Kind: Hashable, Comparable {
        let purpose: PurposeID
        let documentType: String
        let client: ClientID

        static func < (left: Kind, right: Kind) -> Bool {
            (left.purpose.rawValue, left.documentType, left.client.rawValue)
                < (right.purpose.rawValue, right.documentType, right.client.rawValue)
        }
    }

    private static func kinds(of configuration: RecalledConfiguration) -> Set<Kind> {
        var kinds: Set<Kind> = []
        for client in configuration.clients.values {
            for purpose in client.purposes {
                for type in configuration.purposes[purpose]?.purpose.documentTypes ?? [] {
                    kinds.insert(Kind(purpose: purpose, documentType: type, client: client.id))
                }
            }
        }
        return kinds
    }

    private static func forecast(
        of kind: Kind, by configuration: RecalledConfiguration, _ facts: Facts
    ) -> RoutingForecast? {
        guard kinds(of: configuration).contains(kind), let purpose = configuration.purposes[kind.purpose] else {
            return nil
        }
        let request = RoutingRequest(
            session: SessionID(""), purpose: kind.purpose, documentType: kind.documentType, client: kind.client,
            at: facts.at)
        return configuration.routes.forecast(request) { id in
            // Only what would run is open to us; of what runs, a verifier that is configured alike verifies the same.
            let verifies = facts.descriptions[id]?.canServe(purpose.purpose, kind.documentType) ?? true
            let isAlike =
                configuration.verifiers[id]?.canonicalForm == facts.after.verifiers[id]?.canonicalForm
            if !verifies, isAlike { return .unsuitable }
            return configuration.outage(of: id, for: purpose, documentType: kind.documentType, at: facts.at)
        }
    }

    /// What becomes of the sessions that are open.
    static func pinned(_ facts: Facts) -> [Pinned] {
        var counts: [VerifierID: Int] = [:]
        for pinned in facts.pinned { counts[pinned.verifier, default: 0] += pinned.count }
        return counts.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }.map { id, count in
            Pinned(verifier: id, sessions: count, fate: fate(of: id, facts))
        }
    }

    private static func fate(of id: VerifierID, _ facts: Facts) -> Pinned.Fate {
        guard let after = facts.after.verifiers[id] else { return .gone }
        guard let before = facts.before?.verifiers[id] else { return .stays }
        if before.kind != after.kind || before.isSimulated != after.isSimulated { return .changed }
        // A certification is part of what a session was opened under (design 9).
        if before.certification != after.certification { return .changed }
        return losesKeys(before.node["wallet"], after.node["wallet"]) ? .walletChanged : .stays
    }

    /// Whether a wallet that sealed to what was is left alone: another identity, or a key that is no longer there. A key
    /// is known by its place; the same place may hold another key, which nobody can see from here.
    private static func losesKeys(_ before: JSONNode?, _ after: JSONNode?) -> Bool {
        guard let before else { return false }
        guard let after else { return true }
        for name in ["merchant_identifier", "team_identifier"] where before[name]?.string != after[name]?.string {
            return true
        }
        func places(_ wallet: JSONNode) -> Set<String> {
            let keys = wallet["keys"]?.elements?.compactMap { $0["key"] } ?? []
            let hashes = wallet["key_sha256"]?.elements?.compactMap(\.string) ?? []
            return Set(keys.map(place) + hashes.map { $0.lowercased() })
        }
        return !places(before).isSubset(of: places(after))
    }

    /// The place of a secret; of a command, the canonical form kept the program alone.
    private static func place(_ node: JSONNode) -> String {
        if let file = node["file"]?.string { return "file " + file }
        if let name = node["env"]?.string { return "env " + name }
        return "command " + (node["command"]?.elements?.first?.string ?? "")
    }
}
