import Synchronization
import VerificationCore

/// What happened in each of the last minutes, for whoever looks now. It begins empty with the process; what must be kept
/// is in the metrics.
final class Pulse: Sendable {
    /// Minutes that are kept: an hour.
    static let minutes = 60
    /// Upper edges of latencies in milliseconds: fine where verifications are, coarse beyond.
    static let edges: [Int] = [
        5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10_000, 30_000,
    ]

    /// One minute.
    struct Minute: Sendable, Equatable {
        /// Minutes since the epoch.
        let number: Int64
        /// Sessions that were created in it or came to a final state.
        var sessions: [SessionStatus: Int] = [:]
        /// Submissions by the edge that their latency lies under; the last place is beyond every edge.
        var latencies = [Int](repeating: 0, count: Pulse.edges.count + 1)

        /// When it began.
        var begins: Timestamp { Timestamp(milliseconds: number * 60_000) }
    }

    private let kept = Mutex<[Minute]>([])

    /// Notes sessions.
    func note(_ status: SessionStatus, count: Int = 1, at now: Timestamp) {
        guard count > 0 else { return }
        change(at: now) { $0.sessions[status, default: 0] += count }
    }

    /// Notes how long a submission took.
    func note(submission duration: Duration, at now: Timestamp) {
        let (seconds, attoseconds) = duration.components
        let milliseconds = Int(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        let place = Self.edges.firstIndex { milliseconds < $0 } ?? Self.edges.count
        change(at: now) { $0.latencies[place] += 1 }
    }

    /// The last minutes, oldest first, the one that runs last; minutes in which nothing happened are there too.
    func recent(at now: Timestamp) -> [Minute] {
        let last = Self.number(now)
        let known = kept.withLock { Dictionary($0.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first }) }
        return (0..<Int64(Self.minutes)).reversed().map { known[last - $0] ?? Minute(number: last - $0) }
    }

    private func change(at now: Timestamp, _ body: (inout Minute) -> Void) {
        let number = Self.number(now)
        kept.withLock { kept in
            kept.removeAll { $0.number <= number - Int64(Self.minutes) }
            if let place = kept.lastIndex(where: { $0.number == number }) {
                body(&kept[place])
            } else {
                var minute = Minute(number: number)
                body(&minute)
                kept.append(minute)
            }
        }
    }

    private static func number(_ time: Timestamp) -> Int64 {
        let (quotient, remainder) = time.milliseconds.quotientAndRemainder(dividingBy: 60_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Collection where Element == Pulse.Minute {
    /// The edge, in milliseconds, that so many in a hundred submissions stayed under; `nil` where there is none, or where
    /// it lies beyond every edge.
    func latency(percent: Int) -> Int? {
        let total = submissions
        guard total > 0 else { return nil }
        let wanted = (total * percent + 99) / 100
        var seen = 0
        for (place, edge) in Pulse.edges.enumerated() {
            seen += reduce(0) { $0 + $1.latencies[place] }
            if seen >= wanted { return edge }
        }
        return nil
    }

    /// How many submissions were answered.
    var submissions: Int { reduce(0) { $0 + $1.latencies.reduce(0, +) } }

    /// How many sessions came to a status.
    func sessions(_ status: SessionStatus) -> Int { reduce(0) { $0 + ($1.sessions[status] ?? 0) } }
}
