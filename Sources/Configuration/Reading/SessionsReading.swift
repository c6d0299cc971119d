import JSONTree
import VerificationCore

/// The ranges within which times can be configured.
enum SessionRanges {
    /// From the time that a person needs at least, to the day after which nobody comes back.
    static let lifetime: ClosedRange<Duration> = .seconds(60)...DurationText.days(1)
    static let processingDeadline: ClosedRange<Duration> = .seconds(1) ... .seconds(3600)
    /// The ledger stays; what is purged are sessions, so ten years are for records that a law wants.
    static let purgeAfter: ClosedRange<Duration> = .seconds(3600)...DurationText.days(3660)
    static let retention: ClosedRange<Duration> = .seconds(0)...DurationText.days(3660)
    /// A hundred years.
    static let relyingPartyDays: ClosedRange<Int64> = 1...36_500
}

extension ConfigurationReading {
    func sessions() -> SessionsDeclaration {
        var sessions = SessionsDeclaration()
        guard let reader = root.optionalObject("sessions") else { return sessions }
        sessions.lifetime = reader.duration("lifetime", in: SessionRanges.lifetime, default: sessions.lifetime)
        sessions.processingDeadline = reader.duration(
            "processing_deadline", in: SessionRanges.processingDeadline, default: sessions.processingDeadline)
        sessions.purgeAfter = reader.duration("purge_after", in: SessionRanges.purgeAfter, default: sessions.purgeAfter)
        reader.rejectUnknownKeys()
        return sessions
    }
}
