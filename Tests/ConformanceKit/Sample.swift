public import VerificationCore

/// Sessions and events to test stores with.
public enum Sample {
    /// When everything begins.
    public static let start = Timestamp(milliseconds: 1_750_000_000_123)

    /// An instant so many milliseconds after ``start``.
    public static func after(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: start.milliseconds + milliseconds)
    }

    /// 32 bytes that differ from one number to the next.
    public static func bytes(_ number: Int, marked mark: String = "") -> [UInt8] {
        let text = Array("\(mark)\(number).".utf8)
        return text + (text.count..<max(32, text.count)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
    }

    /// A session with every optional part, that expires 1000 ms after ``start``.
    public static func session(_ number: Int) -> SessionRecord {
        guard let nonce = Nonce(bytes(number, marked: "nonce")) else { preconditionFailure("32 bytes are a nonce") }
        let certification = Certification(
            regime: "bango-18-4", holder: "株式会社 検証", program: "本人確認", version: "2.1", number: "第\(number)号",
            validFrom: Timestamp(milliseconds: -1), validUntil: after(1 << 40))
        var record = SessionRecord(
            id: SessionID("ses_\(number)"), client: ClientID("app"), purpose: PurposeID("account"),
            documentType: "org.iso.23220.1.jp.mnc",
            verifier: VerifierDescription(
                id: VerifierID("in-house"), kind: "in_house", isSimulated: number.isMultiple(of: 2),
                certification: certification, documentTypes: []),
            nonce: nonce, walletIdentity: WalletIdentity(merchantIdentifier: "merchant.a", teamIdentifier: "TEAM"),
            configurationVersion: "v1", createdAt: start, expiresAt: after(1000))
        record.providerReference = "ref-\(number)"
        record.eraseAt = after(5000)
        record.wrappedKey = SealedBytes(keyID: "k1", bytes: bytes(number, marked: "WRAPPED"))
        record.sealedContext = SealedBytes(keyID: "k1", bytes: bytes(number, marked: "CONTEXT"))
        record.referenceIndex = bytes(number, marked: "INDEX")
        record.routing.rule = "card \"首都圏\""
        record.routing.passedOver = [Routing.PassedOver(VerifierID("alpha"), .circuitOpen)]
        record.routing.fallbacks = [VerifierID("beta"), VerifierID("検証")]
        record.routing.shadow = VerifierID("gamma")
        record.attempt = AttemptID("att_\(number)")
        return record
    }

    /// A session whose client is told and whose provider has to erase.
    public static func told(_ number: Int) -> SessionRecord {
        var record = session(number)
        record.notifies = true
        record.eraseTicket = ticket(number)
        return record
    }

    /// A ticket for an erasure.
    public static func ticket(_ number: Int, marked mark: String = "TICKET") -> SealedBytes {
        SealedBytes(keyID: "k2", bytes: bytes(number, marked: mark))
    }

    /// A message to the operators, written a millisecond after ``start``.
    public static func operatorMessage(_ name: String) -> OutboxMessage {
        OutboxMessage(
            id: "msg_\(name)", budgetReached: bytes(1, marked: name), verifier: VerifierID("alpha"), client: nil,
            createdAt: after(1))
    }

    /// What stands in the audit chain of it.
    public static func told(at milliseconds: Int64) -> AuditDraft {
        AuditDraft(.budgetReached, by: AuditDraft.gateway, at: after(milliseconds), configurationVersion: "v1")
    }

    /// A suspension with everything in it, due 700 ms after ``start``.
    public static func suspension(_ number: Int) -> Suspension {
        var suspension = Suspension(wait: ProviderWait(nextAt: after(700), step: .poll, asked: 0))
        suspension.providerReference = "wait-\(number)"
        suspension.sealedContext = SealedBytes(keyID: "k1", bytes: bytes(number, marked: "LATER"))
        suspension.eraseTicket = ticket(number, marked: "NEWTICKET")
        return suspension
    }

    /// One event of a call.
    public static func event(
        _ kind: LedgerDraft.Kind, _ number: Int, call: CallName? = CallName(.submit), outcome: AttemptOutcome? = nil
    ) -> LedgerDraft {
        var draft = pair(number)[0]
        draft.kind = kind
        draft.call = call
        draft.outcome = outcome
        return draft
    }

    /// An idempotency record of a session.
    public static func idempotency(_ key: String, scope: String = "create", session: Int, body: Int = 0)
        -> IdempotencyRecord
    {
        IdempotencyRecord(
            key: IdempotencyKey(client: ClientID("app"), scope: scope, key: key), bodyHash: bytes(body),
            session: SessionID("ses_\(session)"))
    }

    /// An ending with everything in it.
    public static func ending(_ number: Int, _ kind: SessionEnding.Kind = .verified) -> SessionEnding {
        var report = Report()
        report[.envelope] = .passed
        report[.issuerCertificate] = .failed(.issuerUntrusted)
        var ending = SessionEnding(kind: kind, at: after(600), report: report)
        ending.sealedResult = SealedBytes(keyID: "session", bytes: bytes(number, marked: "RESULT"))
        ending.eraseAt = after(9000)
        ending.providerReference = "final-\(number)"
        ending.incidents = [.individualNumberReceived]
        return ending
    }

    /// The pair of events of one verdict.
    public static func pair(_ number: Int, outcome: AttemptOutcome = .verified) -> [LedgerDraft] {
        var started = LedgerDraft(
            kind: .started, attempt: AttemptID("att_\(number)"), role: .primary, session: SessionID("ses_\(number)"),
            verifier: VerifierID("in-house"), client: ClientID("app"), purpose: PurposeID("account"), at: after(500),
            billableClass: .completedPass, configurationVersion: "v1")
        started.certification = "第\(number)号"
        var ended = started
        ended.kind = .ended
        ended.at = after(600)
        ended.outcome = outcome
        ended.providerReference = "final-\(number)"
        ended.providerTime = after(599)
        ended.settles = 1
        return [started, ended]
    }
}

extension Store {
    /// Writes a session that is ready to be claimed.
    func open(_ number: Int) async throws(StoreError) -> SessionRecord {
        let record = Sample.session(number)
        _ = try await create(record, idempotency: nil, ledger: [])
        return record
    }

    /// Writes a session whose client is told and whose provider has to erase.
    func openTold(_ number: Int) async throws(StoreError) -> SessionRecord {
        let record = Sample.told(number)
        _ = try await create(record, idempotency: nil, ledger: [])
        return record
    }

    /// Claims a session half a second after the start.
    @discardableResult
    func claim(_ number: Int, key: IdempotencyRecord? = nil) async throws(StoreError) -> ClaimOutcome {
        try await claim(
            SessionID("ses_\(number)"), at: Sample.after(500), processingDeadline: Sample.after(2000),
            idempotency: key, ledger: [])
    }

    /// Brings a session to its verdict.
    @discardableResult
    func finish(_ number: Int) async throws(StoreError) -> SessionRecord {
        _ = try await open(number)
        try await claim(number)
        return try await conclude(
            SessionID("ses_\(number)"), with: Sample.ending(number), ledger: Sample.pair(number))
    }
}
