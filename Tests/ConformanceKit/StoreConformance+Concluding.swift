import VerificationCore

extension StoreConformance {
    static let concluding: [StoreCase] = [
        StoreCase("a session is concluded, and counted, once: its verdict, sealed result, incidents and ledger pair") {
            store in
            var expected = try await store.open(1)
            try await store.claim(1)
            let ending = Sample.ending(1)
            let concluded = try await store.conclude(expected.id, with: ending, ledger: Sample.pair(1))
            expected.status = .verified
            expected.claimedAt = Sample.after(500)
            expected.processingDeadline = Sample.after(2000)
            expected.endedAt = ending.at
            expected.report = ending.report
            expected.sealedResult = ending.sealedResult
            expected.providerReference = ending.providerReference
            expected.eraseAt = ending.eraseAt
            try requireEqual(concluded, expected)
            try requireEqual(try await store.session(expected.id), expected)
            try requireEqual(try await store.incidents(), [.individualNumberReceived: 1])
            try requireEqual(try await store.ledger(from: 1, limit: 10).map(\.draft), Sample.pair(1))
            try await requireError(.conflict) {
                try await store.conclude(expected.id, with: ending, ledger: Sample.pair(1))
            }
            try requireEqual(try await store.incidents(), [.individualNumberReceived: 1])
            try requireEqual(try await store.ledger(from: 1, limit: 10).count, 2)
        },
        StoreCase("200 parallel conclusions write one pair of ledger events") { store in
            _ = try await store.open(1)
            try await store.claim(1)
            let outcomes = try await parallel(200) { number async throws(StoreError) -> SessionRecord? in
                do throws(StoreError) {
                    let kind: SessionEnding.Kind = number.isMultiple(of: 2) ? .verified : .rejected
                    return try await store.conclude(
                        SessionID("ses_1"), with: Sample.ending(number, kind), ledger: Sample.pair(number))
                } catch {
                    guard error == .conflict else { throw error }
                    return nil
                }
            }
            let winners = outcomes.compactMap { $0 }
            try requireEqual(winners.count, 1)
            try requireEqual(try await store.session(SessionID("ses_1")), winners[0])
            try requireEqual(try await store.ledger(from: 1, limit: 1000).count, 2)
            try requireEqual(try await store.incidents(), [.individualNumberReceived: 1])
        },
        StoreCase("what was never claimed is not concluded") { store in
            let record = try await store.open(1)
            try await requireError(.conflict) {
                try await store.conclude(record.id, with: Sample.ending(1), ledger: Sample.pair(1))
            }
            try requireEqual(try await store.session(record.id), record)
            try requireEqual(try await store.ledger(from: 1, limit: 10), [])
            try requireEqual(try await store.incidents(), [:])
        },
        StoreCase("an ending keeps what it does not say: the provider's reference and the time of erasure") { store in
            let record = try await store.open(1)
            try await store.claim(1)
            let ending = SessionEnding(kind: .failed(.providerTimeout), at: Sample.after(900))
            let concluded = try await store.conclude(record.id, with: ending, ledger: [])
            try requireEqual(concluded.status, .failed)
            try requireEqual(concluded.failure, .providerTimeout)
            try requireEqual(concluded.report, nil)
            try requireEqual(concluded.sealedResult, nil)
            try requireEqual(concluded.providerReference, record.providerReference)
            try requireEqual(concluded.eraseAt, record.eraseAt)
            try requireEqual(concluded.wrappedKey, record.wrappedKey)
        },
        StoreCase("every verdict, failure code, check and reason is read as it was written") { store in
            var number = 0
            for failure in FailureCode.allCases {
                number += 1
                _ = try await store.open(number)
                try await store.claim(number)
                let ended = try await store.conclude(
                    SessionID("ses_\(number)"), with: Sample.ending(number, .failed(failure)), ledger: [])
                try requireEqual(ended.failure, failure)
                try requireEqual(try await store.session(ended.id), ended)
            }
            for (place, reason) in Reason.allCases.enumerated() {
                number += 1
                _ = try await store.open(number)
                try await store.claim(number)
                var ending = Sample.ending(number, .rejected)
                var report = Report()
                for (index, check) in CheckName.allCases.enumerated() {
                    switch (index + place) % 3 {
                    case 0: report[check] = .passed
                    case 1: report[check] = .failed(reason)
                    default: break
                    }
                }
                ending.report = report
                let ended = try await store.conclude(SessionID("ses_\(number)"), with: ending, ledger: [])
                try requireEqual(ended.report, report)
                try requireEqual(try await store.session(ended.id), ended)
            }
            // A report in which nothing was checked is a report.
            number += 1
            _ = try await store.open(number)
            try await store.claim(number)
            var ending = Sample.ending(number, .rejected)
            ending.report = Report()
            let ended = try await store.conclude(SessionID("ses_\(number)"), with: ending, ledger: [])
            try requireEqual(try await store.session(ended.id).report, Report())
        },
        StoreCase("an erased session is concluded without its sealed result, and keeps its verdict") { store in
            let record = try await store.open(1)
            try await store.claim(1)
            let erased = try await store.erase(record.id, at: Sample.after(550))
            try requireEqual(erased.status, .processing)
            let concluded = try await store.conclude(record.id, with: Sample.ending(1), ledger: Sample.pair(1))
            try requireEqual(concluded.status, .verified)
            try requireEqual(concluded.report, Sample.ending(1).report)
            try requireEqual(concluded.sealedResult, nil)
            try requireEqual(concluded.wrappedKey, nil)
            try requireEqual(concluded.erasedAt, Sample.after(550))
            try requireEqual(try await store.session(record.id), concluded)
            try requireEqual(try await store.ledger(from: 1, limit: 10).count, 2)
        },
        StoreCase("incidents are counted one by one, by name") { store in
            for number in 1...3 {
                _ = try await store.open(number)
                try await store.claim(number)
                var ending = Sample.ending(number)
                ending.incidents = [
                    .individualNumberReceived, .unrequestedElementReceived, .unrequestedElementReceived,
                ]
                _ = try await store.conclude(SessionID("ses_\(number)"), with: ending, ledger: [])
            }
            try requireEqual(
                try await store.incidents(), [.individualNumberReceived: 3, .unrequestedElementReceived: 6])
        },
        StoreCase("what is in processing fails at its deadline, and not before; what is not, never") { store in
            _ = try await store.open(1)
            try await store.claim(1)
            _ = try await store.open(2)
            let third = try await store.finish(3)
            let at = Sample.after(2000)
            try requireEqual(
                try await store.failProcessing(deadlineBefore: at, endedAt: at, as: .providerTimeout), [])
            let later = Sample.after(2001)
            let ended = try await store.failProcessing(deadlineBefore: later, endedAt: later, as: .providerTimeout)
            try requireEqual(ended.map(\.id), [SessionID("ses_1")])
            try requireEqual(ended[0].status, .failed)
            try requireEqual(ended[0].failure, .providerTimeout)
            try requireEqual(ended[0].endedAt, later)
            try requireEqual(try await store.session(SessionID("ses_1")), ended[0])
            try requireEqual(try await store.session(third.id), third)
            try requireEqual(try await store.counts(), [.created: 1, .failed: 1, .verified: 1])
        },
        StoreCase("at start whatever is in processing is failed, whatever its deadline") { store in
            for number in 1...3 {
                _ = try await store.open(number)
                try await store.claim(number)
            }
            let ended = try await store.failProcessing(
                deadlineBefore: nil, endedAt: Sample.after(501), as: .interrupted)
            try requireEqual(Set(ended.map(\.id.rawValue)), ["ses_1", "ses_2", "ses_3"])
            try requireEqual(Set(ended.map(\.failure)), [.interrupted])
            try requireEqual(
                try await store.failProcessing(deadlineBefore: nil, endedAt: Sample.after(502), as: .interrupted), [])
        },
    ]
}
