public import VerificationCore

/// A circuit as it is shown, in wall-clock time.
public struct CircuitSnapshot: Sendable, Hashable {
    /// The names of the states.
    public enum Name: String, Sendable, CaseIterable, Hashable {
        case closed, open
        case halfOpen = "half_open"
    }

    /// The state by itself; what an operator holds stands above it.
    public let state: Name
    /// When it was entered.
    public let since: Timestamp
    /// When an open circuit is tried again.
    public let triedAgainAt: Timestamp?
    /// What an operator holds it to, and until when.
    public let hold: (position: Circuit.Hold.Position, until: Timestamp)?
    /// What the calls of the window came to.
    public let counts: CircuitCounts
    /// Calls that run.
    public let running: Int
    /// The settings.
    public let settings: CircuitSettings
    /// The last failures, newest first.
    public let lastErrors: [(failure: CircuitFailure, at: Timestamp)]

    /// What a circuit shows at an instant that two clocks tell.
    init(_ circuit: Circuit, at now: Duration, wall: Timestamp) {
        func time(_ instant: Duration) -> Timestamp { wall.advanced(by: instant - now) }
        switch circuit.state {
        case .closed:
            (state, triedAgainAt) = (.closed, nil)
        case .open(let until):
            (state, triedAgainAt) = now < until ? (.open, time(until)) : (.halfOpen, nil)
        case .halfOpen:
            (state, triedAgainAt) = (.halfOpen, nil)
        }
        since = time(circuit.since)
        hold = circuit.hold(at: now).map { ($0.position, time($0.until)) }
        counts = circuit.counts(at: now)
        running = circuit.running
        settings = circuit.settings
        lastErrors = circuit.lastErrors.map { ($0.failure, time($0.at)) }
    }

    /// Compares everything that is shown.
    public static func == (left: CircuitSnapshot, right: CircuitSnapshot) -> Bool {
        left.state == right.state && left.since == right.since && left.triedAgainAt == right.triedAgainAt
            && left.hold?.position == right.hold?.position && left.hold?.until == right.hold?.until
            && left.counts == right.counts && left.running == right.running && left.settings == right.settings
            && left.lastErrors.elementsEqual(right.lastErrors) { $0 == $1 }
    }

    /// Hashes what most tells two apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(since)
        hasher.combine(counts)
    }
}
