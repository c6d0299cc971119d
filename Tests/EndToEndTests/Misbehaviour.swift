import Foundation

/// A row of the table in `docs/sandbox.md`: a misbehaviour, and what it comes to on every side.
struct Misbehaviour: Sendable, CustomStringConvertible {
    /// The fault's name on the control port, or what stands in the table where nothing is wrong.
    let fault: String
    /// What goes with it, as an order has it and as the table tells it.
    var with: (order: String, words: String) = ("", "")
    let provider: String
    let step: String
    /// How the session ends, or what is answered where none is opened.
    let ends: String
    /// Every event of the provider's calls: the call, the kind, the class.
    let ledger: [String]
    /// Calls that the provider counted, tokens left out where the row is not about them.
    let calls: String
    /// What the provider charged.
    let charges: String

    var description: String { "\(provider) \(step) \(fault) \(with.words)" }

    /// The row as the page has it.
    var text: String {
        let name = fault == Self.none ? fault : "`\(fault)`" + (with.words.isEmpty ? "" : ", \(with.words)")
        return "| \(name) | \(provider) \(step) | \(ends) | \(Self.told(ledger)) | \(calls) | \(charges) |"
    }

    /// Whether it needs a gateway that has just started and nobody beside it: one that has no token yet, or whose next
    /// connection is known.
    var isAlone: Bool { step == "token" || fault == "reset_before_reading" }

    /// The order, for the control port; nothing where nothing is wrong.
    var order: String? {
        guard fault != Self.none else { return nil }
        let more = with.order.isEmpty ? "" : ",\(with.order)"
        let place = fault == "reset_before_reading" ? "" : "\"provider\":\"\(provider)\",\"step\":\"\(step)\","
        return "{\(place)\"fault\":\"\(fault)\"\(more)}"
    }

    static let none = "nothing"

    /// Events as the table tells them: a call's name once, then what became of it.
    static func told(_ events: [String]) -> String {
        var calls: [(name: String, events: [String])] = []
        for event in events {
            let parts = event.split(separator: " ", maxSplits: 1).map(String.init)
            if calls.last?.name != parts[0] { calls.append((parts[0], [])) }
            calls[calls.count - 1].events.append(parts.last ?? "")
        }
        guard !calls.isEmpty else { return "nothing" }
        return calls.map { "\($0.name): \($0.events.joined(separator: ", "))" }.joined(separator: "; ")
    }
}

/// What a provider's submissions look like in the ledger.
private enum Told {
    static let alpha = ["submit started completed_any", "submit ended completed_any"]
    static let alphaFree = ["submit started completed_any", "submit ended non_billable"]
    static let alphaFound = [alpha[0]] + ["submit uncertain completed_any", "submit resolved completed_any"]
    static let alphaNever = [alpha[0]] + ["submit uncertain completed_any", "submit resolved non_billable"]
    static let beta = begun + ["submit started completed_pass", "submit ended completed_pass"]
    static let begun = ["begin started session_created", "begin ended session_created"]
    static let betaFree = begun + ["submit started completed_pass", "submit ended non_billable"]
    static let betaFound =
        begun + ["submit started completed_pass", "submit uncertain completed_pass", "submit resolved completed_pass"]
    static let betaNever =
        begun + ["submit started completed_pass", "submit uncertain completed_pass", "submit resolved non_billable"]
    static let beginFree = ["begin started session_created", "begin ended non_billable"]
    static let beginLost = ["begin started session_created", "begin uncertain session_created"]
    static let gamma = ["submit started evidence_submitted", "submit ended evidence_submitted"]
    static let gammaFree = ["submit started evidence_submitted", "submit ended non_billable"]
    static let gammaFound =
        [gamma[0]] + ["submit uncertain evidence_submitted", "submit resolved evidence_submitted"]
    static let gammaNever = [gamma[0]] + ["submit uncertain evidence_submitted", "submit resolved non_billable"]
}

extension Misbehaviour {
    private static let charged = (order: #""charged":true"#, words: "charged")
    private static let uncharged = (order: #""charged":false"#, words: "not charged")
    private static let slow = (order: #""milliseconds":300"#, words: "300 ms")
    private static let elsewhere = (order: #""location":"https://localhost:1/""#, words: "")
    private static let unavailable = "failed `provider_unavailable`"
    private static let protocolError = "failed `provider_protocol_error`"

    private static func alpha(
        _ fault: String, with: (String, String) = ("", ""), _ ends: String, _ ledger: [String], _ calls: String,
        _ charges: String = "kakunin"
    ) -> Misbehaviour {
        Misbehaviour(
            fault: fault, with: with, provider: "alpha", step: "submit", ends: ends, ledger: ledger, calls: calls,
            charges: charges)
    }

    private static func beta(
        _ fault: String, with: (String, String) = ("", ""), at step: String, _ ends: String, _ ledger: [String],
        _ calls: String, _ charges: String
    ) -> Misbehaviour {
        Misbehaviour(
            fault: fault, with: with, provider: "beta", step: step, ends: ends, ledger: ledger, calls: calls,
            charges: charges)
    }

    private static func gamma(
        _ fault: String, with: (String, String) = ("", ""), at step: String = "submit", _ ends: String,
        _ ledger: [String], _ calls: String, _ charges: String = "submission"
    ) -> Misbehaviour {
        Misbehaviour(
            fault: fault, with: with, provider: "gamma", step: step, ends: ends, ledger: ledger, calls: calls,
            charges: charges)
    }

    /// A repeat of a lost call has the same key, and alpha bills it once.
    static let atAlpha: [Misbehaviour] = [
        alpha(none, "verified", Told.alpha, "1 submit"),
        alpha("slow", with: slow, "verified", Told.alpha, "1 submit"),
        alpha("timeout", with: charged, "verified", Told.alpha, "2 submit"),
        alpha("timeout", with: uncharged, "verified", Told.alpha, "2 submit"),
        alpha("reset_after_reading", with: charged, "verified", Told.alpha, "2 submit"),
        alpha("reset_after_reading", with: uncharged, "verified", Told.alpha, "2 submit"),
        alpha("cut_body", "verified", Told.alpha, "2 submit"),
        alpha("too_many_requests", with: (#""seconds":1"#, "1 s"), "verified", Told.alpha, "2 submit"),
        alpha("too_many_requests_date", with: (#""seconds":2"#, "2 s"), "verified", Told.alpha, "2 submit"),
        alpha(
            "too_many_requests", with: (#""seconds":60"#, "60 s"), unavailable, Told.alphaFree, "1 submit", "nothing"),
        alpha("unavailable", unavailable, Told.alphaFree, "1 submit", "nothing"),
        alpha("redirect", with: elsewhere, protocolError, Told.alphaFree, "1 submit", "nothing"),
        alpha("html_error", with: charged, "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("html_error", with: uncharged, unavailable, Told.alphaNever, "1 submit, 1 fetch", "nothing"),
        alpha("wrong_reference", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("unknown_status", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("bad_json", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("truncated_json", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("duplicate_keys", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("byte_order_mark", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("gzip_bomb", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("empty_answer", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("no_content", "verified", Told.alphaFound, "1 submit, 1 fetch"),
        alpha("individual_number", "verified", Told.alpha, "1 submit"),
        alpha("revised", "rejected", Told.alpha, "1 submit, 1 fetch"),
    ]

    /// Opening bills and knows no key, so it is never made twice; nor is a submission.
    static let atBeta: [Misbehaviour] = [
        beta(
            "token_lifetime", with: (#""json":"\"soon\"""#, "`\"soon\"`"), at: "token", "verified", Told.beta,
            "1 token, 1 begin, 1 submit, 1 poll", "session, approval"),
        beta(
            "token_expires_at_once", at: "token", "verified", Told.beta, "2 token, 2 begin, 1 submit, 1 poll",
            "session, approval"),
        beta(none, at: "submit", "verified", Told.beta, "1 begin, 1 submit, 1 poll", "session, approval"),
        beta("slow", with: slow, at: "begin", "verified", Told.beta, "1 begin, 1 submit, 1 poll", "session, approval"),
        beta("timeout", with: charged, at: "begin", noSession, Told.beginLost, "1 begin", "session"),
        beta("reset_after_reading", with: charged, at: "begin", noSession, Told.beginLost, "1 begin", "session"),
        beta("reset_after_reading", with: uncharged, at: "begin", noSession, Told.beginLost, "1 begin", "nothing"),
        beta("html_error", with: uncharged, at: "begin", noSession, Told.beginLost, "1 begin", "nothing"),
        beta("wrong_reference", at: "begin", noSession, Told.beginLost, "1 begin", "session"),
        beta("unavailable", at: "begin", elsewhereVerified, Told.beginFree, "1 begin", "nothing"),
        beta(
            "too_many_requests", with: (#""seconds":1"#, "1 s"), at: "begin", elsewhereVerified, Told.beginFree,
            "1 begin",
            "nothing"),
        beta(
            "timeout", with: charged, at: "submit", "verified", Told.betaFound, "1 begin, 1 submit, 1 poll",
            "session, approval"),
        beta(
            "timeout", with: uncharged, at: "submit", unavailable, Told.betaNever, "1 begin, 1 submit, 1 poll",
            "session"),
        beta(
            "reset_after_reading", with: charged, at: "submit", "verified", Told.betaFound, "1 begin, 1 submit, 1 poll",
            "session, approval"),
        beta(
            "reset_after_reading", with: uncharged, at: "submit", unavailable, Told.betaNever,
            "1 begin, 1 submit, 1 poll",
            "session"),
        beta("unavailable", at: "submit", unavailable, Told.betaFree, "1 begin, 1 submit", "session"),
        beta(
            "individual_number", at: "submit", "verified", Told.beta, "1 begin, 1 submit, 1 poll", "session, approval"),
        beta("revised", at: "submit", "rejected", Told.betaFree, "1 begin, 1 submit, 2 poll", "session, approval"),
        beta("unavailable", at: "poll", "verified", Told.beta, "1 begin, 1 submit, 2 poll", "session, approval"),
        beta("bad_json", at: "poll", "verified", Told.beta, "1 begin, 1 submit, 2 poll", "session, approval"),
        beta("unknown_status", at: "poll", "verified", Told.beta, "1 begin, 1 submit, 2 poll", "session, approval"),
    ]

    /// Each submission bills, so it is never made twice. Those whose verdict comes by the webhook are asked for at most once.
    static let atGamma: [Misbehaviour] = [
        gamma(none, "verified", Told.gamma, "1 submit, 1 webhook"),
        gamma("slow", with: slow, "verified", Told.gamma, "1 submit, 1 webhook"),
        gamma("timeout", with: charged, "verified", Told.gammaFound, "1 submit, 1 fetch, 1 webhook"),
        gamma("timeout", with: uncharged, unavailable, Told.gammaNever, "1 submit, 1 fetch", "nothing"),
        gamma("reset_after_reading", with: charged, "verified", Told.gammaFound, "1 submit, 1 fetch, 1 webhook"),
        gamma("reset_after_reading", with: uncharged, unavailable, Told.gammaNever, "1 submit, 1 fetch", "nothing"),
        gamma("cut_body", "verified", Told.gammaFound, "1 submit, 1 fetch, 1 webhook"),
        gamma("reset_before_reading", unavailable, Told.gammaFree, "nothing", "nothing"),
        gamma("too_many_requests", with: (#""seconds":1"#, "1 s"), unavailable, Told.gammaFree, "1 submit", "nothing"),
        gamma("unavailable", unavailable, Told.gammaFree, "1 submit", "nothing"),
        gamma("redirect", with: elsewhere, protocolError, Told.gammaFree, "1 submit", "nothing"),
        gamma("html_error", with: charged, "verified", Told.gammaFound, "1 submit, 1 fetch, 1 webhook"),
        gamma("unknown_status", "verified", Told.gammaFound, "1 submit, 1 fetch, 1 webhook"),
        gamma("duplicate_keys", "verified", Told.gammaFound, "1 submit, 1 fetch, 1 webhook"),
        gamma("individual_number", "verified", Told.gamma, "1 submit, 1 webhook"),
        gamma("revised", "verified", Told.gamma, "1 submit, 2 webhook"),
        gamma("duplicate_webhook", at: "webhook", "verified", Told.gamma, "1 submit, 2 webhook"),
        gamma("wrongly_signed_webhook", at: "webhook", "verified", Told.gamma, "1 submit, 1 fetch, 1 webhook"),
        gamma("webhook_for_another", at: "webhook", "verified", Told.gamma, "1 submit, 1 fetch, 1 webhook"),
        gamma("lost_webhook", at: "webhook", "verified", Told.gamma, "1 submit, 1 fetch"),
        gamma(
            "late_webhook", with: (#""milliseconds":10000"#, "10 s"), at: "webhook", "verified", Told.gamma,
            "1 submit, 1 fetch, 1 webhook"),
        gamma(
            "wrong_reference", "failed `provider_timeout`",
            [Told.gamma[0]] + ["submit uncertain evidence_submitted"],
            "1 submit, fetch until the deadline, 1 webhook"),
    ]

    private static let elsewhereVerified = "verified, by `in-house`"
    private static let noSession = "503 `verifier_unavailable`, no session"
}
