import VerificationCore

extension SessionService {
    /// The pauses between tries of a write that the store could not take for a moment. Together they are a second and a
    /// half: longer than a burst of writes, shorter than anybody waits for an answer.
    static let writePauses: [Duration] = [
        .milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(750),
    ]

    /// Writes, and tries again while the store is unavailable for a moment. That is safe because each write here is a
    /// compare-and-set: a session ends once, and the ledger tells each part of a call once.
    func persisted<Value: Sendable>(
        _ body: @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        for pause in Self.writePauses {
            do throws(StoreError) {
                return try await body()
            } catch {
                guard error == .unavailable else { throw error }
                metrics.count(.storeErrors, [("code", error.rawValue)])
                try? await Task.sleep(for: pause)
            }
        }
        return try await body()
    }

    /// Appends events of calls. One that the ledger has already is no error: somebody else settled the call.
    func append(_ drafts: [LedgerDraft]) async throws(Problem) {
        guard !drafts.isEmpty else { return }
        do throws(StoreError) {
            try await persisted { () async throws(StoreError) in try await self.store.append(drafts) }
        } catch {
            guard error == .conflict else { throw problem(error) }
            guard drafts.count > 1 else { return }
            for draft in drafts { try await append([draft]) }
        }
    }

    /// Says how a call ended, whatever the ledger has of it so far, and beside any session's state.
    func settle(_ call: ProviderCall, _ end: CallEnd, startedAt: Timestamp) async throws(Problem) {
        // Between the look and the write somebody may settle it; the second look sees that.
        for _ in 0..<Self.looks {
            let events = try await events(of: call.attempt.session)
            let drafts = call.settlement(end, among: events, startedAt: startedAt, at: clock.now())
            guard !drafts.isEmpty else { return }
            do throws(StoreError) {
                return try await persisted { () async throws(StoreError) in try await self.store.append(drafts) }
            } catch {
                guard error == .conflict else { throw problem(error) }
            }
        }
    }

    /// What the ledger has of a session.
    func events(of session: SessionID) async throws(Problem) -> [LedgerEvent] {
        try await stored { () async throws(StoreError) in try await self.store.ledger(of: session) }
    }

    /// How often one looks again after losing a race. A call has three parts, so nobody can lose more often.
    static let looks = 4
}
