import Synchronization
public import VerificationCore

/// The circuits of all configured verifiers. They outlive a reload: what was learnt of a verifier stays as long as its
/// name does.
public final class Circuits: Sendable {
    /// A circuit, and which one of all that ever were: a verifier that went and came back under its name has another,
    /// and calls of the one before give no place back to it.
    private struct Entry {
        let serial: Int
        var circuit: Circuit
    }

    private struct State {
        var entries: [VerifierID: Entry] = [:]
        var serial = 0
    }

    private let state = Mutex(State())

    /// Circuits of these verifiers.
    public init(_ settings: [VerifierID: CircuitSettings] = [:], at now: Duration = .zero) {
        configure(settings, at: now)
    }

    /// Takes a new configuration's settings over: a verifier that stays keeps its circuit, one that is gone loses it.
    public func configure(_ settings: [VerifierID: CircuitSettings], at now: Duration) {
        state.withLock { state in
            var next: [VerifierID: Entry] = [:]
            for (id, settings) in settings {
                if var entry = state.entries[id] {
                    entry.circuit.settings = settings
                    next[id] = entry
                } else {
                    state.serial += 1
                    next[id] = Entry(serial: state.serial, circuit: Circuit(settings, at: now))
                }
            }
            state.entries = next
        }
    }

    /// Why no new session can be given to a verifier; `nil` where one can. It changes nothing.
    public func outage(of id: VerifierID, at now: Duration) -> OutageReason? { refusal(of: id, at: now)?.reason }

    /// The same, with when to come back.
    public func refusal(of id: VerifierID, at now: Duration) -> CircuitRefusal? {
        state.withLock { state in
            guard let entry = state.entries[id] else { return Circuits.unknown }
            return entry.circuit.refusal(at: now)
        }
    }

    /// Notes that a new session was given to a verifier. Only a verifier on trial minds.
    public func admit(_ id: VerifierID, at now: Duration) {
        state.withLock { $0.entries[id]?.circuit.admit(at: now) }
    }

    /// Takes a place for a call, or says why there is none.
    public func acquire(_ id: VerifierID, at now: Duration) throws(CircuitRefusal) -> CircuitPermit {
        let result = state.withLock { state -> Result<(Int, CircuitPlace), CircuitRefusal> in
            guard var entry = state.entries[id] else { return .failure(Circuits.unknown) }
            defer { state.entries[id] = entry }
            do throws(CircuitRefusal) {
                return .success((entry.serial, try entry.circuit.acquire(at: now)))
            } catch {
                return .failure(error)
            }
        }
        let (serial, place) = try result.get()
        return CircuitPermit(verifier: id, serial: serial, place: place, circuits: self)
    }

    /// Counts a call that took no place: one that must be made whatever the circuit says, such as asking for the verdict
    /// of a session that waits.
    public func record(_ id: VerifierID, _ outcome: CircuitOutcome, at now: Duration) {
        state.withLock { $0.entries[id]?.circuit.record(outcome, at: now) }
    }

    /// Holds a verifier's circuit until an instant, or lets it go where `position` is `nil`. False for a verifier that
    /// is not configured.
    public func hold(_ id: VerifierID, _ position: Circuit.Hold.Position?, until: Duration, at now: Duration) -> Bool {
        state.withLock { state in
            guard state.entries[id] != nil else { return false }
            state.entries[id]?.circuit.hold(position, until: until, at: now)
            return true
        }
    }

    /// What a circuit shows. `now` and `wall` are the same instant by the two clocks.
    public func snapshot(of id: VerifierID, at now: Duration, wall: Timestamp) -> CircuitSnapshot? {
        state.withLock { $0.entries[id]?.circuit }.map { CircuitSnapshot($0, at: now, wall: wall) }
    }

    /// Gives a place back; without an outcome nothing is known of the call.
    func giveBack(_ permit: CircuitPermit, _ outcome: (CircuitOutcome, at: Duration)?) {
        state.withLock { state in
            guard var entry = state.entries[permit.verifier], entry.serial == permit.serial else { return }
            if let (outcome, now) = outcome {
                entry.circuit.release(permit.place, outcome, at: now)
            } else {
                entry.circuit.abandon(permit.place)
            }
            state.entries[permit.verifier] = entry
        }
    }

    /// A verifier without a circuit is one that the configuration no longer has.
    private static let unknown = CircuitRefusal(.unsuitable, retryAfter: Circuit.fullRetry)
}

/// A place that a call has taken. A permit that is dropped gives its place back and says nothing of the verifier, so no
/// place is lost, whatever becomes of the call.
public final class CircuitPermit: Sendable {
    /// The verifier that may be called.
    public let verifier: VerifierID
    let serial: Int
    let place: CircuitPlace
    private let circuits: Circuits
    private let isSpent = Atomic(false)

    init(verifier: VerifierID, serial: Int, place: CircuitPlace, circuits: Circuits) {
        self.verifier = verifier
        self.serial = serial
        self.place = place
        self.circuits = circuits
    }

    /// Gives the place back with what the call came to. Only the first time counts.
    public func record(_ outcome: CircuitOutcome, at now: Duration) {
        guard !isSpent.exchange(true, ordering: .relaxed) else { return }
        circuits.giveBack(self, (outcome, now))
    }

    deinit {
        if !isSpent.load(ordering: .relaxed) { circuits.giveBack(self, nil) }
    }
}
