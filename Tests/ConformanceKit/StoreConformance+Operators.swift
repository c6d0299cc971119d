import VerificationCore

extension Sample {
    /// A day.
    static let day = CivilDate(daysSinceEpoch: 20_000)
}

extension StoreConformance {
    static let operators: [StoreCase] = [
        StoreCase("sessions are listed newest first, page by page, also while others are added") { store in
            for number in 0..<25 {
                var record = Sample.session(number)
                // Of each five, some are created at the same instant.
                record.createdAt = Sample.after(Int64(number / 3))
                let next = record
                _ = try await store.create(next, idempotency: nil, ledger: [])
            }
            let all = try await store.sessions(SessionFilter(), olderThan: nil, limit: 100)
            try requireEqual(all.count, 25)
            for (newer, older) in zip(all, all.dropFirst()) {
                try require(
                    (newer.createdAt, newer.id.rawValue) > (older.createdAt, older.id.rawValue), "out of order")
            }
            var seen: [SessionID] = []
            var cursor: SessionCursor?
            var added = 100
            while true {
                let page = try await store.sessions(SessionFilter(), olderThan: cursor, limit: 4)
                guard let last = page.last else { break }
                seen += page.map(\.id)
                cursor = SessionCursor(createdAt: last.createdAt, id: last.id)
                var newer = Sample.session(added)
                newer.createdAt = Sample.after(Int64(added))
                let next = newer
                _ = try await store.create(next, idempotency: nil, ledger: [])
                added += 1
            }
            try requireEqual(seen, all.map(\.id))
            try requireEqual(try await store.session(all[0].id), all[0])
            try requireEqual(try await store.sessions(SessionFilter(), olderThan: nil, limit: 0), [])
            try requireEqual(try await store.sessions(SessionFilter(), olderThan: nil, limit: -1), [])
        },
        StoreCase("each filter finds what it names, and all of them together what they all name") { store in
            let records = try await variety(store)
            for (name, filter, matches) in filters {
                let expected = records.filter(matches).map(\.id.rawValue).sorted()
                let found = try await store.sessions(filter, olderThan: nil, limit: 1000)
                try require(
                    found.map(\.id.rawValue).sorted() == expected,
                    "\(name): found \(found.map(\.id)), expected \(expected)")
                try require(!expected.isEmpty && expected.count < records.count, "\(name) shows nothing")
                // Page by page it is the same.
                var paged: [SessionRecord] = []
                while true {
                    let cursor = paged.last.map { SessionCursor(createdAt: $0.createdAt, id: $0.id) }
                    let page = try await store.sessions(filter, olderThan: cursor, limit: 2)
                    if page.isEmpty { break }
                    paged += page
                }
                try requireEqual(paged, found)
            }
        },
        StoreCase("an erased session is not found by its reference any more") { store in
            let record = try await store.finish(1)
            var filter = SessionFilter()
            filter.referenceIndexes = [Sample.bytes(1, marked: "INDEX"), Sample.bytes(9, marked: "INDEX")]
            let search = filter
            try requireEqual(try await store.sessions(search, olderThan: nil, limit: 9).map(\.id), [record.id])
            _ = try await store.erase(record.id, at: Sample.after(700))
            try requireEqual(try await store.sessions(search, olderThan: nil, limit: 9), [])
            // Bytes of the key are no reference.
            _ = try await store.open(2)
            filter.referenceIndexes = [Sample.bytes(2, marked: "WRAPPED")]
            let wrong = filter
            try requireEqual(try await store.sessions(wrong, olderThan: nil, limit: 9), [])
        },
        StoreCase("what is pinned is counted by verifier, state and configuration") { store in
            try requireEqual(try await store.pinned(), [])
            for number in 0..<7 {
                var record = Sample.session(number)
                record.verifier = VerifierID(number < 4 ? "alpha" : "beta")
                record.configurationVersion = number.isMultiple(of: 2) ? "v1" : "v2"
                let next = record
                _ = try await store.create(next, idempotency: nil, ledger: [])
            }
            try await store.claim(0)
            _ = try await store.cancel(SessionID("ses_5"), reason: nil, at: Sample.after(1))
            let pin = { (verifier: String, status: SessionStatus, version: String, count: Int) in
                PinnedSessions(
                    verifier: VerifierID(verifier), status: status, configurationVersion: version, count: count)
            }
            try requireEqual(
                try await store.pinned(),
                [
                    pin("alpha", .created, "v1", 1), pin("alpha", .processing, "v1", 1),
                    pin("alpha", .created, "v2", 2),
                    pin("beta", .created, "v1", 2),
                ])
        },
        StoreCase("shadow counts add up, by day, pair, subject and outcome") { store in
            let count = { @Sendable (day: Int64, subject: String, outcome: ShadowCount.Outcome, count: Int) in
                ShadowCount(
                    day: CivilDate(daysSinceEpoch: 20_000 + day), primary: VerifierID("a"), shadow: VerifierID("b"),
                    subject: subject, outcome: outcome, count: count)
            }
            try await store.addShadowCounts([])
            try await store.addShadowCounts([
                count(1, "verdict", .agree, 1), count(1, "claim:name", .differ, 2), count(1, "verdict", .agree, 3),
            ])
            _ = try await parallel(50) { _ async throws(StoreError) in
                try await store.addShadowCounts([count(2, "verdict", .failed, 1), count(0, "verdict", .agree, 1)])
            }
            let day = { @Sendable (number: Int64) in CivilDate(daysSinceEpoch: 20_000 + number) }
            let expected = [
                count(0, "verdict", .agree, 50), count(1, "claim:name", .differ, 2), count(1, "verdict", .agree, 4),
                count(2, "verdict", .failed, 50),
            ]
            try requireEqual(try await store.shadowCounts(from: day(0), until: day(3)), expected)
            try requireEqual(
                try await store.shadowCounts(from: day(1), until: day(2)), Array(expected[1...2]))
            try requireEqual(try await store.shadowCounts(from: day(3), until: day(9)), [])
            try requireEqual(try await store.shadowCounts(from: day(2), until: day(2)), [])
            let every = ShadowCount.Outcome.allCases.map { count(5, "verdict", $0, 1) }
            try await store.addShadowCounts(every)
            try requireEqual(Set(try await store.shadowCounts(from: day(5), until: day(6))), Set(every))
        },
        StoreCase("a setting can be replaced and removed") { store in
            try await store.replaceSetting("a", with: [1])
            try requireEqual(try await store.setting("a"), [1])
            try await store.replaceSetting("a", with: [2, 3])
            try requireEqual(try await store.keepSetting("a", [4]), [2, 3])
            try await store.replaceSetting("a", with: nil)
            try await store.replaceSetting("never", with: nil)
            try requireEqual(try await store.setting("a"), nil)
            try requireEqual(try await store.keepSetting("a", []), [])
        },
    ]

    private static let filters: [(String, SessionFilter, @Sendable (SessionRecord) -> Bool)] = {
        func filter(_ change: (inout SessionFilter) -> Void) -> SessionFilter {
            var filter = SessionFilter()
            change(&filter)
            return filter
        }
        let (beta, other, purpose) = (VerifierID("beta"), ClientID("other"), PurposeID("licence"))
        return [
            ("one status", filter { $0.statuses = [.created] }, { $0.status == .created }),
            (
                "several statuses", filter { $0.statuses = [.cancelled, .processing, .rejected] },
                { [.cancelled, .processing, .rejected].contains($0.status) }
            ),
            ("a verifier", filter { $0.verifier = beta }, { $0.verifier == beta }),
            ("a client", filter { $0.client = other }, { $0.client == other }),
            ("a purpose", filter { $0.purpose = purpose }, { $0.purpose == purpose }),
            (
                "a reason", filter { $0.reason = .issuerUntrusted },
                { $0.report?.reasons.contains(.issuerUntrusted) ?? false }
            ),
            ("from an instant on", filter { $0.createdFrom = Sample.after(20) }, { $0.createdAt >= Sample.after(20) }),
            ("before an instant", filter { $0.createdBefore = Sample.after(20) }, { $0.createdAt < Sample.after(20) }),
            (
                "references",
                filter { $0.referenceIndexes = [3, 4, 7, 999].map { Sample.bytes($0, marked: "INDEX") } },
                { ["ses_3", "ses_4", "ses_7"].contains($0.id.rawValue) }
            ),
            (
                "a verifier and several statuses",
                filter {
                    $0.verifier = beta
                    $0.statuses = [.verified, .created]
                }, { $0.verifier == beta && [.verified, .created].contains($0.status) }
            ),
            (
                "everything",
                filter {
                    $0.verifier = beta
                    $0.client = other
                    $0.purpose = purpose
                    $0.statuses = [.verified, .rejected]
                    $0.reason = .issuerUntrusted
                    $0.createdFrom = Sample.after(1)
                    $0.createdBefore = Sample.after(39)
                },
                {
                    $0.verifier == beta && $0.client == other && $0.purpose == purpose
                        && [.verified, .rejected].contains($0.status)
                        && ($0.report?.reasons.contains(.issuerUntrusted) ?? false)
                        && $0.createdAt >= Sample.after(1) && $0.createdAt < Sample.after(39)
                }
            ),
        ]
    }()

    /// Forty sessions in which every combination of the filters' values occurs.
    private static func variety(_ store: any Store) async throws -> [SessionRecord] {
        for number in 0..<40 {
            var record = Sample.session(number)
            record.createdAt = Sample.after(Int64(number))
            if number.isMultiple(of: 2) { record.verifier = VerifierID("beta") }
            if number.isMultiple(of: 3) { record.client = ClientID("other") }
            if !number.isMultiple(of: 4) { record.purpose = PurposeID("licence") }
            let next = record
            _ = try await store.create(next, idempotency: nil, ledger: [])
            let kind: SessionEnding.Kind
            switch number % 5 {
            case 0: continue
            case 1:
                _ = try await store.cancel(next.id, reason: nil, at: Sample.after(100))
                continue
            case 2: kind = .verified
            case 3: kind = .rejected
            default:
                try await store.claim(number)
                continue
            }
            try await store.claim(number)
            var ending = Sample.ending(number, kind)
            if number % 7 == 0 {
                var report = Report()
                report[.validity] = .failed(.documentNotYetValid)
                ending.report = report
            }
            let final = ending
            _ = try await store.conclude(next.id, with: final, ledger: [])
        }
        var records: [SessionRecord] = []
        for number in 0..<40 { records.append(try await store.session(SessionID("ses_\(number)"))) }
        return records
    }
}
