import Billing
import JSONTree
import Routing
import VerificationCore

extension Plan {
    /// The plan in words.
    var text: String {
        var lines = ["configuration \(before ?? "(none runs)") → \(after)"]
        lines += section("what moves", moves.filter(\.isChange).map(\.words), none: "nothing")
        if before != nil {
            lines += section(
                "inside the files and secrets that it names", contents?.map(\.words) ?? [],
                none: contents == nil ? "not known: nobody kept what runs" : "nothing changed")
        }
        lines += section("open sessions", pinned.map(\.words), none: "none")
        lines += section("certifications", certifications.map(\.words))
        lines += section("alarms", alarms.map(Plan.words))
        lines += section("rules that hold at some times only", windows.map(Plan.words))
        lines += section("budgets", budgets.map(\.words))
        lines += section("takes a restart", restarts)
        lines += section("not safe", dangers.map(\.words))
        if isSafe { lines.append("safe: no session loses its verifier, and every session finds one") }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ title: String, _ lines: [String], none: String? = nil) -> [String] {
        if lines.isEmpty { return none.map { ["\(title): \($0)"] } ?? [] }
        return [title + ":"] + lines.map { "  " + $0 }
    }

    private static func words(_ entry: (verifier: VerifierID, alarm: VerifierHealth.Alarm)) -> String {
        let days = entry.alarm.daysLeft.map { $0 < 0 ? ", past by \(-$0) days" : ", \($0) days left" } ?? ""
        return "\(entry.verifier): \(entry.alarm.code) (\(entry.alarm.subject))\(days)"
    }

    private static func words(_ entry: (rule: String, window: TimeWindow, holds: Bool)) -> String {
        let from = entry.window.from.map { " from \(RFC3339.text($0, fraction: false))" } ?? ""
        let until = entry.window.until.map { " until \(RFC3339.text($0, fraction: false))" } ?? ""
        let hours = entry.window.hours.map { hours in
            " daily \(Plan.clock(hours.from)) to \(Plan.clock(hours.until)) \(hours.zone.name)"
        }
        return "\(entry.rule):\(from)\(until)\(hours ?? ""); it \(entry.holds ? "holds" : "does not hold") now"
    }

    private static func clock(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}

extension Plan.Move {
    /// `purpose, document, client: before → after`, and what changes beside it.
    var words: String {
        var text = "\(purpose), \(documentType), \(client): \(Plan.Move.words(before)) → \(Plan.Move.words(after))"
        let fallbacks = [before, after].map { ($0?.fallbacks ?? []).map(\.rawValue).joined(separator: " ") }
        if fallbacks[0] != fallbacks[1] {
            text += "; fallback \(Plan.Move.or(fallbacks[0])) → \(Plan.Move.or(fallbacks[1]))"
        }
        let shadows = [before, after].map { $0?.shadow.map { "\($0.verifier) \($0.percent)%" } ?? "" }
        if shadows[0] != shadows[1] { text += "; shadow \(Plan.Move.or(shadows[0])) → \(Plan.Move.or(shadows[1]))" }
        return text
    }

    private static func or(_ text: String) -> String { text.isEmpty ? "none" : text }

    private static func words(_ forecast: RoutingForecast?) -> String {
        guard let forecast else { return "not asked for" }
        if forecast.shares.isEmpty { return "nobody" }
        return forecast.shares.map { "\($0.verifier) \($0.percentText)" }.joined(separator: ", ")
    }
}

extension Plan.BudgetChange {
    /// `budget: soft before → after, hard before → after`, or that it comes or goes.
    var words: String {
        guard let before else { return "\(budget): new, \(Plan.BudgetChange.limits(budget))" }
        guard let after else { return "\(budget): gone, it had \(Plan.BudgetChange.limits(budget))" }
        let pairs = [("soft", before.soft, after.soft), ("hard", before.hard, after.hard)]
        let changes = pairs.filter { $0.1 != $0.2 }.map { name, old, new in
            "\(name) \(old.map { "\($0)" } ?? "none") → \(new.map { "\($0)" } ?? "none")"
        }
        return "\(budget): " + changes.joined(separator: ", ")
    }

    private static func limits(_ budget: Budget) -> String {
        [("soft", budget.soft), ("hard", budget.hard)].compactMap { name, limit in limit.map { "\(name) \($0)" } }
            .joined(separator: ", ")
    }
}

extension Plan.Pinned {
    /// How many sessions hold to a verifier, and what becomes of them.
    var words: String {
        let count = "\(verifier): \(sessions) open session\(sessions == 1 ? "" : "s")"
        return switch fate {
        case .stays: count + (sessions == 1 ? ", which keeps it" : ", which keep it")
        case .gone: count + ", and it is gone"
        case .changed: count + ", and it is another kind of verifier, or under another certification"
        case .walletChanged: count + ", whose wallets sealed to an identity or a key that it no longer has"
        case .nonceChanged: count + ", begun with a nonce in another text form than its manifest reads now"
        }
    }
}

extension Plan.CertificationNote {
    /// What is the matter with it.
    var words: String {
        switch state {
        case .expired: "\(verifier): ended \(-days) days ago; it is passed over where one is demanded"
        case .notYetValid: "\(verifier): begins in \(days) days; it is passed over where one is demanded"
        case .expiring: "\(verifier): ends in \(days) days"
        }
    }
}

extension Plan.Danger {
    /// What would go wrong.
    var words: String {
        switch self {
        case .sessionsLose(let verifier, let sessions, let fate):
            "\(sessions) open session\(sessions == 1 ? "" : "s") of \(verifier) would fail (\(fate.rawValue)): let "
                + "them end first"
        case .nobody(let purpose, let type, let client):
            "sessions of \(client) for \(purpose) with \(type) would find no verifier"
        case .sealingKeyGone(let name):
            "the sealing key \(name) is gone, and sessions are sealed with it"
        case .currentKeyGone(let name):
            "the sealing key \(name) seals now and is gone: a reload is refused unless it stays behind the new one"
        case .sealingKeyWrong(let name):
            "the sealing key \(name) is not the one that the store was sealed with; a new key needs a new name"
        case .takesRestart(let parts):
            "a reload is refused: \(parts.joined(separator: ", ")) cannot change without a restart"
        }
    }

    /// A stable name.
    var code: String {
        switch self {
        case .sessionsLose(_, _, let fate): "sessions_lose_verifier:\(fate.rawValue)"
        case .nobody: "nobody"
        case .sealingKeyGone: "sealing_key_gone"
        case .currentKeyGone: "current_sealing_key_gone"
        case .sealingKeyWrong: "sealing_key_wrong"
        case .takesRestart: "takes_restart"
        }
    }
}
