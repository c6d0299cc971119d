import VerificationCore

extension StoreConformance {
    static let claiming: [StoreCase] = [
        StoreCase("a claimed session is in processing, with its times") { store in
            var expected = try await store.open(1)
            expected.status = .processing
            expected.claimedAt = Sample.after(500)
            expected.processingDeadline = Sample.after(2000)
            try requireEqual(try await store.claim(1), .claimed(expected))
            try requireEqual(try await store.session(expected.id), expected)
        },
        StoreCase("S01 of 200 parallel claims of one session exactly one wins and 199 find it submitted") { store in
            let record = try await store.open(1)
            let outcomes = try await parallel(200) { number async throws(StoreError) in
                try await store.claim(
                    record.id, at: Sample.after(Int64(number)), processingDeadline: Sample.after(2000),
                    idempotency: nil, ledger: Sample.pair(1))
            }
            let winners = outcomes.compactMap { outcome in
                if case .claimed(let record) = outcome { record } else { nil }
            }
            try requireEqual(winners.count, 1)
            let losers = outcomes.filter { outcome in
                if case .alreadySubmitted(_, by: nil) = outcome { true } else { false }
            }
            try requireEqual(losers.count, 199)
            try requireEqual(try await store.session(record.id), winners[0])
            try requireEqual(try await store.ledger(from: 1, limit: 1000).count, 2)
        },
        StoreCase("S02 the nonce is spent from the claim on, long before there is a verdict") { store in
            _ = try await store.open(1)
            try await store.claim(1)
            try await Task.sleep(for: .milliseconds(50))
            for _ in 0..<20 {
                guard case .alreadySubmitted(let record, _) = try await store.claim(1) else {
                    throw StoreMisbehaviour("claimed a second time", #line)
                }
                try requireEqual(record.status, .processing)
            }
            // A failure spends it too.
            _ = try await store.failProcessing(
                deadlineBefore: nil, endedAt: Sample.after(700), as: .interrupted)
            guard case .alreadySubmitted = try await store.claim(1) else {
                throw StoreMisbehaviour("claimed after a failure", #line)
            }
        },
        StoreCase("S03 a replay never changes the first result") { store in
            let first = try await store.finish(1)
            let key = Sample.idempotency("later", scope: "submission:ses_1", session: 1)
            try requireEqual(try await store.claim(1, key: key), .alreadySubmitted(first, by: nil))
            try await requireError(.conflict) {
                try await store.conclude(first.id, with: Sample.ending(9, .rejected), ledger: Sample.pair(9))
            }
            try await requireError(.conflict) {
                try await store.cancel(first.id, reason: "other", at: Sample.after(700))
            }
            _ = try await store.expire(at: Sample.after(1 << 30))
            _ = try await store.failProcessing(deadlineBefore: nil, endedAt: Sample.after(700), as: .interrupted)
            try requireEqual(try await store.session(first.id), first)
            try requireEqual(try await store.idempotency(key.key), nil)
            try requireEqual(try await store.ledger(from: 1, limit: 10).count, 2)
            try requireEqual(try await store.incidents(), [.individualNumberReceived: 1])
        },
        StoreCase("a submission's idempotency key is found again by the next claim") { store in
            _ = try await store.open(1)
            let key = Sample.idempotency("k", scope: "submission:ses_1", session: 1, body: 3)
            try await store.claim(1, key: key)
            let again = Sample.idempotency("k", scope: "submission:ses_1", session: 1, body: 4)
            guard case .alreadySubmitted(_, by: let earlier) = try await store.claim(1, key: again) else {
                throw StoreMisbehaviour("claimed twice", #line)
            }
            try requireEqual(earlier, key)
            let other = Sample.idempotency("x", scope: "submission:ses_1", session: 1)
            guard case .alreadySubmitted(_, by: nil) = try await store.claim(1, key: other) else {
                throw StoreMisbehaviour("a key that was never used was found", #line)
            }
            try requireEqual(try await store.idempotency(other.key), nil)
        },
        StoreCase("a key that was used for something else claims nothing") { store in
            let key = Sample.idempotency("k", session: 1)
            _ = try await store.create(Sample.session(1), idempotency: key, ledger: [])
            try await requireError(.conflict) { try await store.claim(1, key: key) }
            try requireEqual(try await store.session(SessionID("ses_1")), Sample.session(1))
        },
        StoreCase("a session exists at its last instant") { store in
            let record = try await store.open(1)
            try requireEqual(try await store.expire(at: record.expiresAt), 0)
            let outcome = try await store.claim(
                record.id, at: record.expiresAt, processingDeadline: Sample.after(2000), idempotency: nil, ledger: [])
            guard case .claimed = outcome else { throw StoreMisbehaviour("found \(outcome)", #line) }
        },
        StoreCase("a session is over one millisecond later, and the claim itself ends it") { store in
            let record = try await store.open(1)
            let late = Sample.after(1001)
            let key = Sample.idempotency("k", scope: "submission:ses_1", session: 1)
            var expected = record
            expected.status = .expired
            expected.endedAt = late
            let outcome = try await store.claim(
                record.id, at: late, processingDeadline: Sample.after(2000), idempotency: key,
                ledger: Sample.pair(1))
            try requireEqual(outcome, .expired(expected))
            try requireEqual(try await store.session(record.id), expected)
            try requireEqual(try await store.idempotency(key.key), nil)
            try requireEqual(try await store.ledger(from: 1, limit: 10), [])
        },
        StoreCase("S13 a clock that steps back revives nothing, and one that steps on ends nothing by itself") {
            store in
            _ = try await store.open(1)
            _ = try await store.open(2)
            try requireEqual(try await store.expire(at: Sample.after(-3_600_000)), 0)
            let early = try await store.claim(
                SessionID("ses_2"), at: Sample.after(-3_600_000), processingDeadline: Sample.after(2000),
                idempotency: nil, ledger: [])
            guard case .claimed = early else { throw StoreMisbehaviour("found \(early)", #line) }
            try requireEqual(try await store.expire(at: Sample.after(86_400_000)), 1)
            guard case .expired = try await store.claim(1) else {
                throw StoreMisbehaviour("an expired session was claimed after the clock stepped back", #line)
            }
            try requireEqual(try await store.counts(), [.expired: 1, .processing: 1])
        },
        StoreCase("a cancelled session is not claimed") { store in
            let record = try await store.open(1)
            var expected = record
            expected.status = .cancelled
            expected.cancelReason = "user_declined"
            expected.endedAt = Sample.after(100)
            try requireEqual(
                try await store.cancel(record.id, reason: "user_declined", at: Sample.after(100)), expected)
            try requireEqual(try await store.claim(1), .cancelled(expected))
            try await requireError(.conflict) {
                try await store.cancel(record.id, reason: "other", at: Sample.after(200))
            }
            try requireEqual(try await store.session(record.id), expected)
        },
        StoreCase("parallel claims and cancellations of many sessions lose nothing") { store in
            for number in 0..<40 { _ = try await store.open(number) }
            let claims = try await parallel(80) { number async throws(StoreError) in
                let id = SessionID("ses_\(number / 2)")
                if number.isMultiple(of: 2) {
                    if case .claimed = try await store.claim(number / 2) { return 1 }
                } else {
                    do throws(StoreError) {
                        _ = try await store.cancel(id, reason: nil, at: Sample.after(400))
                        return 2
                    } catch {
                        guard error == .conflict else { throw error }
                    }
                }
                return 0
            }
            let counts = try await store.counts()
            try requireEqual(counts[.processing] ?? 0, claims.filter { $0 == 1 }.count)
            try requireEqual(counts[.cancelled] ?? 0, claims.filter { $0 == 2 }.count)
            try requireEqual(counts.values.reduce(0, +), 40)
            try requireEqual(counts[.created], nil)
        },
    ]
}
