import VerificationCore

extension StoreConformance {
    static let outbox: [StoreCase] = [
        StoreCase("whatever ends a session, its client is told by one message, and nobody of the others") { store in
            let id = { @Sendable (number: Int) in SessionID("ses_\(number)") }
            for number in 1...7 { _ = try await store.openTold(number) }
            for number in 11...17 { _ = try await store.open(number) }
            for base in [0, 10] {
                for number in 1...4 { try await store.claim(base + number) }
                _ = try await store.conclude(id(base + 1), with: Sample.ending(base + 1, .verified), ledger: [])
                _ = try await store.conclude(id(base + 2), with: Sample.ending(base + 2, .rejected), ledger: [])
                _ = try await store.conclude(
                    id(base + 3), with: Sample.ending(base + 3, .failed(.providerTimeout)), ledger: [])
                _ = try await store.cancel(id(base + 5), reason: nil, at: Sample.after(605))
                _ = try await store.erase(id(base + 6), at: Sample.after(606))
            }
            _ = try await store.failProcessing(deadlineBefore: nil, endedAt: Sample.after(604), as: .interrupted)
            try requireEqual(try await store.expire(at: Sample.after(1001)), 2)
            let messages = try await store.takeDueMessages(
                at: Sample.after(1001), lease: Sample.after(9000), limit: 100)
            let told = messages.filter { $0.kind == .sessionEnded }
            try requireEqual(
                Dictionary(grouping: told, by: \.session.rawValue).mapValues { $0.map(\.createdAt) },
                [
                    "ses_1": [Sample.after(600)], "ses_2": [Sample.after(600)], "ses_3": [Sample.after(600)],
                    "ses_4": [Sample.after(604)], "ses_5": [Sample.after(605)], "ses_6": [Sample.after(606)],
                    "ses_7": [Sample.after(1001)],
                ])
            var expected = OutboxMessage(
                id: "msg_1_session_ended", kind: .sessionEnded, session: id(1), client: ClientID("app"),
                verifier: VerifierID("in-house"), ticket: nil, createdAt: Sample.after(600))
            expected.nextAt = Sample.after(9000)
            try requireEqual(told.first { $0.session == id(1) }, expected)
            try requireEqual(Set(messages.map(\.id)).count, messages.count)
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: messages.count, dead: 0))
        },
        StoreCase("a session that could not be claimed in time tells its client, and a refused end tells nobody") {
            store in
            let record = try await store.openTold(1)
            _ = try await store.openTold(2)
            guard
                case .expired = try await store.claim(
                    record.id, at: Sample.after(1001), processingDeadline: Sample.after(2000), idempotency: nil,
                    ledger: [])
            else { throw StoreMisbehaviour("not expired", #line) }
            try requireEqual(try await store.outboxCounts().waiting, 1)
            try await requireError(.conflict) {
                try await store.cancel(record.id, reason: nil, at: Sample.after(1002))
            }
            try await requireError(.conflict) {
                try await store.conclude(SessionID("ses_2"), with: Sample.ending(2), ledger: [])
            }
            try requireEqual(try await store.expire(at: Sample.after(1000)), 0)
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 1, dead: 0))
        },
        StoreCase("an erasure hands the ticket over, once, also in bulk and for what was never submitted") { store in
            let first = try await store.openTold(1)
            _ = try await store.openTold(2)
            _ = try await store.open(3)
            let erased = try await store.erase(first.id, at: Sample.after(10))
            try requireEqual(erased.eraseTicket, nil)
            _ = try await store.erase(first.id, at: Sample.after(20))
            _ = try await store.erase(SessionID("ses_3"), at: Sample.after(20))
            try requireEqual(try await store.expire(at: Sample.after(1001)), 1)
            try requireEqual(try await store.session(SessionID("ses_2")).eraseTicket, Sample.ticket(2))
            try requireEqual(try await store.eraseDue(at: Sample.after(5000)), 1)
            try requireEqual(try await store.session(SessionID("ses_2")).eraseTicket, nil)
            let erasures = try await store.takeDueMessages(
                at: Sample.after(5000), lease: Sample.after(9000), limit: 100
            ).filter { $0.kind == .providerErasure }
            try requireEqual(erasures.map(\.id), ["msg_1_provider_erasure", "msg_2_provider_erasure"])
            try requireEqual(erasures.map(\.ticket), [Sample.ticket(1), Sample.ticket(2)])
            try requireEqual(erasures.map(\.createdAt), [Sample.after(10), Sample.after(5000)])
        },
        StoreCase("a ticket that comes after the erasure leaves at once, and replaces the one that waits") { store in
            let record = try await store.openTold(1)
            try await store.claim(1)
            _ = try await store.erase(record.id, at: Sample.after(550))
            let take = { @Sendable (lease: Int64) async throws(StoreError) in
                try await store.takeDueMessages(at: Sample.after(600), lease: Sample.after(lease), limit: 9)
            }
            let first = try await take(9000)
            try requireEqual(first.map(\.ticket), [Sample.ticket(1)])
            _ = try await store.suspend(record.id, Sample.suspension(1), ledger: [])
            // Whoever delivered the first knows nothing of the second.
            try await store.settle("msg_1_provider_erasure", .delivered)
            let second = try await take(9000)
            try requireEqual(second.map(\.id), ["msg_1_provider_erasure"])
            try requireEqual(second.map(\.ticket), [Sample.ticket(1, marked: "NEWTICKET")])
            try requireEqual(second.map(\.tries), [0])
            try await store.settle("msg_1_provider_erasure", .delivered)
            var ending = Sample.ending(1)
            ending.eraseTicket = Sample.ticket(1, marked: "LAST")
            let final = ending
            let ended = try await store.conclude(record.id, with: final, ledger: [])
            try requireEqual(ended.eraseTicket, nil)
            let third = try await take(9000)
            try requireEqual(Set(third.map(\.kind)), [.providerErasure, .sessionEnded])
            try requireEqual(
                third.first { $0.kind == .providerErasure }?.ticket, Sample.ticket(1, marked: "LAST"))
        },
        StoreCase("messages are taken when they are due, the oldest first, and put off until the lease ends") {
            store in
            for number in 1...3 {
                let record = try await store.openTold(number)
                _ = try await store.cancel(record.id, reason: nil, at: Sample.after(Int64(100 - number)))
            }
            let take = { @Sendable (now: Int64, limit: Int) async throws(StoreError) in
                try await store.takeDueMessages(at: Sample.after(now), lease: Sample.after(5000), limit: limit)
            }
            try requireEqual(try await take(96, 9), [])
            try requireEqual(try await take(99, 0), [])
            try requireEqual(try await take(99, -1), [])
            try requireEqual(try await take(99, 2).map(\.session.rawValue), ["ses_3", "ses_2"])
            try requireEqual(try await take(99, 9).map(\.session.rawValue), ["ses_1"])
            try requireEqual(try await take(4999, 9), [])
            // Equally due: as they were written.
            try requireEqual(
                try await take(5000, 9).map(\.session.rawValue), ["ses_3", "ses_2", "ses_1"])
        },
        StoreCase("50 takers at once never get the same message, nor leave one out") { store in
            for number in 0..<120 {
                let record = try await store.openTold(number)
                _ = try await store.cancel(record.id, reason: nil, at: Sample.after(1))
            }
            let taken = try await parallel(50) { _ async throws(StoreError) in
                try await store.takeDueMessages(at: Sample.after(1), lease: Sample.after(5000), limit: 3)
            }.flatMap { $0.map(\.id) }
            try requireEqual(taken.count, 120)
            try requireEqual(Set(taken).count, 120)
        },
        StoreCase("a message is delivered and gone, tried again, or given up and seen") { store in
            for number in 1...3 {
                let record = try await store.openTold(number)
                _ = try await store.cancel(record.id, reason: nil, at: Sample.after(1))
            }
            let taken = try await store.takeDueMessages(at: Sample.after(1), lease: Sample.after(50), limit: 9)
            try requireEqual(taken.map(\.tries), [0, 0, 0])
            try await store.settle(taken[0].id, .delivered)
            try await store.settle(taken[0].id, .delivered)
            try await store.settle("msg_none", .retry(at: Sample.after(1), error: "x"))
            try await store.settle(taken[1].id, .retry(at: Sample.after(20), error: "status_503"))
            try await store.settle(taken[2].id, .dead(at: Sample.after(30), error: "status_410"))
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 1, dead: 1))
            var again = taken[1]
            again.tries = 1
            again.lastError = "status_503"
            again.nextAt = Sample.after(60)
            try requireEqual(
                try await store.takeDueMessages(at: Sample.after(20), lease: Sample.after(60), limit: 9), [again])
            var dead = taken[2]
            dead.tries = 1
            dead.lastError = "status_410"
            dead.deadAt = Sample.after(30)
            try requireEqual(try await store.deadMessages(limit: 9), [dead])
            // What was given up stays so.
            try await store.settle(dead.id, .retry(at: Sample.after(1), error: "late"))
            try await store.settle(dead.id, .delivered)
            try requireEqual(try await store.deadMessages(limit: 9), [dead])
            try await store.settle(again.id, .dead(at: Sample.after(70), error: "timeout"))
            try requireEqual(try await store.deadMessages(limit: 9).map(\.id), [again.id, dead.id])
            try requireEqual(try await store.deadMessages(limit: 1).map(\.id), [again.id])
            try requireEqual(try await store.deadMessages(limit: 0), [])
            try requireEqual(try await store.deadMessages(limit: 1)[0].tries, 2)
            try requireEqual(
                try await store.takeDueMessages(at: Sample.after(1 << 40), lease: Sample.after(1 << 41), limit: 9), [])
        },
        StoreCase("a message that was given up is taken up again, once, as if it had never been tried") { store in
            let record = try await store.openTold(1)
            _ = try await store.cancel(record.id, reason: nil, at: Sample.after(1))
            let taken = try await store.takeDueMessages(at: Sample.after(1), lease: Sample.after(50), limit: 9)
            try requireEqual(taken.count, 1)
            let id = taken[0].id
            // One that waits was not given up, and one that nobody knows is not there.
            try await requireError(.notFound) { try await store.reviveMessage(id, at: Sample.after(2)) }
            try await requireError(.notFound) { try await store.reviveMessage("msg_none", at: Sample.after(2)) }
            try await store.settle(id, .dead(at: Sample.after(30), error: "status_410"))
            try await store.reviveMessage(id, at: Sample.after(40))
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 1, dead: 0))
            try requireEqual(
                try await store.takeDueMessages(at: Sample.after(39), lease: Sample.after(90), limit: 9), [])
            let again = try await store.takeDueMessages(at: Sample.after(40), lease: Sample.after(90), limit: 9)
            try requireEqual(again.map(\.id), [id])
            try requireEqual(again.map(\.tries), [0])
            try requireEqual(again.map(\.deadAt), [nil])
            try await requireError(.notFound) { try await store.reviveMessage(id, at: Sample.after(41)) }
        },
        StoreCase("purging takes a session's messages along, dead ones too, but never an erasure that waits") {
            store in
            for number in 1...4 { _ = try await store.openTold(number) }
            for number in 1...3 {
                _ = try await store.cancel(SessionID("ses_\(number)"), reason: nil, at: Sample.after(1))
            }
            // One was erased before, one erasure was given up, one is erased by the purge itself.
            for number in 1...2 { _ = try await store.erase(SessionID("ses_\(number)"), at: Sample.after(2)) }
            try await store.settle("msg_2_provider_erasure", .dead(at: Sample.after(3), error: "gone"))
            try await store.settle("msg_3_session_ended", .dead(at: Sample.after(3), error: "gone"))
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 3, dead: 2))
            try requireEqual(try await store.purge(endedBefore: Sample.after(2)), 3)
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 2, dead: 0))
            let left = try await store.takeDueMessages(at: Sample.after(99), lease: Sample.after(100), limit: 9)
            try requireEqual(Set(left.map(\.id)), ["msg_1_provider_erasure", "msg_3_provider_erasure"])
            try requireEqual(Set(left.map(\.ticket)), [Sample.ticket(1), Sample.ticket(3)])
            // Given up after its session was purged, it is seen until a purge that is later still.
            try await store.settle("msg_1_provider_erasure", .dead(at: Sample.after(200), error: "gone"))
            _ = try await store.purge(endedBefore: Sample.after(200))
            try requireEqual(try await store.deadMessages(limit: 9).map(\.id), ["msg_1_provider_erasure"])
            _ = try await store.purge(endedBefore: Sample.after(201))
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 1, dead: 0))
        },
        StoreCase("the keys of tickets are in use until the provider has erased") { store in
            let record = try await store.openTold(1)
            try requireEqual(try await store.sealingKeyNames(), ["k1", "k2"])
            _ = try await store.erase(record.id, at: Sample.after(1))
            try requireEqual(try await store.sealingKeyNames(), ["k2"])
            try await store.settle("msg_1_provider_erasure", .delivered)
            try requireEqual(try await store.sealingKeyNames(), [])
        },
        StoreCase("what is told once is told once, by message and audit event, however many tell it") { store in
            let told = try await parallel(20) { _ async throws(StoreError) in
                try await store.tell("budget a", Sample.operatorMessage("a"), audit: Sample.told(at: 1))
            }
            try requireEqual(told.count { $0 }, 1)
            try requireEqual(try await store.tell("budget b", nil, audit: Sample.told(at: 2)), true)
            try requireEqual(
                try await store.tell("budget b", Sample.operatorMessage("b"), audit: Sample.told(at: 3)), false)
            try requireEqual(try await store.audit(from: 1, limit: 9).map(\.draft.at), [1, 2].map(Sample.after))
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 1, dead: 0))
            let taken = try await store.takeDueMessages(at: Sample.after(1), lease: Sample.after(50), limit: 9)
            var expected = Sample.operatorMessage("a")
            expected.nextAt = Sample.after(50)
            try requireEqual(taken, [expected])
            // Delivered or given up and removed, it stays told.
            try await store.settle(expected.id, .dead(at: Sample.after(60), error: "status_410"))
            try requireEqual(try await store.deadMessages(limit: 9).map(\.body), [expected.body])
            _ = try await store.purge(endedBefore: Sample.after(60))
            try requireEqual(try await store.deadMessages(limit: 9).count, 1)
            _ = try await store.purge(endedBefore: Sample.after(61))
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 0, dead: 0))
            try requireEqual(
                try await store.tell("budget a", Sample.operatorMessage("a"), audit: Sample.told(at: 4)), false)
            try requireEqual(try await store.outboxCounts(), OutboxCounts(waiting: 0, dead: 0))
        },
    ]
}
