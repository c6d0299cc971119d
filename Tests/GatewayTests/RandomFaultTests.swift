import Foundation
import MemoryStore
import Routing
import Synchronization
import Testing
import VerificationCore

@testable import Gateway

/// A thousand sessions at two providers that fail in every way there is, with stops in between.
@Suite struct RandomFaultTests {
    private static let sessions = 1000
    private static let stops = 12

    /// A generator that a failing run can be repeated with.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
    }

    /// What one provider does. The n-th call of a step meets the same fault for the same seed, whatever else was drawn
    /// before it.
    private struct Weather: Sendable {
        let seed: UInt64

        private func draw(_ step: UInt64, _ number: Int) -> Seeded {
            var mixer = Seeded(state: seed &* 0x1_0000_0000 &+ step &* 0x100_0000 &+ UInt64(number))
            return Seeded(state: mixer.next())
        }

        func begin(_ number: Int) -> ScriptedProvider.Act {
            var dice = draw(1, number)
            return dice.chance(95) ? .verified([:]) : .unreachable
        }

        /// `dead` is a gate that never opens: what waits there belongs to a process that was stopped.
        func submit(_ number: Int, dead: Gate) -> ScriptedProvider.Act {
            var dice = draw(2, number)
            return switch Int.random(in: 0..<100, using: &dice) {
            case 0..<25: .verified([:])
            case 25..<35: .rejected
            case 35..<55: .later(dice.chance(30) ? .seconds(3) : nil, isVerified: dice.chance(70))
            case 55..<65: .answerLost
            case 65..<72: .requestLost
            case 72..<85: .unreachable
            case 85..<92: .refused(.providerProtocolError, dice.chance(50) ? .seconds(2) : nil)
            case 92..<96: .slow(.milliseconds(3), .verified([:]))
            default: dice.chance(50) ? .takenThen(dead) : .gated(dead, .unreachable)
            }
        }

        func ask(_ number: Int) -> ScriptedProvider.Act? {
            var dice = draw(3, number)
            return switch Int.random(in: 0..<100, using: &dice) {
            case 0..<70: nil
            case 70..<85: .unreachable
            case 85..<95: .refused(.providerProtocolError, .seconds(1))
            default: .requestLost
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `P01 a thousand random faults give no double charge, no false verified and no session stuck`(seed: UInt64)
        async throws
    {
        var dice = Seeded(state: seed)
        let (store, clock) = (MemoryStore(), ManualClock())
        let dead = Gate()
        func provider(_ id: String, _ weather: Weather, isNotified: Bool) -> ScriptedProvider {
            ScriptedProvider(
                .certified(
                    id, steps: isNotified ? [.begin, .submit, .fetch] : [.submit, .poll, .fetch], isNotified: isNotified
                ),
                begin: { weather.begin($0) }, ask: { weather.ask($1) }, submit: { weather.submit($0, dead: dead) })
        }
        let providers = [
            provider("a", Weather(seed: seed), isNotified: true),
            provider("b", Weather(seed: seed + 100), isNotified: false),
        ]
        // The circuits stay out of it: an open one would turn sessions away before they meet a fault.
        var settings = CircuitSettings()
        settings.minimumCalls = 1_000_000
        var rig = try Rig.providers(providers, store: store, clock: clock, circuits: settings)
        var ids: [String] = []
        var (notices, left) = (0, 0)
        for round in 0..<Self.stops {
            for _ in 0..<(Self.sessions / Self.stops + 1) {
                let reply = try await rig.create()
                guard reply.status == 201 else { continue }
                ids.append(reply.id)
                left += await submit(reply.id, to: rig, dead: dead) ? 0 : 1
                if dice.chance(10) { clock.advance(by: .milliseconds(700)) }
                if dice.chance(5) { _ = try await rig.call("DELETE", "/v1/sessions/" + reply.id) }
                // Only of sessions that the sender knows: a notice for nobody is held for seconds of real time while a
                // submission is out, and here some are out for ever.
                let told = try await rig.record(ids.randomElement(using: &dice) ?? reply.id)
                let isKnown =
                    told.verifier == VerifierID("a") && told.answeredBy == nil
                    && told.providerReference == told.attempt.map { ScriptedProvider.reference($0) }
                if dice.chance(20), isKnown, let attempt = told.attempt {
                    notices += 1
                    let verdict = providers[0].book.cases[attempt].map { $0.isVerified ? "verified" : "rejected" } ?? ""
                    let word = dice.chance(30) ? "" : verdict
                    let reference = ScriptedProvider.reference(attempt)
                    for _ in 0..<(dice.chance(30) ? 2 : 1) {
                        _ = try? await rig.notify("a", ScriptedProvider.notice("n\(notices)", reference, word))
                    }
                }
                if dice.chance(30) { providers.forEach { $0.decideAll() } }
                if dice.chance(30) { await rig.pass(.seconds(1)) }
            }
            // A stop: the service is dropped with whatever it was doing, and the next one finds the store.
            if round < Self.stops - 1 {
                rig = try Rig.providers(providers, store: store, clock: clock, circuits: settings)
                try await Housekeeper(of: rig.gateway).recover()
            }
        }
        rig = try Rig.providers(providers, store: store, clock: clock, circuits: settings)
        try await Housekeeper(of: rig.gateway).recover()
        for _ in 0..<40 { await rig.pass(.seconds(1)) }
        #expect(left > Self.stops, "no stop met a submission that was out")
        try await check(ids, rig: rig, providers: providers)
    }

    /// Submits; `false` where the call is left at the gate that never opens, as a stopped process leaves it.
    private func submit(_ id: String, to rig: Rig, dead: Gate) async -> Bool {
        let before = dead.arrived
        let isDone = Flag()
        Task {
            _ = try? await rig.submit(id)
            isDone.set()
        }
        while !isDone.isSet {
            if dead.arrived > before { return false }
            try? await Task.sleep(for: .microseconds(200))
        }
        return true
    }

    private func check(_ ids: [String], rig: Rig, providers: [ScriptedProvider]) async throws {
        #expect(ids.count > Self.sessions / 2)
        var statuses: [SessionStatus: Int] = [:]
        for id in ids {
            let record = try await rig.record(id)
            statuses[record.status, default: 0] += 1
            // Nobody is stuck past the deadline.
            #expect(record.status != .processing, "\(id)")
            let events = try await rig.store.ledger(of: SessionID(id)).map(\.draft)
            var parts: Set<[String]> = []
            for event in events {
                let part = event.kind == .uncertain ? "ended" : event.kind.rawValue
                let isFirst = parts.insert([event.attempt.rawValue, event.call?.rawValue ?? "", part]).inserted
                #expect(isFirst, "\(id) tells a part of a call twice")
            }
            // Whatever was verified, exactly one provider verified, and it is the one that is named.
            let answered = providers.first { $0.description.id == record.answeredBy ?? record.verifier }
            let verifying = events.filter { $0.outcome == .verified }
            if record.status == .verified {
                let ledger = try await rig.ledger(id)
                let attempt = try #require(
                    verifying.first?.attempt, "\(id) \(record.answeredBy?.rawValue ?? "-") \(ledger)")
                #expect(answered?.book.cases[attempt]?.isVerified == true, "\(id)")
            }
            #expect(verifying.count <= 1, "\(id)")
            // One charge at most for a session, whoever took it: what is charged or may have been.
            let charged = events.filter {
                $0.call == CallName(.submit) && $0.kind != .started && $0.billableClass != .nonBillable
                    && $0.kind != .uncertain
            }
            #expect(charged.count <= 1, "\(id)")
            let open = Set(events.filter { $0.kind == .started }.map(\.attempt))
                .subtracting(events.filter { $0.kind != .started }.map(\.attempt))
            #expect(open.isEmpty, "\(id) has an open call")
        }
        for provider in providers {
            // No call was taken twice: nothing was sent again, not even under its key.
            #expect(provider.submissionsTaken.values.allSatisfy { $0 == 1 })
        }
        // A session was given to one provider that took it, and to no second one after that.
        let takers = providers.flatMap { $0.submissionsTaken.keys.map { String($0.dropLast("-submit".count)) } }
        let events = try await rig.store.ledger(from: 1, limit: 100_000)
        let sessionOf = Dictionary(events.map { ($0.draft.attempt.rawValue, $0.draft.session) }) { first, _ in first }
        let bySession = Dictionary(grouping: takers) { sessionOf[$0]?.rawValue ?? "nobody" }
        #expect(bySession["nobody"] == nil, "a call that the ledger does not know")
        #expect(bySession.values.allSatisfy { $0.count == 1 })
        // What a provider charges for is in our ledger as charged, or as not known.
        for attempt in takers {
            let own = events.filter { $0.draft.attempt.rawValue == attempt && $0.draft.call == CallName(.submit) }
            #expect(own.contains { $0.draft.kind == .started })
            #expect(own.contains { $0.draft.billableClass == .completedAny && $0.draft.kind != .started }, "\(attempt)")
        }
        #expect((statuses[.verified] ?? 0) > 100 && (statuses[.rejected] ?? 0) > 20 && (statuses[.failed] ?? 0) > 20)
    }
}

/// A flag that one task sets and another reads.
private final class Flag: Sendable {
    private let flag = Atomic(false)
    func set() { flag.store(true, ordering: .relaxed) }
    var isSet: Bool { flag.load(ordering: .relaxed) }
}
