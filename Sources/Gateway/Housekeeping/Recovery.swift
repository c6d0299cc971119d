public import VerificationCore

extension Housekeeper {
    /// Sessions and events that are read at once.
    private static let page = 500

    /// Picks up what the last stop cut short: there is no live worker for it any more.
    ///
    /// A call that was out and whose end nobody saw becomes uncertain. A session that waits for a verdict that was
    /// promised goes on waiting, one whose submission was out waits for what became of it, and one whose evidence never
    /// left this machine fails, since the evidence was never stored.
    public func recover() async throws(StoreError) {
        let processing = try await sessionsInProcessing()
        // Who waits and whose submission is open was promised a verdict: a lost answer is written as lost with its wait.
        let promised = Set(processing.filter { $0.wait != nil }.map(\.id))
        let lost = try await markOpenCalls(but: promised)
        var interrupted = 0
        for record in processing where record.wait == nil {
            if try await !resume(record) { interrupted += 1 }
        }
        // Counted before the first session asks, because a month of a million calls takes seconds.
        await tellBudgets(at: sessions.clock.now())
        guard interrupted > 0 || lost > 0 else { return }
        sessions.log(
            .warning, "sessions were interrupted by the last stop", at: sessions.clock.now(),
            [(.count, .number(Int64(interrupted)))])
        if lost > 0 {
            sessions.log(
                .warning, "calls were out at the last stop", at: sessions.clock.now(), [(.count, .number(Int64(lost)))])
        }
    }

    private func sessionsInProcessing() async throws(StoreError) -> [SessionRecord] {
        var filter = SessionFilter()
        filter.statuses = [.processing]
        var found: [SessionRecord] = []
        while true {
            let cursor = found.last.map { SessionCursor(createdAt: $0.createdAt, id: $0.id) }
            let page = try await sessions.store.sessions(filter, olderThan: cursor, limit: Self.page)
            found += page
            if page.count < Self.page { return found }
        }
    }

    /// Marks calls that were started and have no end, but for the submissions whose verdict was promised: those are
    /// open because they were answered so. Returns how many.
    private func markOpenCalls(but promised: Set<SessionID>) async throws(StoreError) -> Int {
        let now = sessions.clock.now()
        var marked = 0
        // What is promised stays open and is met again, so each look must reach further than all of it.
        let limit = promised.count + Self.page
        while true {
            let open = try await sessions.store.openCalls(limit: limit).filter { event in
                !(event.draft.call == CallName(.submit) && event.draft.role != .shadow
                    && promised.contains(event.draft.session))
            }
            guard !open.isEmpty else { return marked }
            let drafts = open.map { ProviderCall.uncertain($0, at: now) }
            try await sessions.store.append(drafts)
            marked += drafts.count
        }
    }

    /// Lets a session wait for what became of its submission; one whose evidence never left fails. `false` for those.
    private func resume(_ record: SessionRecord) async throws(StoreError) -> Bool {
        let events = try await sessions.store.ledger(of: record.id)
        let submitted = events.last {
            $0.draft.kind == .started && $0.draft.call == CallName(.submit) && $0.draft.role != .shadow
        }
        let isOut = submitted.map { last in
            !events.contains {
                $0.draft.kind == .ended && $0.draft.call == last.draft.call && $0.draft.attempt == last.draft.attempt
            }
        }
        do throws(StoreError) {
            guard isOut == true, let submitted else {
                var ending = SessionEnding(kind: .failed(.interrupted), at: sessions.clock.now())
                ending.eraseAt = record.eraseAt
                let ended = try await sessions.store.conclude(record.id, with: ending, ledger: [])
                sessions.count(ended)
                return false
            }
            let step = sessions.current.verifiers[submitted.draft.verifier]?.description.lostStep
            let next = step == nil ? nil : sessions.clock.now()
            let wait = ProviderWait(nextAt: next, step: step ?? .fetch, asked: 0)
            _ = try await sessions.store.suspend(record.id, Suspension(wait: wait), ledger: [])
            return true
        } catch {
            // Somebody else moved it meanwhile.
            guard error == .conflict else { throw error }
            return true
        }
    }
}
