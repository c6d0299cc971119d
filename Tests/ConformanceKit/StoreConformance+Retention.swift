import VerificationCore

extension StoreConformance {
    static let retention: [StoreCase] = [
        StoreCase("erasing destroys the key and whatever leads to a person, and keeps the verdict") { store in
            let before = try await store.finish(1)
            var expected = before
            expected.wrappedKey = nil
            expected.sealedContext = nil
            expected.sealedResult = nil
            expected.referenceIndex = nil
            expected.erasedAt = Sample.after(700)
            try requireEqual(try await store.erase(before.id, at: Sample.after(700)), expected)
            try requireEqual(try await store.session(before.id), expected)
            // A second time changes nothing, not even the time.
            try requireEqual(try await store.erase(before.id, at: Sample.after(800)), expected)
            try requireEqual(try await store.session(before.id), expected)
        },
        StoreCase("erasing one session leaves the others as they are") { store in
            var kept: [SessionRecord] = []
            for number in 1...20 {
                let record = try await store.finish(number)
                if number.isMultiple(of: 2) { kept.append(record) }
            }
            for number in stride(from: 1, to: 20, by: 2) {
                _ = try await store.erase(SessionID("ses_\(number)"), at: Sample.after(700))
            }
            for number in 21...30 { kept.append(try await store.finish(number)) }
            for record in kept { try requireEqual(try await store.session(record.id), record) }
        },
        StoreCase("erasing a session that waits for a submission cancels it") { store in
            let record = try await store.open(1)
            let erased = try await store.erase(record.id, at: Sample.after(100))
            try requireEqual(erased.status, .cancelled)
            try requireEqual(erased.endedAt, Sample.after(100))
            try requireEqual(erased.wrappedKey, nil)
            try requireEqual(try await store.claim(1), .cancelled(erased))
        },
        StoreCase("what is due is erased at its instant, once, and nothing else") { store in
            _ = try await store.finish(1)
            let cancelled = try await store.open(2)
            _ = try await store.cancel(cancelled.id, reason: nil, at: Sample.after(10))
            var forever = bare(3)
            forever.wrappedKey = SealedBytes(keyID: "k", bytes: [1])
            let kept = forever
            _ = try await store.create(kept, idempotency: nil, ledger: [])
            try requireEqual(try await store.eraseDue(at: Sample.after(4999)), 0)
            try requireEqual(try await store.eraseDue(at: Sample.after(5000)), 1)
            try requireEqual(try await store.session(cancelled.id).erasedAt, Sample.after(5000))
            try requireEqual(try await store.session(SessionID("ses_1")).erasedAt, nil)
            try requireEqual(try await store.eraseDue(at: Sample.after(9000)), 1)
            try requireEqual(try await store.eraseDue(at: Sample.after(1 << 40)), 0)
            try requireEqual(try await store.session(kept.id), kept)
            try requireEqual(try await store.ledger(from: 1, limit: 10).map(\.draft), Sample.pair(1))
        },
        StoreCase("what waits too long is expired, and nothing else") { store in
            _ = try await store.open(1)
            var longer = Sample.session(2)
            longer.expiresAt = Sample.after(1001)
            let patient = longer
            _ = try await store.create(patient, idempotency: nil, ledger: [])
            let ended = try await store.finish(3)
            _ = try await store.open(4)
            try await store.claim(4)
            try requireEqual(try await store.expire(at: Sample.after(1001)), 1)
            let first = try await store.session(SessionID("ses_1"))
            try requireEqual(first.status, .expired)
            try requireEqual(first.endedAt, Sample.after(1001))
            try requireEqual(try await store.session(patient.id), patient)
            try requireEqual(try await store.session(ended.id), ended)
            try requireEqual(try await store.expire(at: Sample.after(1001)), 0)
            try requireEqual(
                try await store.counts(), [.expired: 1, .created: 1, .verified: 1, .processing: 1])
        },
        StoreCase("usage outlives the session: purging removes ended sessions and their keys, never the ledger") {
            store in
            let key = Sample.idempotency("k", session: 1)
            _ = try await store.create(Sample.session(1), idempotency: key, ledger: [])
            let use = Sample.idempotency("k", scope: "submission:ses_1", session: 1)
            try await store.claim(1, key: use)
            _ = try await store.conclude(SessionID("ses_1"), with: Sample.ending(1), ledger: Sample.pair(1))
            let second = try await store.open(2)
            let before = try await store.ledger(from: 1, limit: 10)
            // It ended at 600: the interval is open at that end.
            try requireEqual(try await store.purge(endedBefore: Sample.after(600)), 0)
            try requireEqual(try await store.idempotency(key.key), key)
            try requireEqual(try await store.purge(endedBefore: Sample.after(601)), 1)
            try await requireError(.notFound) {
                try await store.session(SessionID("ses_1"))
            }
            try requireEqual(try await store.idempotency(key.key), nil)
            try requireEqual(try await store.idempotency(use.key), nil)
            try requireEqual(try await store.ledger(from: 1, limit: 10), before)
            try requireEqual(try await store.incidents(), [.individualNumberReceived: 1])
            try requireEqual(try await store.purge(endedBefore: Sample.after(1 << 40)), 0)
            try requireEqual(try await store.session(second.id), second)
        },
        StoreCase("sweeps reach every session, however many") { store in
            let number = 1203
            for number in 0..<number { _ = try await store.open(number) }
            try requireEqual(try await store.expire(at: Sample.after(2000)), number)
            try requireEqual(try await store.eraseDue(at: Sample.after(5000)), number)
            try requireEqual(try await store.purge(endedBefore: Sample.after(2001)), number)
            try requireEqual(try await store.counts(), [:])
        },
    ]
}
