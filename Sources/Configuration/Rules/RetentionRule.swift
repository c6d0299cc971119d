import JSONTree
import VerificationCore

/// The wallet shows the person what the relying party declares to keep. The gateway works for the relying party, so
/// it must not keep the claims longer than that; with `none`, they are gone when the answer is.
enum RetentionRule {
    static func judge(
        _ retention: Duration, at reader: JSONReader, relyingParty: RelyingPartyRetention, purgeAfter: Duration
    ) {
        switch relyingParty {
        case .none where retention > .zero:
            reader.report("must be \"0s\": relying_party_retention is \"none\", and the person is told so")
        case .days(let days) where retention > DurationText.days(Int64(days)):
            reader.report("is longer than relying_party_retention, which the person is told")
        case .none, .days, .unbounded:
            break
        }
        if retention > purgeAfter { reader.report("is longer than sessions.purge_after, which removes the session") }
    }

    /// How long a contract lasts is not known beforehand, so no number of days that the person is told covers the time
    /// until it ends and the years after it.
    static func judgeEvent(at reader: JSONReader, relyingParty: RelyingPartyRetention) {
        switch relyingParty {
        case .unbounded: break
        case .none, .days:
            reader.report(
                "needs relying_party_retention \"unbounded\": nobody knows when the contract ends, and the person is "
                    + "told how long the data is kept")
        }
    }
}
