import Ledger
import VerificationCore

extension StoreConformance {
    static let calls: [StoreCase] = [
        StoreCase("P01 a call is started, ended and resolved once, and what would tell it twice writes nothing") {
            store in
            let id = try await store.open(1).id
            try await store.append([Sample.event(.started, 1)])
            try await store.append([Sample.event(.uncertain, 1)])
            try await store.append([Sample.event(.resolved, 1, outcome: .verified)])
            let before = try await store.ledger(from: 1, limit: 10)
            for kind in [LedgerDraft.Kind.started, .ended, .uncertain, .resolved] {
                // Beside an event that is right, before it and after it.
                let right = Sample.event(.started, 99)
                for drafts in [
                    [Sample.event(kind, 1)], [right, Sample.event(kind, 1)], [Sample.event(kind, 1), right],
                ] {
                    try await requireError(.conflict) { try await store.append(drafts) }
                    try await requireError(.conflict) {
                        try await store.claim(
                            id, at: Sample.after(500), processingDeadline: Sample.after(2000),
                            idempotency: Sample.idempotency("k", session: 1), ledger: drafts)
                    }
                    try await requireError(.conflict) {
                        try await store.create(
                            Sample.session(2), idempotency: Sample.idempotency("c", session: 2), ledger: drafts)
                    }
                }
            }
            try requireEqual(try await store.ledger(from: 1, limit: 10), before)
            try requireEqual(try await store.session(id), Sample.session(1))
            try requireEqual(try await store.idempotency(Sample.idempotency("k", session: 1).key), nil)
            try requireEqual(try await store.idempotency(Sample.idempotency("c", session: 2).key), nil)
            try await requireError(.notFound) { try await store.session(SessionID("ses_2")) }
            try await store.claim(1)
            try await requireError(.conflict) {
                try await store.suspend(id, Sample.suspension(1), ledger: [Sample.event(.started, 1)])
            }
            try await requireError(.conflict) {
                try await store.conclude(id, with: Sample.ending(1), ledger: [Sample.event(.ended, 1)])
            }
            let waiting = try await store.session(id)
            try requireEqual(waiting.status, .processing)
            try requireEqual(waiting.wait, nil)
            try requireEqual(try await store.incidents(), [:])
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 0, dead: 0))
            try requireEqual(try await store.ledger(from: 1, limit: 10), before)
        },
        StoreCase("calls of other names, other attempts, and events that are no calls are told beside each other") {
            store in
            var drafts: [LedgerDraft] = []
            for call in [CallName(.submit), CallName(.begin), CallName(.poll, number: 1), CallName(.poll, number: 2)] {
                for number in 1...2 { drafts += [Sample.event(.started, number, call: call)] }
            }
            // Without a call, as events were before; and what corrects may do so again.
            drafts += Sample.pair(1) + Sample.pair(1)
            drafts += [Sample.event(.adjusted, 1), Sample.event(.adjusted, 1), Sample.event(.closed, 1)]
            let written = drafts
            try await store.append(written)
            let events = try await store.ledger(from: 1, limit: 100)
            try requireEqual(events.map(\.draft), written)
            try requireEqual(LedgerChain.verify(events), nil)
        },
        StoreCase("one call told twice by one transaction is refused whole") { store in
            try await requireError(.conflict) {
                try await store.append([Sample.event(.started, 1), Sample.event(.started, 1)])
            }
            try await requireError(.conflict) {
                try await store.append([
                    Sample.event(.started, 1), Sample.event(.ended, 1), Sample.event(.uncertain, 1),
                ])
            }
            try requireEqual(try await store.ledger(from: 1, limit: 10), [])
        },
        StoreCase("50 writers at once start and end a call once, and the neighbours are all there") { store in
            let outcomes = try await parallel(50) { number async throws(StoreError) -> Bool in
                do throws(StoreError) {
                    let kind: LedgerDraft.Kind = number.isMultiple(of: 2) ? .ended : .uncertain
                    try await store.append([Sample.event(.started, 1000), Sample.event(kind, 1000)])
                    return true
                } catch {
                    guard error == .conflict else { throw error }
                    try await store.append([Sample.event(.started, number)])
                    return false
                }
            }
            try requireEqual(outcomes.filter { $0 }.count, 1)
            let events = try await store.ledger(from: 1, limit: 100)
            try requireEqual(events.count, 51)
            try requireEqual(LedgerChain.verify(events), nil)
        },
        StoreCase("open calls are those that started and did not end, the oldest first") { store in
            try requireEqual(try await store.openCalls(limit: 9), [])
            let poll = CallName(.poll, number: 1)
            try await store.append([
                Sample.event(.started, 1), Sample.event(.started, 2), Sample.event(.started, 3),
                Sample.event(.started, 1, call: poll), Sample.pair(4)[0],
            ])
            try requireEqual(try await store.openCalls(limit: 9).map(\.sequence), [1, 2, 3, 4])
            try requireEqual(try await store.openCalls(limit: 2).map(\.sequence), [1, 2])
            try requireEqual(try await store.openCalls(limit: 0), [])
            try requireEqual(try await store.openCalls(limit: -1), [])
            try await store.append([
                Sample.event(.ended, 1, outcome: .verified), Sample.event(.uncertain, 3), Sample.event(.adjusted, 2),
            ])
            let open = try await store.openCalls(limit: 9)
            try requireEqual(open.map(\.draft), [Sample.event(.started, 2), Sample.event(.started, 1, call: poll)])
            // One that was told to have ended before it was told to start never was open.
            try await store.append([Sample.event(.ended, 7)])
            try await store.append([Sample.event(.started, 7)])
            try requireEqual(try await store.openCalls(limit: 9), open)
        },
        StoreCase("uncertain calls are those that nobody resolved, the oldest first, from a number on") { store in
            for number in 1...4 { try await store.append([Sample.event(.started, number)]) }
            for number in 1...4 { try await store.append([Sample.event(.uncertain, number)]) }
            try requireEqual(try await store.uncertainCalls(after: 0, limit: 9).map(\.sequence), [5, 6, 7, 8])
            try requireEqual(try await store.uncertainCalls(after: 5, limit: 2).map(\.sequence), [6, 7])
            try requireEqual(try await store.uncertainCalls(after: 8, limit: 9), [])
            try requireEqual(try await store.uncertainCalls(after: 0, limit: 0), [])
            var resolved = Sample.event(.resolved, 2, outcome: .rejected)
            resolved.settles = 6
            try await store.append([resolved])
            try requireEqual(try await store.uncertainCalls(after: 0, limit: 9).map(\.sequence), [5, 7, 8])
            try requireEqual(try await store.openCalls(limit: 9), [])
        },
        StoreCase("the ledger of one session is all of its events in order, and outlives it") { store in
            try await store.finish(1)
            try await store.finish(2)
            try await store.append([Sample.event(.adjusted, 1)])
            let id = SessionID("ses_1")
            let events = try await store.ledger(of: id)
            try requireEqual(events.map(\.sequence), [1, 2, 5])
            try requireEqual(events.map(\.draft), Sample.pair(1) + [Sample.event(.adjusted, 1)])
            try requireEqual(try await store.ledger(of: SessionID("ses_3")), [])
            _ = try await store.purge(endedBefore: Sample.after(1 << 40))
            try requireEqual(try await store.ledger(of: id), events)
        },
        StoreCase("every field of an event is read as it was written, in a chain of old and new layouts") { store in
            var full = Sample.pair(1)[1]
            full.call = CallName(.fetch, number: 3)
            full.actor = "経理 ops"
            full.note = "請求書\u{3000}の訂正\n"
            full.month = "2026-11"
            full.amount = .min
            full.currency = "JPY"
            full.statement = Sample.bytes(5)
            var empty = Sample.pair(2)[0]
            empty.call = CallName(rawValue: "")
            empty.actor = ""
            empty.note = ""
            empty.month = ""
            empty.amount = 0
            empty.currency = ""
            empty.statement = []
            let drafts = [Sample.pair(1)[0], full, Sample.pair(2)[1], empty, Sample.pair(3)[0]]
            try await store.append(drafts)
            let events = try await store.ledger(from: 1, limit: 10)
            try requireEqual(events.map(\.draft), drafts)
            try requireEqual(LedgerChain.verify(events), nil)
        },
    ]
}
