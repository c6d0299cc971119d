import VerificationCore

extension StoreConformance {
    static let writing: [StoreCase] = [
        StoreCase("a created session can be read, with every field and every time as it was") { store in
            var full = Sample.told(3)
            full.wait = ProviderWait(nextAt: Sample.after(7), step: .fetch, asked: 2)
            full.answeredBy = VerifierID("beta")
            full.providerReference = "ref-3"
            let (plain, every) = (bare(2), full)
            for record in [Sample.session(1), plain, every] {
                try requireEqual(try await store.create(record, idempotency: nil, ledger: []), .created)
                try requireEqual(try await store.session(record.id), record)
            }
        },
        StoreCase("an identifier is used once, and the first session stays") { store in
            let first = try await store.open(1)
            var second = Sample.session(2)
            second.id = first.id
            let again = second
            try await requireError(.alreadyExists) {
                try await store.create(again, idempotency: Sample.idempotency("k", session: 1), ledger: Sample.pair(2))
            }
            try requireEqual(try await store.session(first.id), first)
            try requireEqual(try await store.idempotency(Sample.idempotency("k", session: 1).key), nil)
            try requireEqual(try await store.ledger(from: 1, limit: 10), [])
        },
        StoreCase("a nonce is used once") { store in
            let first = try await store.open(1)
            var second = Sample.session(2)
            second.nonce = first.nonce
            let again = second
            try await requireError(.alreadyExists) {
                try await store.create(again, idempotency: nil, ledger: [])
            }
            try await requireError(.notFound) { try await store.session(again.id) }
        },
        StoreCase("what is missing is not found, to read and to change") { store in
            let id = SessionID("ses_none")
            let now = Sample.start
            try await requireError(.notFound) { try await store.session(id) }
            try await requireError(.notFound) {
                try await store.claim(
                    id, at: now, processingDeadline: now, idempotency: Sample.idempotency("k", session: 0),
                    ledger: Sample.pair(0))
            }
            try await requireError(.notFound) {
                try await store.conclude(id, with: Sample.ending(0), ledger: Sample.pair(0))
            }
            try await requireError(.notFound) {
                try await store.cancel(id, reason: nil, at: now)
            }
            try await requireError(.notFound) { try await store.erase(id, at: now) }
            try requireEqual(try await store.ledger(from: 1, limit: 10), [])
            try requireEqual(try await store.incidents(), [:])
            try requireEqual(try await store.idempotency(Sample.idempotency("k", session: 0).key), nil)
        },
        StoreCase("an idempotency key gives the first session again, and writes nothing") { store in
            let key = Sample.idempotency("k", session: 1, body: 7)
            try requireEqual(
                try await store.create(Sample.session(1), idempotency: key, ledger: Sample.pair(1)), .created)
            try requireEqual(try await store.idempotency(key.key), key)
            let other = Sample.idempotency("k", session: 2, body: 8)
            try requireEqual(
                try await store.create(Sample.session(2), idempotency: other, ledger: Sample.pair(2)),
                .existing(key))
            try await requireError(.notFound) {
                try await store.session(SessionID("ses_2"))
            }
            try requireEqual(try await store.ledger(from: 1, limit: 10).count, 2)
        },
        StoreCase("an idempotency key is one client's and one use's") { store in
            let key = Sample.idempotency("k", session: 1)
            _ = try await store.create(Sample.session(1), idempotency: key, ledger: [])
            let stranger = IdempotencyKey(client: ClientID("other"), scope: "create", key: "k")
            try requireEqual(try await store.idempotency(stranger), nil)
            let use = IdempotencyKey(client: ClientID("app"), scope: "submission:ses_1", key: "k")
            try requireEqual(try await store.idempotency(use), nil)
            let theirs = IdempotencyRecord(key: stranger, bodyHash: [], session: SessionID("ses_2"))
            try requireEqual(
                try await store.create(Sample.session(2), idempotency: theirs, ledger: []), .created)
            try requireEqual(try await store.idempotency(stranger), theirs)
        },
        StoreCase("200 parallel creations under one idempotency key make one session") { store in
            let outcomes = try await parallel(200) { number async throws(StoreError) in
                try await store.create(
                    Sample.session(number), idempotency: Sample.idempotency("k", session: number), ledger: [])
            }
            try requireEqual(outcomes.filter { $0 == .created }.count, 1)
            try requireEqual(Set(outcomes).count, 2)
            try requireEqual(try await store.counts(), [.created: 1])
        },
        StoreCase("a setting is kept once, and the first value stays") { store in
            try requireEqual(try await store.setting("check"), nil)
            try requireEqual(try await store.keepSetting("check", [1, 2]), [1, 2])
            try requireEqual(try await store.keepSetting("check", [3]), [1, 2])
            try requireEqual(try await store.setting("check"), [1, 2])
            try requireEqual(try await store.keepSetting("empty", []), [])
            try requireEqual(try await store.setting("empty"), [])
        },
        StoreCase("text is kept as it came: full-width spaces, variation selectors, beyond the BMP, zero characters") {
            store in
            var record = Sample.session(1)
            record.providerReference = "山\u{3000}田 𠮷野 葛\u{E0100} \u{0}e\u{301}"
            let written = record
            _ = try await store.create(written, idempotency: nil, ledger: [])
            let read = try await store.session(written.id)
            try requireEqual(
                Array((read.providerReference ?? "").utf8), Array((written.providerReference ?? "").utf8))
        },
    ]

    /// A session without any optional part.
    static func bare(_ number: Int) -> SessionRecord {
        let full = Sample.session(number)
        return SessionRecord(
            id: full.id, client: full.client, purpose: full.purpose, documentType: full.documentType,
            verifier: VerifierDescription(
                id: full.verifier, kind: full.verifierKind, isSimulated: false, certification: nil, documentTypes: []),
            nonce: full.nonce, walletIdentity: full.walletIdentity, configurationVersion: full.configurationVersion,
            createdAt: full.createdAt, expiresAt: full.expiresAt)
    }

    /// Runs `body` for 0 to `count` − 1, all at once.
    static func parallel<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws(StoreError) -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
