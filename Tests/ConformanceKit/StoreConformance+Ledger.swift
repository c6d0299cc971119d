import Ledger
import VerificationCore

extension StoreConformance {
    static let ledger: [StoreCase] = [
        StoreCase("the ledger is one chain from 1 without gaps, whoever writes and however many at once") { store in
            let ids = try await parallel(60) { number async throws(StoreError) in try await store.finish(number).id }
            try requireEqual(ids.count, 60)
            let events = try await store.ledger(from: 1, limit: 1000)
            try requireEqual(events.map(\.sequence), Array(1...120))
            try requireEqual(LedgerChain.verify(events), nil)
            // Each pair was written by one transaction: nothing came between.
            for pair in stride(from: 0, to: events.count, by: 2) {
                try requireEqual(events[pair].draft.kind, .started)
                try requireEqual(events[pair + 1].draft.kind, .ended)
                try requireEqual(events[pair].draft.attempt, events[pair + 1].draft.attempt)
            }
        },
        StoreCase("the ledger is read in ranges: from a number on, at most so many") { store in
            for number in 1...3 { try await store.finish(number) }
            try requireEqual(try await store.ledger(from: 1, limit: 0), [])
            try requireEqual(try await store.ledger(from: 7, limit: 5), [])
            try requireEqual(try await store.ledger(from: 6, limit: 5).map(\.sequence), [6])
            try requireEqual(try await store.ledger(from: 2, limit: 3).map(\.sequence), [2, 3, 4])
            try requireEqual(try await store.ledger(from: -4, limit: 2).map(\.sequence), [1, 2])
            try requireEqual(try await store.ledger(from: .max, limit: .max), [])
            try requireEqual(try await store.ledger(from: 1, limit: .min), [])
        },
        StoreCase("Q09 quantities are whole numbers, from the smallest to the largest") { store in
            let record = try await store.open(1)
            try await store.claim(1)
            var drafts = Sample.pair(1)
            drafts[0].quantity = .max
            drafts[1].quantity = .min
            drafts[1].kind = .adjusted
            _ = try await store.conclude(record.id, with: Sample.ending(1), ledger: drafts)
            let events = try await store.ledger(from: 1, limit: 10)
            try requireEqual(events.map(\.draft), drafts)
            try requireEqual(LedgerChain.verify(events), nil)
        },
        StoreCase("events that change no session go to the end of the chain, and touch nothing else") { store in
            let record = try await store.finish(1)
            try await store.append(Sample.pair(1))
            let events = try await store.ledger(from: 1, limit: 10)
            try requireEqual(events.map(\.draft.kind), [.started, .ended, .started, .ended])
            try requireEqual(LedgerChain.verify(events), nil)
            try requireEqual(try await store.session(record.id).status, .verified)
        },
        StoreCase("the sealing keys in use are those of sessions that are not erased") { store in
            try requireEqual(try await store.sealingKeyNames(), [])
            let record = try await store.open(1)
            try requireEqual(try await store.sealingKeyNames(), ["k1"])
            _ = try await store.erase(record.id, at: Sample.after(1))
            try requireEqual(try await store.sealingKeyNames(), [])
        },
        StoreCase("every kind, role, class and outcome of an event is read as it was written") { store in
            var drafts: [LedgerDraft] = []
            for kind in LedgerDraft.Kind.allCases {
                for role in AttemptRole.allCases {
                    for billable in BillableClass.allCases {
                        var draft = Sample.pair(1)[drafts.count % 2]
                        draft.kind = kind
                        draft.role = role
                        draft.billableClass = billable
                        draft.outcome = (AttemptOutcome.allCases + [nil])[drafts.count % 4]
                        drafts.append(draft)
                    }
                }
            }
            let written = drafts
            _ = try await store.create(Sample.session(1), idempotency: nil, ledger: written)
            let events = try await store.ledger(from: 1, limit: written.count)
            try requireEqual(events.map(\.draft), written)
            try requireEqual(LedgerChain.verify(events), nil)
        },
    ]
}
