import Routing
import Testing
import VerificationCore

@Suite struct CircuitsTests {
    private static let alpha = VerifierID("alpha")
    private static let beta = VerifierID("beta")

    private static func settings(concurrency: Int? = nil) -> CircuitSettings {
        var settings = CircuitSettings()
        settings.minimumCalls = 2
        settings.concurrency = concurrency
        return settings
    }

    private func fail(_ id: VerifierID, _ circuits: Circuits) {
        for _ in 0..<2 { circuits.record(id, .failed(.providerTimeout), at: .seconds(1)) }
    }

    @Test func `a circuit survives a reload by its verifier's name, with the new settings`() throws {
        let circuits = Circuits([Self.alpha: Self.settings(), Self.beta: Self.settings()])
        fail(Self.alpha, circuits)
        #expect(circuits.hold(Self.beta, .open, until: .seconds(100), at: .zero))
        circuits.configure([Self.alpha: Self.settings(concurrency: 1), Self.beta: Self.settings()], at: .seconds(2))
        #expect(circuits.outage(of: Self.alpha, at: .seconds(2)) == .circuitOpen)
        #expect(circuits.outage(of: Self.beta, at: .seconds(2)) == .heldOpen)
        let shown = try #require(circuits.snapshot(of: Self.alpha, at: .seconds(2), wall: Timestamp(seconds: 1000)))
        #expect(shown.settings.concurrency == 1)
        #expect(shown.state == .open && shown.since == Timestamp(seconds: 999))
        #expect(shown.triedAgainAt == Timestamp(seconds: 1029))
        #expect(shown.counts.failed == [.providerTimeout: 2] && shown.counts.answered == 0)
        #expect(shown.lastErrors.map(\.failure) == [.providerTimeout, .providerTimeout])
        #expect(shown.lastErrors.map(\.at) == [Timestamp(seconds: 999), Timestamp(seconds: 999)])
    }

    @Test func `one verifier alone opens, is tried and closes`() throws {
        let circuits = Circuits([Self.alpha: Self.settings()])
        fail(Self.alpha, circuits)
        #expect(throws: CircuitRefusal(.circuitOpen, retryAfter: .seconds(29))) {
            try circuits.acquire(Self.alpha, at: .seconds(2))
        }
        for _ in 0..<3 { try circuits.acquire(Self.alpha, at: .seconds(31)).record(.answered, at: .seconds(31)) }
        #expect(circuits.snapshot(of: Self.alpha, at: .seconds(31), wall: Timestamp(seconds: 0))?.state == .closed)
        #expect(circuits.outage(of: Self.alpha, at: .seconds(31)) == nil)
    }

    @Test func `one verifier's failures are not another's`() {
        let circuits = Circuits([Self.alpha: Self.settings(), Self.beta: Self.settings()])
        fail(Self.alpha, circuits)
        #expect(circuits.outage(of: Self.beta, at: .seconds(1)) == nil)
    }

    @Test func `a permit that is dropped gives its place back, one that is used gives it back once`() throws {
        let circuits = Circuits([Self.alpha: Self.settings(concurrency: 1)])
        do {
            let permit = try circuits.acquire(Self.alpha, at: .zero)
            #expect(circuits.outage(of: Self.alpha, at: .zero) == .concurrencyFull)
            withExtendedLifetime(permit) {}
        }
        #expect(circuits.outage(of: Self.alpha, at: .zero) == nil)
        let permit = try circuits.acquire(Self.alpha, at: .zero)
        permit.record(.answered, at: .zero)
        permit.record(.failed(.providerTimeout), at: .zero)
        let shown = circuits.snapshot(of: Self.alpha, at: .zero, wall: Timestamp(seconds: 0))
        #expect(shown?.running == 0 && shown?.counts.calls == 1 && shown?.counts.failures == 0)
    }

    @Test func `a verifier that went and came back under its name owes nothing to the calls of the one before`() throws
    {
        let circuits = Circuits([Self.alpha: Self.settings(concurrency: 1)])
        let old = try circuits.acquire(Self.alpha, at: .zero)
        circuits.configure([Self.beta: Self.settings()], at: .zero)
        #expect(circuits.outage(of: Self.alpha, at: .zero) == .unsuitable)
        #expect(throws: CircuitRefusal.self) { try circuits.acquire(Self.alpha, at: .zero) }
        #expect(!circuits.hold(Self.alpha, .open, until: .seconds(5), at: .zero))
        circuits.configure([Self.alpha: Self.settings(concurrency: 1)], at: .zero)
        let new = try circuits.acquire(Self.alpha, at: .zero)
        old.record(.failed(.providerTimeout), at: .zero)
        #expect(circuits.outage(of: Self.alpha, at: .zero) == .concurrencyFull, "the new call still runs")
        new.record(.answered, at: .zero)
        #expect(circuits.outage(of: Self.alpha, at: .zero) == nil)
        #expect(circuits.snapshot(of: Self.alpha, at: .zero, wall: Timestamp(seconds: 0))?.lastErrors.isEmpty == true)
    }

    @Test func `many calls at once never exceed the limit, and all places come back`() async throws {
        let circuits = Circuits([Self.alpha: Self.settings(concurrency: 8)])
        let most = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    guard let permit = try? circuits.acquire(Self.alpha, at: .zero) else { return 0 }
                    await Task.yield()
                    let running = circuits.snapshot(of: Self.alpha, at: .zero, wall: Timestamp(seconds: 0))?.running
                    permit.record(.answered, at: .zero)
                    return running ?? 0
                }
            }
            return await group.reduce(0, max)
        }
        #expect((1...8).contains(most))
        #expect(circuits.snapshot(of: Self.alpha, at: .zero, wall: Timestamp(seconds: 0))?.running == 0)
    }
}
