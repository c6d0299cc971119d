import MemoryStore
import Routing
import Synchronization
import Testing
import VerificationCore

@testable import Gateway

/// A store that does what a full or broken disk does, when the test says so.
private final class BrokenStore: Store {
    /// What fails.
    struct Faults: Sendable {
        var create: StoreError?
        var claim: StoreError?
        var conclude: StoreError?
        var probe: StoreError?
        var audit: StoreError?
        /// How often something fails before all is well again.
        var failures = Int.max
        /// Writes and then says that it did not, as a lost answer does.
        var concludesAnyway = false
    }

    let inner = MemoryStore()
    let faults = Mutex(Faults())

    func set(_ change: (inout Faults) -> Void) { faults.withLock { change(&$0) } }

    private func fail(_ path: KeyPath<Faults, StoreError?>) throws(StoreError) {
        let error = faults.withLock { faults -> StoreError? in
            guard let error = faults[keyPath: path], faults.failures > 0 else { return nil }
            faults.failures -= 1
            return error
        }
        if let error { throw error }
    }

    func create(
        _ session: SessionRecord, idempotency: IdempotencyRecord?, ledger: [LedgerDraft]
    ) async throws(StoreError) -> CreateOutcome {
        try fail(\.create)
        return try await inner.create(session, idempotency: idempotency, ledger: ledger)
    }

    func claim(
        _ id: SessionID, at now: Timestamp, processingDeadline: Timestamp, idempotency: IdempotencyRecord?,
        ledger: [LedgerDraft]
    ) async throws(StoreError) -> ClaimOutcome {
        try fail(\.claim)
        return try await inner.claim(
            id, at: now, processingDeadline: processingDeadline, idempotency: idempotency, ledger: ledger)
    }

    func conclude(
        _ id: SessionID, with ending: SessionEnding, ledger: [LedgerDraft]
    ) async throws(StoreError) -> SessionRecord {
        if faults.withLock({ $0.concludesAnyway }) { _ = try await inner.conclude(id, with: ending, ledger: ledger) }
        try fail(\.conclude)
        return try await inner.conclude(id, with: ending, ledger: ledger)
    }

    func probe(at now: Timestamp) async throws(StoreError) {
        try fail(\.probe)
        try await inner.probe(at: now)
    }

    func session(_ id: SessionID) async throws(StoreError) -> SessionRecord { try await inner.session(id) }
    func idempotency(_ key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        try await inner.idempotency(key)
    }
    func cancel(_ id: SessionID, reason: String?, at now: Timestamp) async throws(StoreError) -> SessionRecord {
        try await inner.cancel(id, reason: reason, at: now)
    }
    func expire(at now: Timestamp) async throws(StoreError) -> Int { try await inner.expire(at: now) }
    func failProcessing(
        deadlineBefore now: Timestamp?, endedAt: Timestamp, as failure: FailureCode
    ) async throws(StoreError) -> [SessionRecord] {
        try await inner.failProcessing(deadlineBefore: now, endedAt: endedAt, as: failure)
    }
    func erase(_ id: SessionID, by actor: String, at now: Timestamp) async throws(StoreError) -> SessionRecord {
        try await inner.erase(id, by: actor, at: now)
    }
    func eraseDue(at now: Timestamp) async throws(StoreError) -> Int { try await inner.eraseDue(at: now) }
    func purge(endedBefore: Timestamp, at now: Timestamp) async throws(StoreError) -> Int {
        try await inner.purge(endedBefore: endedBefore, at: now)
    }
    func ledger(from sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try await inner.ledger(from: sequence, limit: limit)
    }
    func append(_ events: [LedgerDraft]) async throws(StoreError) { try await inner.append(events) }
    func sealingKeyNames() async throws(StoreError) -> Set<String> { try await inner.sealingKeyNames() }
    func counts() async throws(StoreError) -> [SessionStatus: Int] { try await inner.counts() }
    func incidents() async throws(StoreError) -> [Incident: Int] { try await inner.incidents() }
    func setting(_ name: String) async throws(StoreError) -> [UInt8]? { try await inner.setting(name) }
    func keepSetting(_ name: String, _ value: [UInt8]) async throws(StoreError) -> [UInt8] {
        try await inner.keepSetting(name, value)
    }
    func close() async { await inner.close() }
}

/// What no test here breaks.
extension BrokenStore {
    func suspend(
        _ id: SessionID, _ suspension: Suspension, ledger: [LedgerDraft]
    ) async throws(StoreError) -> SessionRecord {
        try await inner.suspend(id, suspension, ledger: ledger)
    }
    func takeDueWaits(
        at now: Timestamp, lease: Timestamp, limit: Int
    ) async throws(StoreError) -> [SessionRecord] {
        try await inner.takeDueWaits(at: now, lease: lease, limit: limit)
    }
    func openCalls(limit: Int) async throws(StoreError) -> [LedgerEvent] { try await inner.openCalls(limit: limit) }
    func uncertainCalls(after sequence: Int64, limit: Int) async throws(StoreError) -> [LedgerEvent] {
        try await inner.uncertainCalls(after: sequence, limit: limit)
    }
    func ledger(of session: SessionID) async throws(StoreError) -> [LedgerEvent] {
        try await inner.ledger(of: session)
    }
    func session(
        of verifier: VerifierID, providerReference: String
    ) async throws(StoreError) -> SessionRecord? {
        try await inner.session(of: verifier, providerReference: providerReference)
    }
    func takeNotice(_ id: String, of verifier: VerifierID, at now: Timestamp) async throws(StoreError) -> Bool {
        try await inner.takeNotice(id, of: verifier, at: now)
    }
    func takeDueMessages(
        at now: Timestamp, lease: Timestamp, limit: Int
    ) async throws(StoreError) -> [OutboxMessage] {
        try await inner.takeDueMessages(at: now, lease: lease, limit: limit)
    }
    func reviveMessage(_ message: OutboxMessage.ID, at now: Timestamp) async throws(StoreError) {
        try await inner.reviveMessage(message, at: now)
    }

    func settle(
        _ message: OutboxMessage.ID, _ settlement: OutboxSettlement, audit: AuditDraft?
    ) async throws(StoreError) {
        try await inner.settle(message, settlement, audit: audit)
    }
    func tell(
        _ name: String, _ message: OutboxMessage?, audit: AuditDraft
    ) async throws(StoreError) -> Bool {
        try await inner.tell(name, message, audit: audit)
    }
    func audit(from sequence: Int64, limit: Int) async throws(StoreError) -> [AuditEvent] {
        try await inner.audit(from: sequence, limit: limit)
    }
    func audit(
        _ filter: AuditFilter, before sequence: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEvent] {
        try await inner.audit(filter, before: sequence, limit: limit)
    }
    func appendAudit(_ drafts: [AuditDraft]) async throws(StoreError) -> [AuditEvent] {
        try fail(\.audit)
        return try await inner.appendAudit(drafts)
    }
    func setContract(
        _ contract: Contract, eraseAt: Timestamp?, of id: SessionID, audit: AuditDraft
    ) async throws(StoreError) -> SessionRecord {
        try await inner.setContract(contract, eraseAt: eraseAt, of: id, audit: audit)
    }
    func setHold(_ hold: LegalHold?, of id: SessionID, audit: AuditDraft) async throws(StoreError) -> SessionRecord {
        try await inner.setHold(hold, of: id, audit: audit)
    }
    func message(_ id: OutboxMessage.ID) async throws(StoreError) -> OutboxMessage? {
        try await inner.message(id)
    }
    func deadMessages(limit: Int) async throws(StoreError) -> [OutboxMessage] {
        try await inner.deadMessages(limit: limit)
    }
    func outboxCounts() async throws(StoreError) -> OutboxCounts { try await inner.outboxCounts() }
    func sessions(
        _ filter: SessionFilter, olderThan cursor: SessionCursor?, limit: Int
    ) async throws(StoreError) -> [SessionRecord] {
        try await inner.sessions(filter, olderThan: cursor, limit: limit)
    }
    func pinned() async throws(StoreError) -> [PinnedSessions] { try await inner.pinned() }
    func addShadowCounts(_ counts: [ShadowCount]) async throws(StoreError) {
        try await inner.addShadowCounts(counts)
    }
    func shadowCounts(from: CivilDate, until: CivilDate) async throws(StoreError) -> [ShadowCount] {
        try await inner.shadowCounts(from: from, until: until)
    }
    func replaceSetting(_ name: String, with value: [UInt8]?) async throws(StoreError) {
        try await inner.replaceSetting(name, with: value)
    }
    func usageNames() async throws(StoreError) -> UsageNames { try await inner.usageNames() }
    func usageVerifiers() async throws(StoreError) -> [VerifierID] { try await inner.usageVerifiers() }
    func usageCalls(
        of verifier: VerifierID, by rule: BillingTime, in range: Range<Timestamp>, changedAfter: Int64,
        after cursor: UsageCursor?, limit: Int
    ) async throws(StoreError) -> [UsageCall] {
        try await inner.usageCalls(
            of: verifier, by: rule, in: range, changedAfter: changedAfter, after: cursor, limit: limit)
    }
    func ledgerEvents(_ sequences: [Int64]) async throws(StoreError) -> [LedgerEvent] {
        try await inner.ledgerEvents(sequences)
    }
    func closings() async throws(StoreError) -> [LedgerEvent] { try await inner.closings() }
    func settlements(after sequence: Int64) async throws(StoreError) -> [LedgerEvent] {
        try await inner.settlements(after: sequence)
    }
    func statement(of month: String) async throws(StoreError) -> [UInt8]? { try await inner.statement(of: month) }
    func ledgerHead() async throws(StoreError) -> Int64 { try await inner.ledgerHead() }
    func close(
        _ closing: LedgerDraft, adjustments: [LedgerDraft], statement: [UInt8], head: Int64, monthEnd: Timestamp
    ) async throws(StoreError) -> LedgerEvent {
        try await inner.close(
            closing, adjustments: adjustments, statement: statement, head: head, monthEnd: monthEnd)
    }
    func isUntouched(after head: Int64, before end: Timestamp) async throws(StoreError) -> Bool {
        try await inner.isUntouched(after: head, before: end)
    }
    func append(_ events: [LedgerDraft], unlessSettledAfter head: Int64) async throws(StoreError) {
        try await inner.append(events, unlessSettledAfter: head)
    }
}

/// What the gateway says when its store cannot write.
@Suite struct StoreFaultTests {
    private let store = BrokenStore()

    /// What a disk may do in the middle of a submission.
    private static let writeErrors: [StoreError] = [.unavailable, .corrupt, .closed, .internal]

    @Test func `a change that cannot be written down in the audit chain is not made, and nothing is looked up`()
        async throws
    {
        let rig = try Rig(store: store)
        let id = try await rig.create().id
        store.set { $0.audit = .internal }
        let until = RFC3339.text(rig.clock.now().advanced(by: .seconds(600)))
        let held = try await rig.call(
            "POST", "/v1/verifiers/in-house/circuit", key: Rig.operatorKey,
            body: #"{"state":"held_open","until":"\#(until)","reason":"a test"}"#)
        #expect(held.status == 500)
        #expect(rig.gateway.sessions.current.circuits.outage(of: VerifierID("in-house"), at: .zero) == nil)
        for path in ["/v1/sessions", "/v1/sessions/\(id)/checks"] {
            let reply = try await rig.call("GET", path, key: Rig.operatorKey)
            #expect(reply.status == 500 && !reply.text.contains("account-opening"), "\(path)")
        }
        // What nobody did by hand goes on.
        #expect(try await rig.submit(id).sessionStatus == "verified")
        store.set { $0.audit = nil }
        #expect(try await rig.call("GET", "/v1/sessions", key: Rig.operatorKey).status == 200)
    }

    @Test(arguments: writeErrors)
    func `Q07 a verdict that was not stored is told to nobody, and its nonce stays spent`(error: StoreError)
        async throws
    {
        let rig = try Rig(store: store)
        let id = try await rig.create().id
        store.set { $0.conclude = error }
        let reply = try await rig.submit(id)
        #expect(reply.status >= 500 && reply.result == nil && reply.sessionStatus == nil, "\(reply.text)")
        #expect(!reply.text.contains("verified") && !reply.text.contains("番号"))
        #expect(try await rig.call("GET", "/v1/sessions/" + id).sessionStatus == "processing")
        #expect(try await rig.call("GET", "/v1/sessions/\(id)/verified-claims").status == 409)
        #expect(try await store.ledger(from: 1, limit: 10).isEmpty)
        // Room again: the same blob is not judged a second time; the session fails when its time is over.
        store.set { $0 = BrokenStore.Faults() }
        #expect(try await rig.submit(id).code == "session_already_submitted")
        rig.clock.advance(by: .seconds(31))
        await Housekeeper(of: rig.gateway).tick()
        let ended = try await rig.call("GET", "/v1/sessions/" + id)
        #expect(ended.sessionStatus == "failed" && ended.result == nil)
        #expect(rig.calls.value == 1)
        let fresh = try await rig.create().id
        #expect(try await rig.submit(fresh).sessionStatus == "verified")
    }

    @Test func `Q07 a full disk opens no session, spends no nonce, and readiness says so until there is room`()
        async throws
    {
        let rig = try Rig(store: store)
        let id = try await rig.create().id
        store.set { faults in
            faults.create = .unavailable
            faults.claim = .unavailable
            faults.probe = .unavailable
        }
        let refused = try await rig.create()
        #expect(refused.status == 503 && refused.code == "store_unavailable")
        #expect(refused.json["retryable"] as? Bool == true)
        #expect(refused.json["nonce"] == nil)
        #expect(try await rig.submit(id).code == "store_unavailable")
        #expect(rig.calls.value == 0)
        let ready = try await rig.call("GET", "/readyz", key: nil)
        #expect(ready.status == 503 && ready.text.contains("store_unavailable"))
        #expect(try await rig.call("GET", "/metrics", key: nil).text.contains("store_errors"))
        store.set { $0 = BrokenStore.Faults() }
        #expect(try await rig.call("GET", "/readyz", key: nil).status == 200)
        #expect(try await rig.submit(id).sessionStatus == "verified")
        #expect(rig.calls.value == 1)
    }

    @Test(arguments: [false, true])
    func `Q07 a store that cannot write for a moment loses no verdict, and tells no call twice`(writesAnyway: Bool)
        async throws
    {
        let provider = ScriptedProvider(.certified("a")) { _ in .verified([:]) }
        for rig in [try Rig(store: store), try Rig.providers([provider], store: store)] {
            let id = try await rig.create().id
            store.set { faults in
                faults.conclude = .unavailable
                faults.failures = 2
                faults.concludesAnyway = writesAnyway
            }
            let answer = try await rig.submit(id)
            // It did fail: a write that was made all the same is a conflict from then on.
            #expect(store.faults.withLock { $0.failures } < 2)
            store.set { $0 = BrokenStore.Faults() }
            #expect(answer.status == 200 && answer.sessionStatus == "verified", "\(answer.text)")
            #expect((answer.result?["claims"] as? [String: Any])?["name"] as? String == "番号　花子")
            #expect(try await rig.ledger(id).count == 2)
        }
        #expect(provider.calls(.submit) == 1)
    }

    @Test func `Q07 where only the answer of the store was lost, the verdict is read and never made again`()
        async throws
    {
        let rig = try Rig(store: store)
        let id = try await rig.create().id
        let key = [("Idempotency-Key", "once")]
        store.set { faults in
            faults.conclude = .internal
            faults.concludesAnyway = true
        }
        #expect(try await rig.submit(id, headers: key).status == 500)
        store.set { $0 = BrokenStore.Faults() }
        let again = try await rig.submit(id, headers: key)
        #expect(again.sessionStatus == "verified" && again.headers["Idempotency-Replayed"] == "true")
        #expect(rig.calls.value == 1)
        #expect(try await store.ledger(from: 1, limit: 10).count == 2)
    }

    @Test func `S02 the nonce is spent before the slow part: of 200 submissions within it one is judged`()
        async throws
    {
        let gate = Gate()
        let rig = try Rig(act: { _ in .held(gate, Rig.claims) })
        let id = try await rig.create().id
        let first = Task { try await rig.submit(id) }
        while rig.calls.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let others = try await withThrowingTaskGroup(of: Reply.self) { group in
            for number in 0..<199 {
                group.addTask {
                    // The same blob and others: all come too late.
                    try await rig.submit(id, blob: number.isMultiple(of: 2) ? "AAEC" : "AAED")
                }
            }
            return try await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        #expect(others.allSatisfy { $0.status == 409 && $0.code == "session_already_submitted" })
        #expect(try await rig.call("GET", "/v1/sessions/" + id).sessionStatus == "processing")
        gate.open()
        #expect(try await first.value.sessionStatus == "verified")
        #expect(rig.calls.value == 1)
        #expect(try await rig.store.ledger(from: 1, limit: 10).count == 2)
    }
}
