import Routing
import Testing
import VerificationCore

/// A small circuit: four calls say something, half of them failing opens it for ten seconds, two probes close it.
private func settings(concurrency: Int? = nil) -> CircuitSettings {
    var settings = CircuitSettings()
    settings.window = .seconds(60)
    settings.minimumCalls = 4
    settings.failurePercent = 50
    settings.openFor = .seconds(10)
    settings.probes = 2
    settings.concurrency = concurrency
    return settings
}

private let unavailable = CircuitOutcome.failed(.providerUnavailable)

/// Where a circuit stands, and the ways to bring one there.
private enum Standing: String, CaseIterable {
    case closed, open, due, halfOpen, heldOpen, heldClosed

    func circuit() throws -> Circuit {
        var circuit = Circuit(settings(), at: .zero)
        if self == .closed { return circuit }
        if self == .heldOpen || self == .heldClosed {
            circuit.hold(self == .heldOpen ? .open : .closed, until: .seconds(1000), at: .zero)
            return circuit
        }
        for _ in 0..<4 { circuit.record(unavailable, at: .seconds(1)) }
        if self == .halfOpen {
            let place = try circuit.acquire(at: .seconds(11))
            circuit.abandon(place)
        }
        return circuit
    }

    /// An instant at which the circuit stands there.
    var now: Duration {
        switch self {
        case .closed, .open, .heldOpen, .heldClosed: .seconds(2)
        case .due, .halfOpen: .seconds(11)
        }
    }
}

private enum Event: String, CaseIterable {
    case admit, acquire, answered, failed, nothing, fourFailures, probesAnswered, holdOpen, holdClosed, letGo
}

@Suite struct CircuitTests {
    @Test(arguments: Standing.allCases, Event.allCases)
    private func `every event in every state does what the table says`(standing: Standing, event: Event) throws {
        var circuit = try standing.circuit()
        let now = standing.now
        var refusal: OutageReason?
        func acquire() -> CircuitPlace? {
            do throws(CircuitRefusal) { return try circuit.acquire(at: now) } catch {
                refusal = error.reason
                #expect(error.retryAfter > .zero)
                return nil
            }
        }
        switch event {
        case .admit: circuit.admit(at: now)
        case .acquire: _ = acquire()
        case .answered, .failed, .nothing:
            let outcome = event == .answered ? .answered : event == .failed ? unavailable : CircuitOutcome.nothing
            if let place = acquire() {
                circuit.release(place, outcome, at: now)
            } else {
                circuit.record(outcome, at: now)
            }
        case .fourFailures: for _ in 0..<4 { circuit.record(unavailable, at: now) }
        case .probesAnswered:
            for _ in 0..<2 { if let place = acquire() { circuit.release(place, .answered, at: now) } }
        case .holdOpen: circuit.hold(.open, until: now + .seconds(5), at: now)
        case .holdClosed: circuit.hold(.closed, until: now + .seconds(5), at: now)
        case .letGo: circuit.hold(nil, until: now, at: now)
        }
        let (after, refused) = CircuitTests.table(standing, event)
        #expect(CircuitTests.name(circuit.state) == after)
        #expect(refusal == refused)
        let held: Circuit.Hold.Position? =
            switch (standing, event) {
            case (_, .holdOpen): .open
            case (_, .holdClosed): .closed
            case (_, .letGo): nil
            case (.heldOpen, _): .open
            case (.heldClosed, _): .closed
            default: nil
            }
        #expect(circuit.hold(at: now)?.position == held)
        if held == .open { #expect(circuit.refusal(at: now)?.reason == .heldOpen) }
        if held == .closed { #expect(circuit.refusal(at: now) == nil) }
    }

    /// The state by itself afterwards, and why a place was refused.
    private static func table(_ standing: Standing, _ event: Event) -> (after: String, refused: OutageReason?) {
        let takesPlace = [.acquire, .answered, .failed, .nothing, .probesAnswered].contains(event)
        switch standing {
        case .closed: return (event == .fourFailures ? "open" : "closed", nil)
        case .open:
            if event == .holdClosed || event == .letGo { return ("closed", nil) }
            return ("open", takesPlace ? .circuitOpen : nil)
        case .due, .halfOpen:
            switch event {
            case .admit, .acquire, .answered, .nothing: return ("halfOpen", nil)
            case .failed: return ("open", nil)
            // Calls that are no probes prove nothing for a trial.
            case .fourFailures, .holdOpen: return (standing == .due ? "open" : "halfOpen", nil)
            case .probesAnswered, .holdClosed, .letGo: return ("closed", nil)
            }
        case .heldOpen: return (event == .fourFailures ? "open" : "closed", takesPlace ? .heldOpen : nil)
        case .heldClosed: return ("closed", nil)
        }
    }

    private static func name(_ state: Circuit.State) -> String {
        switch state {
        case .closed: "closed"
        case .open: "open"
        case .halfOpen: "halfOpen"
        }
    }

    @Test func `an open circuit is tried again when its time is over, not an instant earlier`() throws {
        var circuit = try Standing.open.circuit()
        let last = Duration.seconds(11) - .nanoseconds(1)
        #expect(circuit.refusal(at: last) == CircuitRefusal(.circuitOpen, retryAfter: .nanoseconds(1)))
        #expect(throws: CircuitRefusal(.circuitOpen, retryAfter: .nanoseconds(1))) { try circuit.acquire(at: last) }
        #expect(circuit.refusal(at: .seconds(11)) == nil)
        #expect(try circuit.acquire(at: .seconds(11)).isProbe)
    }

    @Test func `too few calls, or too few failures among them, open nothing`() {
        for (answered, failed, opens) in [(0, 3, false), (0, 4, true), (3, 2, false), (2, 2, true), (100, 99, false)] {
            var circuit = Circuit(settings(), at: .zero)
            for _ in 0..<answered { circuit.record(.answered, at: .seconds(1)) }
            for _ in 0..<failed { circuit.record(unavailable, at: .seconds(1)) }
            #expect((circuit.state != .closed) == opens, "\(answered) answered, \(failed) failed")
            #expect((circuit.refusal(at: .seconds(1)) == nil) == !opens)
        }
    }

    @Test func `what is older than the window counts no more`() {
        var circuit = Circuit(settings(), at: .zero)
        for _ in 0..<3 { circuit.record(unavailable, at: .seconds(1)) }
        #expect(circuit.counts(at: .seconds(50)).failures == 3)
        #expect(circuit.counts(at: .seconds(61)).failures == 0)
        circuit.record(unavailable, at: .seconds(61))
        #expect(circuit.state == .closed)
        for _ in 0..<3 { circuit.record(unavailable, at: .seconds(62)) }
        #expect(circuit.state != .closed)
    }

    @Test func `a trial lets no more calls through than there are probes, and one failure ends it`() throws {
        var circuit = try Standing.due.circuit()
        let now = Duration.seconds(11)
        let places = try [circuit.acquire(at: now), circuit.acquire(at: now)]
        #expect(throws: CircuitRefusal.self) { try circuit.acquire(at: now) }
        circuit.release(places[0], .answered, at: now)
        #expect(throws: CircuitRefusal.self) { try circuit.acquire(at: now) }
        circuit.release(places[1], unavailable, at: now)
        #expect(circuit.state == .open(until: .seconds(21)))
        #expect(circuit.running == 0)
    }

    @Test func `a probe that says nothing lets another one through`() throws {
        var circuit = try Standing.due.circuit()
        let now = Duration.seconds(11)
        for _ in 0..<5 { circuit.release(try circuit.acquire(at: now), .nothing, at: now) }
        for _ in 0..<5 { circuit.abandon(try circuit.acquire(at: now)) }
        for _ in 0..<2 { circuit.release(try circuit.acquire(at: now), .answered, at: now) }
        #expect(circuit.state == .closed)
        #expect(circuit.counts(at: now).calls == 0, "a closed circuit begins anew")
    }

    @Test func `a call that was begun before the circuit opened proves nothing for the trial`() throws {
        var circuit = Circuit(settings(), at: .zero)
        let early = try (0..<6).map { _ in try circuit.acquire(at: .seconds(1)) }
        for place in early.prefix(4) { circuit.release(place, unavailable, at: .seconds(1)) }
        let probe = try circuit.acquire(at: .seconds(11))
        circuit.release(early[4], .answered, at: .seconds(12))
        circuit.release(early[5], unavailable, at: .seconds(12))
        #expect(CircuitTests.name(circuit.state) == "halfOpen")
        circuit.release(probe, .answered, at: .seconds(12))
        #expect(CircuitTests.name(circuit.state) == "halfOpen")
        circuit.release(try circuit.acquire(at: .seconds(12)), .answered, at: .seconds(12))
        #expect(circuit.state == .closed)
        #expect(circuit.running == 0)
    }

    @Test func `a trial lets as many sessions in as there are probes, and again when none came back`() throws {
        var circuit = try Standing.due.circuit()
        for _ in 0..<2 {
            #expect(circuit.refusal(at: .seconds(11)) == nil)
            circuit.admit(at: .seconds(11))
        }
        #expect(circuit.refusal(at: .seconds(12)) == CircuitRefusal(.circuitOpen, retryAfter: .seconds(9)))
        #expect(circuit.refusal(at: .seconds(21)) == nil)
        circuit.admit(at: .seconds(21))
        circuit.admit(at: .seconds(21))
        #expect(circuit.refusal(at: .seconds(22))?.reason == .circuitOpen)
        // A session that has its verifier already may submit all the same.
        #expect(try circuit.acquire(at: .seconds(22)).isProbe)
    }

    @Test func `a full verifier takes nobody, and a place that is given back is free`() throws {
        var circuit = Circuit(settings(concurrency: 2), at: .zero)
        let first = try circuit.acquire(at: .zero)
        let second = try circuit.acquire(at: .zero)
        #expect(circuit.refusal(at: .zero)?.reason == .concurrencyFull)
        #expect(throws: CircuitRefusal(.concurrencyFull, retryAfter: .seconds(1))) { try circuit.acquire(at: .zero) }
        circuit.release(first, .answered, at: .zero)
        #expect(circuit.refusal(at: .zero) == nil)
        circuit.abandon(second)
        #expect(circuit.running == 0)
        #expect(circuit.counts(at: .zero).calls == 1)
        #expect(circuit.state == .closed, "our own limit is no failure of the verifier's")
    }

    @Test func `a hold ends at its time, and the circuit is what it was`() throws {
        var circuit = Circuit(settings(), at: .zero)
        circuit.hold(.open, until: .seconds(5), at: .zero)
        #expect(circuit.refusal(at: .seconds(4)) == CircuitRefusal(.heldOpen, retryAfter: .seconds(1)))
        #expect(circuit.refusal(at: .seconds(5)) == nil)
        #expect(circuit.hold(at: .seconds(5)) == nil)
        circuit.hold(.closed, until: .seconds(20), at: .seconds(5))
        for _ in 0..<8 { circuit.record(unavailable, at: .seconds(6)) }
        #expect(circuit.state == .closed && circuit.refusal(at: .seconds(19)) == nil)
        circuit.record(unavailable, at: .seconds(20))
        #expect(circuit.state == .open(until: .seconds(30)))
    }

    @Test func `a full verifier is full, though it is held closed`() throws {
        var circuit = Circuit(settings(concurrency: 1), at: .zero)
        circuit.hold(.closed, until: .seconds(5), at: .zero)
        _ = try circuit.acquire(at: .zero)
        #expect(throws: CircuitRefusal.self) { try circuit.acquire(at: .zero) }
    }

    @Test func `fewer probes than were answered close the circuit`() throws {
        var circuit = try Standing.due.circuit()
        circuit.release(try circuit.acquire(at: .seconds(11)), .answered, at: .seconds(11))
        circuit.settings.probes = 1
        #expect(circuit.refusal(at: .seconds(11)) == nil)
        #expect(try !circuit.acquire(at: .seconds(11)).isProbe)
        #expect(circuit.state == .closed)
    }

    @Test func `errors of the other side count, ours and rejections do not`() {
        let counting = VerificationError.Code.allCases.filter { CircuitFailure($0) != nil }
        #expect(counting == [.providerUnavailable, .providerTimeout, .providerProtocolError])
        for code in VerificationError.Code.allCases {
            var circuit = Circuit(settings(), at: .zero)
            let outcome = CircuitOutcome(VerificationError(code, "x"))
            for _ in 0..<10 { circuit.record(outcome, at: .seconds(1)) }
            #expect((circuit.state != .closed) == counting.contains(code), "\(code)")
            #expect(circuit.lastErrors.isEmpty == !counting.contains(code))
        }
    }

    @Test func `only the last failures are kept to be shown, newest first`() {
        var circuit = Circuit(settings(), at: .zero)
        for second in 1...9 { circuit.record(.failed(.providerTimeout), at: .seconds(second)) }
        #expect(circuit.lastErrors.map(\.at) == [9, 8, 7, 6, 5].map { .seconds($0) })
    }
}
