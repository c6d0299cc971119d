import JSONTree
import VerificationCore

/// How long a purpose's claims are kept, as configured.
struct ConfiguredRetention {
    /// After the verdict; the default where an event is waited for.
    var afterVerdict: Duration
    /// After an event that the app tells of.
    var afterEvent: EventRetention?
}

extension ConfigurationReading {
    /// A lifetime of a contract and a law's years on top of it.
    private static let years: ClosedRange<Int> = 1...100

    /// Reads `"30d"`, or `{ after: "contract_ended", keep: "7y", default: "90d" }`, and judges it.
    func retention(
        _ reader: JSONReader, relyingParty: RelyingPartyRetention?, purgeAfter: Duration
    ) -> ConfiguredRetention? {
        guard reader.node.members != nil else {
            guard let duration = reader.duration(in: SessionRanges.retention) else { return nil }
            if let relyingParty {
                RetentionRule.judge(duration, at: reader, relyingParty: relyingParty, purgeAfter: purgeAfter)
            }
            return ConfiguredRetention(afterVerdict: duration)
        }
        defer { reader.rejectUnknownKeys() }
        let event = reader.enumeration("after", as: EventRetention.Event.self)
        let keep = reader.required("keep").flatMap(period)
        let fallback = reader.required("default")
        let duration = fallback?.duration(in: SessionRanges.retention)
        guard let event, let keep, let duration, let fallback else { return nil }
        if duration == .zero {
            fallback.report("must not be \"0s\": what is gone with the answer cannot be kept after an event")
        }
        if let relyingParty {
            RetentionRule.judge(duration, at: fallback, relyingParty: relyingParty, purgeAfter: purgeAfter)
            RetentionRule.judgeEvent(at: reader, relyingParty: relyingParty)
        }
        return ConfiguredRetention(afterVerdict: duration, afterEvent: EventRetention(after: event, keep: keep))
    }

    private func period(_ reader: JSONReader) -> EventRetention.Period? {
        guard let text = reader.string() else { return nil }
        let number = text.dropLast()
        let isPlain = !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) } && number.first != "0"
        if isPlain, text.hasSuffix("y"), let years = Int(number), Self.years.contains(years) { return .years(years) }
        if isPlain, text.hasSuffix("d"), let days = Int(number), SessionRanges.relyingPartyDays.contains(Int64(days)) {
            return .days(days)
        }
        reader.report("must be whole years or days, such as \"7y\" or \"2555d\"")
        return nil
    }
}
