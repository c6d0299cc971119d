import Billing
import Configuration
import Gateway
import Routing
import VerificationCore

/// What a new configuration would do to a gateway that runs another one.
struct Plan {
    /// What is known of the two, and of the gateway.
    struct Facts {
        /// What runs; `nil` where nothing does, or nobody knows.
        var before: RecalledConfiguration?
        /// What would.
        var after: RecalledConfiguration
        /// What the new configuration brings in beside its own text. Its secrets are told apart by the keys of the running
        /// one, where that is known.
        var inventory: Inventory
        /// What the running one brought in; `nil` where nobody knows.
        var inventoryBefore: Inventory?
        /// What they give alarm of.
        var alarms: [VerifierID: [VerifierHealth.Alarm]]
        /// The sessions that are open.
        var pinned: [PinnedSessions]
        /// The keys that something in the store is sealed with.
        var sealingKeysInUse: Set<String>
        /// The sealing keys that are other ones than those that the store was sealed with under their names.
        var sealingKeysWrong: [String] = []
        /// When.
        var at: Timestamp
    }

    /// Where the sessions of one kind go.
    struct Move {
        let purpose: PurposeID
        let documentType: String
        let client: ClientID
        /// By the configuration that runs; `nil` where it knows no such sessions.
        let before: RoutingForecast?
        /// By the new one; `nil` where it knows no such sessions.
        let after: RoutingForecast?

        /// Whether anything changes for them.
        var isChange: Bool {
            before?.shares != after?.shares || before?.fallbacks != after?.fallbacks || before?.shadow != after?.shadow
                || (before == nil) != (after == nil)
        }
    }

    /// The open sessions of a verifier, and what becomes of them.
    struct Pinned {
        enum Fate: String {
            /// They keep their verifier.
            case stays
            /// The new configuration has no such verifier.
            case gone
            /// It is of another kind, a simulator where it was none, or has lost its certification.
            case changed
            /// Wallets sealed to an identity or a key that it no longer has.
            case walletChanged = "wallet_changed"
            /// Its manifest reads the nonce in another text form than the one that the sessions were begun with.
            case nonceChanged = "nonce_changed"
        }

        let verifier: VerifierID
        let sessions: Int
        let fate: Fate
    }

    /// A certification that somebody should look at.
    struct CertificationNote {
        enum State: String {
            case expired
            case notYetValid = "not_yet_valid"
            case expiring
        }

        let verifier: VerifierID
        let state: State
        /// Whole days until it ends or, where it has not begun, until it begins; negative when past.
        let days: Int
    }

    /// A budget whose limits change, that comes or that goes.
    struct BudgetChange {
        let budget: Budget
        let before: Budget?
        let after: Budget?
    }

    /// Why it is not safe.
    enum Danger {
        case sessionsLose(VerifierID, sessions: Int, Pinned.Fate)
        case nobody(PurposeID, documentType: String, ClientID)
        case sealingKeyGone(String)
        case currentKeyGone(String)
        case sealingKeyWrong(String)
        case takesRestart([String])
    }

    /// How long before its end a certification is told of: an audit takes about as long.
    static let certificationWarning = DurationText.days(60)

    let before: String?
    let after: String
    let moves: [Move]
    let pinned: [Pinned]
    let certifications: [CertificationNote]
    let alarms: [(verifier: VerifierID, alarm: VerifierHealth.Alarm)]
    /// The budgets that change.
    let budgets: [BudgetChange]
    /// What is other inside the files and secrets that both configurations name; `nil` where nobody knows what runs.
    let contents: [InventoryChange]?
    /// The parts that take a restart.
    let restarts: [String]
    /// The rules that hold at some times only, and whether they do now.
    let windows: [(rule: String, window: TimeWindow, holds: Bool)]
    let dangers: [Danger]

    /// Whether it can be put into service now.
    var isSafe: Bool { dangers.isEmpty }

    /// Compares.
    init(_ facts: Facts) {
        before = facts.before?.version
        after = facts.after.version
        moves = Plan.moves(facts)
        pinned = Plan.pinned(facts)
        certifications = Plan.certifications(facts)
        alarms = facts.alarms.sorted { $0.key.rawValue < $1.key.rawValue }
            .flatMap { id, alarms in alarms.map { (id, $0) } }
        budgets = Plan.budgets(facts)
        contents = facts.inventoryBefore.map { facts.inventory.changes(since: $0) }
        restarts = Plan.restarts(facts)
        windows = facts.after.routes.rules.compactMap { rule in
            rule.window.map { (rule.name, $0, $0.contains(facts.at)) }
        }
        let losses = pinned.filter { $0.fate != .stays }.map {
            Danger.sessionsLose($0.verifier, sessions: $0.sessions, $0.fate)
        }
        let nobodies = moves.filter { $0.after?.shares.isEmpty == true && $0.before?.shares.isEmpty != true }.map {
            Danger.nobody($0.purpose, documentType: $0.documentType, $0.client)
        }
        let keys = facts.sealingKeysInUse.subtracting(facts.after.sealingKeyNames).sorted().map {
            Danger.sealingKeyGone($0)
        }
        // It may be used in the very moment of the reload, which therefore refuses to drop it.
        let current = (facts.before?.sealingKeyNames.first).flatMap { name in
            facts.after.sealingKeyNames.contains(name) || facts.sealingKeysInUse.contains(name)
                ? nil : Danger.currentKeyGone(name)
        }
        let wrong = facts.sealingKeysWrong.map { Danger.sealingKeyWrong($0) }
        let refused = restarts.isEmpty ? [] : [Danger.takesRestart(restarts)]
        dangers = losses + nobodies + keys + [current].compactMap(\.self) + wrong + refused
    }

    private static func budgets(_ facts: Facts) -> [BudgetChange] {
        // Two budgets are the same one by what they count; their limits may differ.
        let (before, after) = (facts.before?.budgets ?? [], facts.after.budgets)
        let kept = after.map { next in
            BudgetChange(budget: next, before: before.first { "\($0)" == "\(next)" }, after: next)
        }
        let gone = before.filter { old in !after.contains { "\($0)" == "\(old)" } }.map {
            BudgetChange(budget: $0, before: $0, after: nil)
        }
        return (kept + gone).filter { $0.before != $0.after }
    }

    private static func restarts(_ facts: Facts) -> [String] {
        guard let before = facts.before else { return [] }
        var changed: [String] = []
        if before.environment != facts.after.environment { changed.append("environment") }
        if before.http != facts.after.http { changed.append("http") }
        if before.store != facts.after.store { changed.append("store") }
        return changed
    }

    private static func certifications(_ facts: Facts) -> [CertificationNote] {
        let day = DurationText.days(1)
        return facts.after.verifiers.values.sorted { $0.id.rawValue < $1.id.rawValue }.compactMap { verifier in
            guard let certification = verifier.certification else { return nil }
            func days(_ time: Timestamp) -> Int { Int((time.duration(since: facts.at) / day).rounded(.down)) }
            if facts.at < certification.validFrom {
                return CertificationNote(
                    verifier: verifier.id, state: .notYetValid, days: days(certification.validFrom))
            }
            if facts.at > certification.validUntil {
                return CertificationNote(verifier: verifier.id, state: .expired, days: days(certification.validUntil))
            }
            guard certification.validUntil.duration(since: facts.at) < certificationWarning else { return nil }
            return CertificationNote(verifier: verifier.id, state: .expiring, days: days(certification.validUntil))
        }
    }
}
