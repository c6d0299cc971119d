import Ledger
import VerificationCore

extension StoreConformance {
    static let usage: [StoreCase] = [
        StoreCase("a call is read as its events leave it, from its start to its resolution") { store in
            let verifier = VerifierID("in-house")
            let calls = { @Sendable () async throws(StoreError) in
                try await store.usageCalls(
                    of: verifier, by: .started, in: Sample.start..<Sample.after(1 << 40), changedAfter: 0, after: nil,
                    limit: 9)
            }
            try requireEqual(try await store.usageVerifiers(), [])
            try requireEqual(try await calls(), [])
            try requireEqual(try await store.ledgerHead(), 0)
            var started = Sample.event(.started, 1, call: CallName(.fetch, number: 2))
            started.role = .fallback
            started.billableClass = .dataRefetch
            started.quantity = 3
            try await store.append([Sample.event(.adjusted, 1), started])
            let names = try await store.usageNames()
            try requireEqual(names.names, ["in-house", "app", "account"])
            var expected = UsageCall(
                sequence: 2, verifier: 0, client: 1, purpose: 2, role: .fallback, isSubmission: false,
                billableClass: .dataRefetch, quantity: 3, startedAt: Sample.after(500))
            try requireEqual(try await calls(), [expected])
            var uncertain = started
            uncertain.kind = .uncertain
            uncertain.at = Sample.after(700)
            uncertain.providerTime = Sample.after(650)
            uncertain.providerReference = "p-1"
            try await store.append([uncertain])
            expected.state = .uncertain
            expected.lastSequence = 3
            expected.endedAt = Sample.after(700)
            expected.providerTime = Sample.after(650)
            try requireEqual(try await calls(), [expected])
            var resolved = started
            resolved.kind = .resolved
            resolved.at = Sample.after(900)
            resolved.outcome = .rejected
            resolved.billableClass = .nonBillable
            resolved.quantity = 1
            try await store.append([resolved])
            expected.state = .resolved
            expected.lastSequence = 4
            // When it was found out is not when it was.
            expected.endedAt = Sample.after(700)
            expected.outcome = .rejected
            expected.billableClass = .nonBillable
            expected.quantity = 1
            try requireEqual(try await calls(), [expected])
            try requireEqual(try await store.usageVerifiers(), [verifier])
            try requireEqual(try await store.ledgerHead(), 4)
            let asked: [Int64] = [4, 2, 77, 2, 0, -1]
            try requireEqual(try await store.ledgerEvents(asked).map(\.sequence), [4, 2, 2])
            try requireEqual(try await store.ledgerEvents([2]).map(\.draft), [started])
            try requireEqual(try await store.ledgerEvents([]), [])
        },
        StoreCase("what was read of a time is untouched until an event settles something or is of a call of that time")
        {
            store in
            func untouched(_ head: Int64, _ end: Int64) async throws -> Bool {
                try await store.isUntouched(after: head, before: Sample.after(end))
            }
            var first = Sample.event(.started, 1, call: CallName(.submit))
            first.at = Sample.after(100)
            var second = Sample.event(.started, 2, call: CallName(.submit))
            second.at = Sample.after(5000)
            try await store.append([first, second])
            try requireEqual(try await untouched(0, 100), true)
            try requireEqual(try await untouched(0, 101), false)
            try requireEqual(try await untouched(1, 5000), true)
            try requireEqual(try await untouched(1, 5001), false)
            // What ends later began earlier.
            first.kind = .ended
            first.at = Sample.after(6000)
            first.outcome = .verified
            try await store.append([first])
            try requireEqual(try await untouched(2, 100), true)
            try requireEqual(try await untouched(2, 101), false)
            // A provider's clock may say another time.
            second.kind = .uncertain
            second.at = Sample.after(6000)
            second.providerTime = Sample.after(200)
            try await store.append([second])
            try requireEqual(try await untouched(3, 200), true)
            try requireEqual(try await untouched(3, 201), false)
            // What is settled or corrected may belong to any time.
            second.kind = .resolved
            second.providerTime = nil
            second.outcome = .verified
            try await store.append([second])
            try requireEqual(try await untouched(4, -1000), false)
            try requireEqual(try await untouched(5, 1 << 40), true)
        },
        StoreCase("what a report reads goes with the session's own transaction, or not at all") { store in
            let record = try await store.finish(1)
            try await requireError(.conflict) {
                try await store.conclude(record.id, with: Sample.ending(1), ledger: Sample.pair(2))
            }
            let calls = try await store.usageCalls(
                of: VerifierID("in-house"), by: .ended, in: Sample.start..<Sample.after(9999), changedAfter: 0,
                after: nil, limit: 9)
            var expected = UsageCall(
                sequence: 1, verifier: 0, client: 1, purpose: 2, role: .primary, isSubmission: true,
                billableClass: .completedPass, quantity: 1, startedAt: Sample.after(500))
            expected.lastSequence = 2
            expected.state = .ended
            expected.outcome = .verified
            expected.endedAt = Sample.after(600)
            expected.providerTime = Sample.after(599)
            try requireEqual(calls, [expected])
            // It outlives the session.
            _ = try await store.purge(endedBefore: Sample.after(1 << 40))
            try requireEqual(try await store.usageVerifiers(), [VerifierID("in-house")])
        },
        StoreCase("U01 U03 calls are read in the order of the time that bills them, half-open, page by page") { store in
            // By start, by end and by the provider's time the order differs.
            for number in 0..<9 {
                var started = Sample.event(.started, number)
                started.at = Sample.after(Int64(number / 2))
                var ended = Sample.event(.ended, number, outcome: .verified)
                ended.at = Sample.after(Int64(100 - number / 2))
                ended.providerTime = number.isMultiple(of: 3) ? nil : Sample.after(Int64(number * 7 % 9))
                started.verifier = number == 8 ? VerifierID("other") : VerifierID("alpha")
                ended.verifier = started.verifier
                try await store.append(number == 7 ? [started] : [started, ended])
            }
            for rule in BillingTime.allCases {
                let read = {
                    @Sendable (range: Range<Timestamp>, cursor: UsageCursor?, limit: Int)
                        async throws(StoreError) -> [UsageCall] in
                    try await store.usageCalls(
                        of: VerifierID("alpha"), by: rule, in: range, changedAfter: 0, after: cursor, limit: limit)
                }
                let everything = Sample.start..<Sample.after(1000)
                let all = try await read(everything, nil, 99)
                try requireEqual(all.count, 8)
                for (earlier, later) in zip(all, all.dropFirst()) {
                    try require(
                        (earlier.time(by: rule), earlier.sequence) < (later.time(by: rule), later.sequence),
                        "out of order")
                }
                var paged: [UsageCall] = []
                while true {
                    let cursor = paged.last.map { UsageCursor(time: $0.time(by: rule), sequence: $0.sequence) }
                    let page = try await read(everything, cursor, 3)
                    if page.isEmpty { break }
                    paged += page
                }
                try requireEqual(paged, all)
                for edge in Set(all.map { $0.time(by: rule) }) {
                    let (before, from) = (Sample.start..<edge, edge..<Sample.after(1000))
                    if edge > Sample.start {
                        try requireEqual(
                            try await read(before, nil, 99), all.filter { $0.time(by: rule) < edge })
                    }
                    try requireEqual(try await read(from, nil, 99), all.filter { $0.time(by: rule) >= edge })
                }
                // A cursor before the range is no way around it.
                let cursor = UsageCursor(time: Timestamp(milliseconds: 0), sequence: 0)
                try requireEqual(
                    try await read(Sample.after(3)..<Sample.after(1000), cursor, 99),
                    all.filter { $0.time(by: rule) >= Sample.after(3) })
                try requireEqual(try await read(everything, nil, 0), [])
                try requireEqual(try await read(everything, nil, -1), [])
                let late = try await store.usageCalls(
                    of: VerifierID("alpha"), by: rule, in: everything, changedAfter: 12, after: nil, limit: 99)
                try requireEqual(late, all.filter { $0.lastSequence > 12 })
                try require(!late.isEmpty && late.count < all.count, "nothing is late")
            }
            try requireEqual(
                try await store.usageCalls(
                    of: VerifierID("none"), by: .ended, in: Sample.start..<Sample.after(9), changedAfter: 0, after: nil,
                    limit: 9), [])
            try requireEqual(try await store.usageVerifiers(), [VerifierID("alpha"), VerifierID("other")])
        },
        StoreCase("events older than calls are submissions, each with the start before it") { store in
            try await store.append(Sample.pair(1) + Sample.pair(1) + Sample.pair(2))
            let calls = try await store.usageCalls(
                of: VerifierID("in-house"), by: .started, in: Sample.start..<Sample.after(9999), changedAfter: 0,
                after: nil, limit: 9)
            try requireEqual(calls.map(\.sequence), [1, 3, 5])
            try requireEqual(calls.map(\.lastSequence), [2, 4, 6])
            try requireEqual(calls.map(\.isSubmission), [true, true, true])
        },
        StoreCase("every role, class, state and outcome of a call is read as it was written") { store in
            var expected: [UsageCall] = []
            var number = 0
            for role in AttemptRole.allCases {
                for billable in BillableClass.allCases {
                    for outcome in AttemptOutcome.allCases + [nil] as [AttemptOutcome?] {
                        number += 1
                        var started = Sample.event(.started, number)
                        started.role = role
                        started.billableClass = billable
                        var drafts = [started]
                        if number % 4 != 0 {
                            drafts.append(started)
                            drafts[1].kind = number % 4 == 1 ? .ended : .uncertain
                            drafts[1].outcome = outcome
                        }
                        if number % 4 == 3 {
                            drafts.append(started)
                            drafts[2].kind = .resolved
                            drafts[2].outcome = outcome
                        }
                        let head = try await store.ledgerHead()
                        let events = drafts
                        try await store.append(events)
                        var call = UsageCall(
                            sequence: head + 1, verifier: 0, client: 1, purpose: 2, role: role, isSubmission: true,
                            billableClass: billable, quantity: 1, startedAt: Sample.after(500))
                        if events.count > 1 {
                            call.lastSequence = head + Int64(events.count)
                            call.state = [.open, .ended, .uncertain, .resolved][number % 4]
                            call.outcome = outcome
                            call.endedAt = Sample.after(500)
                        }
                        expected.append(call)
                    }
                }
            }
            let calls = try await store.usageCalls(
                of: VerifierID("in-house"), by: .started, in: Sample.start..<Sample.after(9999), changedAfter: 0,
                after: nil, limit: 9999)
            try requireEqual(calls, expected)
        },
        StoreCase("a month is closed once, with its statement, adjustments first, and nothing came between") { store in
            try await store.append([Sample.event(.started, 1), Sample.event(.ended, 1)])
            var closing = Sample.event(.closed, 9, call: nil)
            closing.month = "2026-11"
            closing.statement = Sample.bytes(1)
            closing.actor = "ops"
            var adjusted = Sample.event(.adjusted, 1)
            adjusted.month = "2026-10"
            let (close, adjustment) = (closing, adjusted)
            let attempt = { @Sendable (head: Int64) async throws(StoreError) in
                try await store.close(
                    close, adjustments: [adjustment], statement: [7, 8], head: head, monthEnd: Sample.after(1 << 40))
            }
            for head: Int64 in [0, 1, 3] { try await requireError(.conflict) { try await attempt(head) } }
            try requireEqual(try await store.statement(of: "2026-11"), nil)
            try requireEqual(try await store.settlements(after: 0), [])
            let outcomes = try await parallel(50) { _ async throws(StoreError) -> LedgerEvent? in
                do throws(StoreError) {
                    return try await attempt(2)
                } catch {
                    guard error == .conflict else { throw error }
                    return nil
                }
            }
            let event = try outcomes.compactMap { $0 }.only()
            try requireEqual(event.sequence, 4)
            try requireEqual(event.draft, close)
            try requireEqual(try await store.ledgerEvents([4, 5]), [event])
            try requireEqual(try await store.closings(), [event])
            try requireEqual(try await store.statement(of: "2026-11"), [7, 8])
            try requireEqual(try await store.statement(of: "2026-10"), nil)
            try requireEqual(try await store.settlements(after: 0).map(\.draft), [adjustment, close])
            try requireEqual(try await store.settlements(after: 3).map(\.sequence), [4])
            try await requireError(.conflict) { try await attempt(4) }
            try await requireError(.conflict) { try await store.append([close]) }
            // Without a month it closes nothing.
            var aimless = close
            aimless.month = nil
            let nothing = aimless
            try await requireError(.conflict) {
                try await store.close(nothing, adjustments: [], statement: [], head: 4, monthEnd: Sample.after(1 << 40))
            }
            try requireEqual(try await store.ledgerHead(), 4)
            try requireEqual(LedgerChain.verify(try await store.ledger(from: 1, limit: 9)), nil)
        },
        StoreCase("a month is closed while calls of later months go on, and not past what may belong to it") { store in
            let (end, later) = (Sample.after(1000), Sample.after(2000))
            func call(_ kind: LedgerDraft.Kind, _ number: Int, at time: Timestamp) -> LedgerDraft {
                var draft = Sample.event(kind, number)
                draft.at = time
                draft.providerTime = nil
                return draft
            }
            let close = { @Sendable (month: String, head: Int64) async throws(StoreError) in
                var closing = Sample.event(.closed, 9, call: nil)
                closing.month = month
                _ = try await store.close(closing, adjustments: [], statement: [1], head: head, monthEnd: end)
            }
            try await store.append([call(.started, 1, at: Sample.after(5)), call(.started, 2, at: later)])
            // Calls that began and ended after the month.
            try await store.append([
                call(.started, 3, at: end), call(.ended, 3, at: later), call(.uncertain, 2, at: later),
            ])
            try await close("2026-01", 2)
            var head = try await store.ledgerHead()
            var late = call(.started, 4, at: later)
            late.providerTime = Sample.after(999)
            for event in [
                call(.ended, 1, at: later), call(.started, 5, at: Sample.after(999)), late,
                call(.resolved, 2, at: later),
                call(.adjusted, 7, at: later),
            ] {
                try await store.append([event])
                let known = head
                try await requireError(.conflict) { try await close("2026-02", known) }
                try requireEqual(try await store.statement(of: "2026-02"), nil)
                head = try await store.ledgerHead()
            }
            try await close("2026-02", head)
        },
        StoreCase("corrections are written once of those that were reckoned from the same ledger") { store in
            try await store.append([Sample.event(.started, 1)])
            let outcomes = try await parallel(20) { number async throws(StoreError) -> Bool in
                do throws(StoreError) {
                    try await store.append([Sample.event(.adjusted, number)], unlessSettledAfter: 1)
                    return true
                } catch {
                    guard error == .conflict else { throw error }
                    return false
                }
            }
            try requireEqual(outcomes.filter { $0 }.count, 1)
            try requireEqual(try await store.settlements(after: 0).count, 1)
            // Calls go on meanwhile.
            try await store.append([Sample.event(.ended, 1), Sample.event(.started, 2)])
            try await store.append([Sample.event(.adjusted, 2)], unlessSettledAfter: 2)
            try requireEqual(try await store.settlements(after: 0).count, 2)
        },
    ]
}

extension Array {
    /// The one element.
    fileprivate func only(line: Int = #line) throws -> Element {
        guard count == 1, let first else { throw StoreMisbehaviour("\(count) elements, expected one", line) }
        return first
    }
}
