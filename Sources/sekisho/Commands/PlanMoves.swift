import Configuration
import Gateway
import JSONTree
import Routing
import VerificationCore

extension Plan {
    /// Where sessions go, by purpose, document and client, before and after. Shares are exact; what circuits do meanwhile
    /// is left out, because nobody knows it beforehand.
    static func moves(_ facts: Facts) -> [Move] {
        let offersBefore = offersBefore(facts)
        return kinds(of: facts.after).union(facts.before.map(kinds) ?? []).sorted().map { kind in
            Move(
                purpose: kind.purpose, documentType: kind.documentType, client: kind.client,
                before: facts.before.flatMap { forecast(of: kind, by: $0, offersBefore, at: facts.at) },
                after: forecast(of: kind, by: facts.after, facts.inventory.offers, at: facts.at))
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
        of kind: Kind, by configuration: RecalledConfiguration, _ offers: [VerifierID: VerifierOffer], at now: Timestamp
    ) -> RoutingForecast? {
        guard kinds(of: configuration).contains(kind), let purpose = configuration.purposes[kind.purpose] else {
            return nil
        }
        let request = RoutingRequest(
            session: SessionID(""), purpose: kind.purpose, documentType: kind.documentType, client: kind.client,
            at: now)
        return configuration.routes.forecast(request) { id in
            configuration.outage(of: id, offer: offers[id], for: purpose, documentType: kind.documentType, at: now)
        }
    }

    /// What the running verifiers can verify. Where nobody kept that, one that is configured as the new one is taken to be as
    /// the new one is, and any other for one that can verify everything.
    private static func offersBefore(_ facts: Facts) -> [VerifierID: VerifierOffer] {
        if let before = facts.inventoryBefore { return before.offers }
        let everything = VerifierOffer(documentTypes: Set(DocumentCatalog.documents.map(\.type)))
        return (facts.before?.verifiers ?? [:]).mapValues { verifier in
            let isAlike = verifier.canonicalForm == facts.after.verifiers[verifier.id]?.canonicalForm
            return isAlike ? facts.inventory.offers[verifier.id] ?? everything : everything
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
        // What a session was promised may be renewed, and may not be lost.
        if let old = before.certification, old != after.certification {
            guard let new = after.certification, new.regime == old.regime, new.isCurrent(at: facts.at) else {
                return .changed
            }
        }
        let (old, new) = (before.node["wallet"], after.node["wallet"])
        if losesIdentity(old, new) { return .walletChanged }
        // Where the gateway kept which keys it runs with, they themselves are compared, else the places they are kept in.
        let keyLoss = facts.inventoryBefore.map { facts.inventory.loses(.walletKey, of: after.path, since: $0) }
        if (keyLoss ?? false) || losesKeys(old, new, byPlace: keyLoss == nil) { return .walletChanged }
        let isNonceOther = facts.inventoryBefore.map { before in
            facts.inventory.changes(since: before).contains {
                $0.owner == after.path && $0.kind == .manifest && $0.changed.contains("nonce.form")
            }
        }
        return isNonceOther ?? false ? .nonceChanged : .stays
    }

    /// Whether wallets were asked with another identity.
    private static func losesIdentity(_ before: JSONNode?, _ after: JSONNode?) -> Bool {
        guard let before else { return false }
        return ["merchant_identifier", "team_identifier"].contains { before[$0]?.string != after?[$0]?.string }
    }

    /// Whether a key that wallets may have sealed to is no longer there: of keys that a provider holds, its digest; of our own
    /// its place, where nobody knows more. The same place may hold another key.
    private static func losesKeys(_ before: JSONNode?, _ after: JSONNode?, byPlace: Bool) -> Bool {
        guard let before else { return false }
        guard let after else { return true }
        func places(_ wallet: JSONNode) -> Set<String> {
            let keys = byPlace ? wallet["keys"]?.elements?.compactMap { $0["key"] } ?? [] : []
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
