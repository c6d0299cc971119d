import VerificationCore

extension StoreConformance {
    static let waiting: [StoreCase] = [
        StoreCase("a session in processing waits with what its provider said, and its ledger events") { store in
            var expected = try await store.openTold(1)
            try await store.claim(1)
            let suspension = Sample.suspension(1)
            let found = try await store.suspend(expected.id, suspension, ledger: [Sample.event(.started, 1)])
            expected.status = .processing
            expected.claimedAt = Sample.after(500)
            expected.processingDeadline = Sample.after(2000)
            expected.wait = suspension.wait
            expected.providerReference = suspension.providerReference
            expected.sealedContext = suspension.sealedContext
            expected.eraseTicket = suspension.eraseTicket
            try requireEqual(found, expected)
            try requireEqual(try await store.session(expected.id), expected)
            try requireEqual(try await store.ledger(of: expected.id).map(\.draft), [Sample.event(.started, 1)])
            // What it does not say stays, but for the wait.
            let second = try await store.suspend(expected.id, Suspension(wait: nil), ledger: [])
            expected.wait = nil
            try requireEqual(second, expected)
            let third = try await store.suspend(
                expected.id, Suspension(wait: ProviderWait(nextAt: nil, step: .fetch, asked: 9)), ledger: [])
            try requireEqual(third.wait, ProviderWait(nextAt: nil, step: .fetch, asked: 9))
            try requireEqual(try await store.session(expected.id), third)
        },
        StoreCase("only what is in processing waits, and a refusal writes nothing") { store in
            let events = [Sample.event(.started, 1)]
            try await requireError(.notFound) {
                try await store.suspend(SessionID("ses_none"), Sample.suspension(1), ledger: events)
            }
            let created = try await store.open(1)
            let ended = try await store.finish(2)
            let before = try await store.ledger(from: 1, limit: 10)
            for record in [created, ended] {
                try await requireError(.conflict) {
                    try await store.suspend(record.id, Sample.suspension(1), ledger: events)
                }
                try requireEqual(try await store.session(record.id), record)
            }
            try requireEqual(try await store.ledger(from: 1, limit: 10), before)
        },
        StoreCase("an end, however it comes, ends the wait too") { store in
            for number in 1...3 {
                _ = try await store.open(number)
                try await store.claim(number)
                _ = try await store.suspend(SessionID("ses_\(number)"), Sample.suspension(number), ledger: [])
            }
            let first = try await store.conclude(SessionID("ses_1"), with: Sample.ending(1), ledger: [])
            try requireEqual(first.wait, nil)
            let others = try await store.failProcessing(
                deadlineBefore: nil, endedAt: Sample.after(900), as: .providerTimeout)
            try requireEqual(others.map(\.wait), [nil, nil])
            for number in 1...3 { try requireEqual(try await store.session(SessionID("ses_\(number)")).wait, nil) }
            try requireEqual(
                try await store.takeDueWaits(at: Sample.after(1 << 40), lease: Sample.after(1 << 41), limit: 9), [])
        },
        StoreCase("waits are taken when they are due, the oldest first, and put off until the lease ends") { store in
            for number in 1...4 {
                _ = try await store.open(number)
                try await store.claim(number)
                var suspension = Sample.suspension(number)
                suspension.wait?.nextAt = number == 4 ? nil : Sample.after(Int64(1000 - number))
                _ = try await store.suspend(SessionID("ses_\(number)"), suspension, ledger: [])
            }
            let take = { @Sendable (now: Int64, limit: Int) async throws(StoreError) in
                try await store.takeDueWaits(at: Sample.after(now), lease: Sample.after(5000), limit: limit)
            }
            try requireEqual(try await take(996, 9), [])
            try requireEqual(try await take(999, 0), [])
            try requireEqual(try await take(999, -1), [])
            let first = try await take(999, 2)
            try requireEqual(first.map(\.id.rawValue), ["ses_3", "ses_2"])
            try requireEqual(first.map(\.wait?.nextAt), [Sample.after(5000), Sample.after(5000)])
            for record in first { try requireEqual(try await store.session(record.id), record) }
            try requireEqual(try await take(999, 9).map(\.id.rawValue), ["ses_1"])
            try requireEqual(try await take(4999, 9), [])
            try requireEqual(try await take(5000, 9).map(\.id.rawValue), ["ses_1", "ses_2", "ses_3"])
        },
        StoreCase("50 takers at once never get the same wait, nor leave one out") { store in
            for number in 0..<120 {
                _ = try await store.open(number)
                try await store.claim(number)
                _ = try await store.suspend(SessionID("ses_\(number)"), Sample.suspension(number), ledger: [])
            }
            let taken = try await parallel(50) { _ async throws(StoreError) in
                try await store.takeDueWaits(at: Sample.after(700), lease: Sample.after(5000), limit: 3)
            }.flatMap { $0.map(\.id) }
            try requireEqual(taken.count, 120)
            try requireEqual(Set(taken).count, 120)
        },
        StoreCase("a session erased while it waits gets no context any more") { store in
            let record = try await store.open(1)
            try await store.claim(1)
            _ = try await store.erase(record.id, at: Sample.after(550))
            let waiting = try await store.suspend(record.id, Sample.suspension(1), ledger: [])
            try requireEqual(waiting.sealedContext, nil)
            try requireEqual(waiting.eraseTicket, nil)
            try requireEqual(waiting.providerReference, "wait-1")
            try requireEqual(waiting.wait, Sample.suspension(1).wait)
            try requireEqual(try await store.session(record.id), waiting)
        },
        StoreCase("a fallback's verdict names who gave it and under which certification") { store in
            let record = try await store.open(1)
            try await store.claim(1)
            var ending = Sample.ending(1)
            ending.answeredBy = VerifierID("beta")
            ending.certification = Certification(
                regime: "r2", holder: "h2", program: "p2", version: "3", number: "n2", validFrom: Sample.start,
                validUntil: Sample.after(9))
            ending.eraseTicket = Sample.ticket(7)
            let final = ending
            let ended = try await store.conclude(record.id, with: final, ledger: [])
            try requireEqual(ended.verifier, record.verifier)
            try requireEqual(ended.answeredBy, VerifierID("beta"))
            try requireEqual(ended.certification, final.certification)
            try requireEqual(ended.eraseTicket, Sample.ticket(7))
            try requireEqual(try await store.session(record.id), ended)
            let plain = try await store.finish(2)
            try requireEqual(plain.answeredBy, nil)
            try requireEqual(plain.certification, Sample.session(2).certification)
        },
        StoreCase("P16 a session is found by its provider's reference, also when a later one began and it has ended") {
            store in
            let verifier = Sample.session(1).verifier
            let first = try await store.open(1)
            let second = try await store.open(2)
            try requireEqual(try await store.session(of: verifier, providerReference: "ref-1"), first)
            try requireEqual(try await store.session(of: verifier, providerReference: "ref-2"), second)
            try requireEqual(try await store.session(of: verifier, providerReference: "ref-3"), nil)
            try requireEqual(try await store.session(of: verifier, providerReference: ""), nil)
            try requireEqual(try await store.session(of: VerifierID("beta"), providerReference: "ref-1"), nil)
            let cancelled = try await store.cancel(first.id, reason: nil, at: Sample.after(1))
            try requireEqual(try await store.session(of: verifier, providerReference: "ref-1"), cancelled)
            // A reference of another provider's is no reference of this one's.
            var other = Sample.session(3)
            other.verifier = VerifierID("beta")
            other.providerReference = "ref-2"
            let foreign = other
            _ = try await store.create(foreign, idempotency: nil, ledger: [])
            try requireEqual(try await store.session(of: verifier, providerReference: "ref-2"), second)
            try requireEqual(try await store.session(of: VerifierID("beta"), providerReference: "ref-2"), foreign)
            // A fallback's reference leads to the session that it answered.
            try await store.claim(2)
            var ending = Sample.ending(2)
            ending.answeredBy = VerifierID("gamma")
            let final = ending
            let ended = try await store.conclude(second.id, with: final, ledger: [])
            try requireEqual(try await store.session(of: VerifierID("gamma"), providerReference: "final-2"), ended)
            // Of several the newest.
            for number in 4...5 {
                var record = Sample.session(number)
                record.providerReference = "twice"
                record.createdAt = Sample.after(Int64(number))
                let next = record
                _ = try await store.create(next, idempotency: nil, ledger: [])
            }
            try requireEqual(
                try await store.session(of: verifier, providerReference: "twice")?.id, SessionID("ses_5"))
        },
        StoreCase("P13 a notice is taken once, by one of 50, and for each verifier by itself") { store in
            let (alpha, beta) = (VerifierID("alpha"), VerifierID("beta"))
            let taken = try await parallel(50) { number async throws(StoreError) in
                try await store.takeNotice("n", of: alpha, at: Sample.after(Int64(number)))
            }
            try requireEqual(taken.filter { $0 }.count, 1)
            try requireEqual(try await store.takeNotice("n", of: beta, at: Sample.start), true)
            try requireEqual(try await store.takeNotice("m", of: alpha, at: Sample.after(100)), true)
            // They go with purge, each at its time.
            _ = try await store.purge(endedBefore: Sample.after(100))
            try requireEqual(try await store.takeNotice("m", of: alpha, at: Sample.after(200)), false)
            try requireEqual(try await store.takeNotice("n", of: alpha, at: Sample.after(200)), true)
        },
    ]
}
