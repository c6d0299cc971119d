import Ledger
import VerificationCore

extension StoreConformance {
    static let lifetime: [StoreCase] = [
        StoreCase("a probe writes, again and again") { store in
            for number in 0..<3 { try await store.probe(at: Sample.after(Int64(number))) }
            try requireEqual(try await store.counts(), [:])
        },
        StoreCase("a closed store says so, to every call, and closes once more without harm") { bench in
            let store = try await bench.open()
            let record = try await store.open(1)
            await store.close()
            await store.close()
            let (id, now) = (record.id, Sample.start)
            let calls: [@Sendable () async throws -> Void] = [
                {
                    _ = try await store.create(Sample.session(2), idempotency: nil, ledger: [])
                },
                { _ = try await store.session(id) },
                {
                    _ = try await store.idempotency(Sample.idempotency("k", session: 1).key)
                },
                { _ = try await store.claim(1) },
                {
                    _ = try await store.conclude(id, with: Sample.ending(1), ledger: [])
                },
                { _ = try await store.cancel(id, reason: nil, at: now) },
                { _ = try await store.expire(at: now) },
                {
                    _ = try await store.failProcessing(deadlineBefore: nil, endedAt: now, as: .interrupted)
                },
                { _ = try await store.erase(id, at: now) },
                { _ = try await store.eraseDue(at: now) },
                { _ = try await store.purge(endedBefore: now) },
                { _ = try await store.ledger(from: 1, limit: 1) },
                { _ = try await store.counts() },
                { _ = try await store.incidents() },
                { _ = try await store.setting("a") },
                { _ = try await store.keepSetting("a", []) },
                { try await store.probe(at: now) },
                {
                    _ = try await store.suspend(id, Sample.suspension(1), ledger: [])
                },
                { _ = try await store.takeDueWaits(at: now, lease: now, limit: 1) },
                { _ = try await store.openCalls(limit: 1) },
                { _ = try await store.uncertainCalls(after: 0, limit: 1) },
                { _ = try await store.ledger(of: id) },
                { _ = try await store.session(of: VerifierID("v"), providerReference: "r") },
                { _ = try await store.takeNotice("n", of: VerifierID("v"), at: now) },
                { _ = try await store.takeDueMessages(at: now, lease: now, limit: 1) },
                { try await store.settle("m", .delivered) },
                { try await store.reviveMessage("m", at: now) },
                { _ = try await store.deadMessages(limit: 1) },
                { _ = try await store.outboxCounts() },
                { _ = try await store.sessions(SessionFilter(), olderThan: nil, limit: 1) },
                { _ = try await store.pinned() },
                { try await store.addShadowCounts([]) },
                { _ = try await store.shadowCounts(from: Sample.day, until: Sample.day) },
                { try await store.replaceSetting("a", with: nil) },
                { _ = try await store.usageNames() },
                { _ = try await store.usageVerifiers() },
                {
                    _ = try await store.usageCalls(
                        of: VerifierID("v"), by: .ended, in: now..<now, changedAfter: 0, after: nil, limit: 1)
                },
                { _ = try await store.ledgerEvents([1]) },
                { _ = try await store.settlements(after: 0) },
                { _ = try await store.statement(of: "2026-11") },
                { _ = try await store.ledgerHead() },
                { _ = try await store.closings() },
                {
                    _ = try await store.close(
                        Sample.event(.closed, 1), adjustments: [], statement: [], head: 0,
                        monthEnd: Sample.start)
                },
            ]
            for call in calls { try await requireError(.closed, call) }
        },
        StoreCase("closing finishes what was accepted") { bench in
            let store = try await bench.open()
            let written = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        do throws(StoreError) {
                            _ = try await store.open(number)
                            return true
                        } catch {
                            try requireEqual(error, .closed)
                            return false
                        }
                    }
                }
                group.addTask {
                    await store.close()
                    return false
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            guard bench.isDurable else { return }
            let again = try await bench.open()
            let counts = try await again.counts()
            await again.close()
            try requireEqual(counts[.created] ?? 0, written)
        },
        StoreCase("a durable store holds everything after it is opened again") { bench in
            guard bench.isDurable else { return }
            let store = try await bench.open()
            let first = try await store.finish(1)
            let key = Sample.idempotency("k", session: 2)
            _ = try await store.create(Sample.session(2), idempotency: key, ledger: [])
            _ = try await store.keepSetting("check", [9])
            try await store.probe(at: Sample.start)
            let events = try await store.ledger(from: 1, limit: 10)
            await store.close()

            let again = try await bench.open()
            try requireEqual(try await again.session(first.id), first)
            try requireEqual(try await again.session(SessionID("ses_2")), Sample.session(2))
            try requireEqual(try await again.idempotency(key.key), key)
            try requireEqual(try await again.setting("check"), [9])
            try requireEqual(try await again.ledger(from: 1, limit: 10), events)
            try requireEqual(try await again.incidents(), [.individualNumberReceived: 1])
            try requireEqual(try await again.counts(), [.verified: 1, .created: 1])
            // The chain goes on where it was.
            try await again.finish(3)
            let longer = try await again.ledger(from: 1, limit: 10)
            try requireEqual(longer.count, 4)
            try requireEqual(LedgerChain.verify(longer), nil)
            await again.close()
        },
    ]
}
