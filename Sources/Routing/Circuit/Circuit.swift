public import VerificationCore

/// A verifier's circuit: whether it may be called now, learnt from what its calls came to.
///
/// A value without a clock: every time is an argument, of a clock that only goes forward. `closed` → `open` at too many
/// failures; `open` → `halfOpen` when its time is over; `halfOpen` → `closed` when enough probes are answered, back to
/// `open` at the first that fails. What an operator holds stands above all of it until it expires.
public struct Circuit: Sendable, Hashable {
    /// The states.
    public enum State: Sendable, Hashable {
        /// Calls go through.
        case closed
        /// None does until then.
        case open(until: Duration)
        /// As many as there are probes do.
        case halfOpen(Trial)
    }

    /// A trial of a verifier that failed before.
    public struct Trial: Sendable, Hashable {
        /// When it began, or let the last sessions in.
        var since: Duration
        /// Probes that run.
        var running = 0
        /// Probes that were answered.
        var answered = 0
        /// Sessions that were given to it, to be probes when they submit.
        var admitted = 0
    }

    /// What an operator holds it to.
    public struct Hold: Sendable, Hashable {
        /// Open or closed.
        public let position: Position
        /// The first instant at which it is over.
        public let until: Duration

        /// Where a circuit is held.
        public enum Position: String, Sendable, CaseIterable, Hashable {
            /// Nothing goes through.
            case open
            /// Everything goes through, whatever fails.
            case closed
        }
    }

    /// A failure to be shown.
    public struct LastError: Sendable, Hashable {
        /// What failed.
        public let failure: CircuitFailure
        /// When.
        public let at: Duration
    }

    /// The most failures that are kept to be shown.
    static let lastErrorsKept = 5
    /// When to come back where all places are taken: calls end within seconds.
    static let fullRetry: Duration = .seconds(1)

    /// The settings; a reload may replace them.
    public var settings: CircuitSettings
    /// The state as the last event left it.
    public private(set) var state: State = .closed
    /// When the state was entered.
    public private(set) var since: Duration
    /// Counts the states: a call that was begun in another one proves nothing for this one.
    public private(set) var generation = 0
    /// Calls that run.
    public private(set) var running = 0
    /// The last failures, newest first.
    public private(set) var lastErrors: [LastError] = []
    private var hold: Hold?
    private var window = RollingCounts()

    /// A closed circuit.
    public init(_ settings: CircuitSettings, at now: Duration) {
        self.settings = settings
        self.since = now
    }

    /// What an operator holds it to now.
    public func hold(at now: Duration) -> Hold? { hold.flatMap { now < $0.until ? $0 : nil } }

    /// What the calls of the window came to.
    public func counts(at now: Duration) -> CircuitCounts { window.counts(window: settings.window, at: now) }

    /// Why no session can be given to the verifier; `nil` where one can. It changes nothing.
    public func refusal(at now: Duration) -> CircuitRefusal? {
        if let refusal = heldOrFull(at: now) { return refusal }
        switch state {
        case .closed: return nil
        case .open(let until): return now < until ? CircuitRefusal(.circuitOpen, retryAfter: until - now) : nil
        case .halfOpen(let trial):
            if now - trial.since >= settings.openFor || trial.answered >= settings.probes { return nil }
            guard trial.admitted >= settings.probes else { return nil }
            return CircuitRefusal(.circuitOpen, retryAfter: trial.since + settings.openFor - now)
        }
    }

    /// Notes that a session was given to the verifier: a trial lets only as many in as there are probes, and as many
    /// again when those do not come back in the time that it was open.
    public mutating func admit(at now: Duration) {
        beginTrialIfDue(at: now)
        guard case .halfOpen(var trial) = state else { return }
        if now - trial.since >= settings.openFor {
            trial.since = now
            trial.admitted = 0
        }
        trial.admitted += 1
        state = .halfOpen(trial)
    }

    /// Takes a place for a call, or says why there is none.
    public mutating func acquire(at now: Duration) throws(CircuitRefusal) -> CircuitPlace {
        if let refusal = heldOrFull(at: now) { throw refusal }
        beginTrialIfDue(at: now)
        switch state {
        case .closed: break
        case .open(let until): throw CircuitRefusal(.circuitOpen, retryAfter: until - now)
        case .halfOpen(let trial) where trial.answered >= settings.probes:
            // A reload asks for fewer probes than were answered already.
            enter(.closed, at: now)
        case .halfOpen(var trial):
            guard trial.running + trial.answered < settings.probes else {
                throw CircuitRefusal(.circuitOpen, retryAfter: Circuit.fullRetry)
            }
            trial.running += 1
            state = .halfOpen(trial)
            running += 1
            return CircuitPlace(generation: generation, isProbe: true)
        }
        running += 1
        return CircuitPlace(generation: generation, isProbe: false)
    }

    /// Gives a place back with what the call came to. Each place is given back once.
    public mutating func release(_ place: CircuitPlace, _ outcome: CircuitOutcome, at now: Duration) {
        running -= 1
        note(outcome, at: now)
        guard place.generation == generation else { return }
        if place.isProbe {
            finishProbe(outcome, at: now)
        } else {
            judge(outcome, at: now)
        }
    }

    /// Gives a place back of which nothing is known, not even the time.
    public mutating func abandon(_ place: CircuitPlace) {
        running -= 1
        if place.isProbe, place.generation == generation, case .halfOpen(var trial) = state {
            trial.running -= 1
            state = .halfOpen(trial)
        }
    }

    /// Counts a call that took no place, such as asking for a verdict of a session that is waiting.
    public mutating func record(_ outcome: CircuitOutcome, at now: Duration) {
        note(outcome, at: now)
        judge(outcome, at: now)
    }

    /// Holds the circuit for a while, or lets it go where `position` is `nil`. A circuit that was held closed, or that is
    /// let go, begins anew: an operator knows better what the past was worth.
    public mutating func hold(_ position: Hold.Position?, until: Duration, at now: Duration) {
        hold = position.map { Hold(position: $0, until: until) }
        if position != .open, state != .closed { enter(.closed, at: now) }
    }

    private func heldOrFull(at now: Duration) -> CircuitRefusal? {
        if let hold = hold(at: now), hold.position == .open {
            return CircuitRefusal(.heldOpen, retryAfter: hold.until - now)
        }
        if let concurrency = settings.concurrency, running >= concurrency {
            return CircuitRefusal(.concurrencyFull, retryAfter: Circuit.fullRetry)
        }
        return nil
    }

    private mutating func beginTrialIfDue(at now: Duration) {
        if case .open(let until) = state, now >= until { enter(.halfOpen(Trial(since: now)), at: now) }
    }

    private mutating func note(_ outcome: CircuitOutcome, at now: Duration) {
        window.add(outcome, window: settings.window, at: now)
        guard case .failed(let failure) = outcome else { return }
        lastErrors = [LastError(failure: failure, at: now)] + lastErrors.prefix(Circuit.lastErrorsKept - 1)
    }

    /// Opens a closed circuit at too many failures.
    private mutating func judge(_ outcome: CircuitOutcome, at now: Duration) {
        guard case .failed = outcome, state == .closed, hold(at: now)?.position != .closed else { return }
        let counts = counts(at: now)
        if counts.calls >= settings.minimumCalls, counts.failures * 100 >= settings.failurePercent * counts.calls {
            enter(.open(until: now + settings.openFor), at: now)
        }
    }

    private mutating func finishProbe(_ outcome: CircuitOutcome, at now: Duration) {
        guard case .halfOpen(var trial) = state else { return }
        trial.running -= 1
        switch outcome {
        case .failed: enter(.open(until: now + settings.openFor), at: now)
        case .nothing: state = .halfOpen(trial)
        case .answered:
            trial.answered += 1
            if trial.answered >= settings.probes { enter(.closed, at: now) } else { state = .halfOpen(trial) }
        }
    }

    private mutating func enter(_ new: State, at now: Duration) {
        state = new
        since = now
        generation += 1
        if new == .closed { window = RollingCounts() }
    }
}

/// A place that a call has taken.
public struct CircuitPlace: Sendable, Hashable {
    let generation: Int
    /// Whether the call is a trial of a verifier that failed before.
    public let isProbe: Bool
}

/// Why a verifier may not be called now.
public struct CircuitRefusal: Error, Sendable, Hashable {
    /// `circuit_open`, `held_open`, `concurrency_full`; `unsuitable` for a verifier that is not configured.
    public let reason: OutageReason
    /// When to come back.
    public let retryAfter: Duration

    /// A refusal.
    public init(_ reason: OutageReason, retryAfter: Duration) {
        self.reason = reason
        self.retryAfter = retryAfter
    }
}
