import VerificationCore

extension SessionService {
    /// A draft of an audit event that a client causes now.
    func auditDraft(_ action: AuditDraft.Action, by client: Client) -> AuditDraft {
        auditDraft(action, by: client.id.rawValue)
    }

    /// A draft of an audit event that happens now.
    func auditDraft(_ action: AuditDraft.Action, by actor: String) -> AuditDraft {
        AuditDraft(action, by: actor, at: clock.now(), configurationVersion: current.settings.version)
    }

    /// Writes down what a client did, before the answer leaves. Where it cannot be written, nothing is answered.
    ///
    /// Nothing of a person's goes in: of a search, the names of what was looked for, never the values.
    func audit(
        _ action: AuditDraft.Action, by client: Client, session: SessionRecord? = nil, subject: String? = nil,
        outcome: String? = nil, reason: String? = nil, count: Int64? = nil
    ) async throws(Problem) {
        var draft = auditDraft(action, by: client)
        draft.session = session?.id
        draft.client = session?.client
        draft.subject = subject
        draft.outcome = outcome
        draft.reason = reason
        draft.count = count
        try await audit(draft)
    }

    /// Writes an audit event.
    func audit(_ draft: AuditDraft) async throws(Problem) {
        _ = try await stored { () async throws(StoreError) in
            try await self.persisted { () async throws(StoreError) in try await self.store.appendAudit([draft]) }
        }
    }

    /// Makes a change that the store cannot make and write down in one step: it is written down first, so a change that
    /// nobody could write down is not made. One that fails afterwards is written down again, with its error.
    func audited<Value: Sendable>(
        _ draft: AuditDraft, _ change: @Sendable () async throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        try await audit(draft)
        do throws(Problem) {
            return try await change()
        } catch {
            await auditLate(draft.failed(error.code, at: clock.now()))
            throw error
        }
    }

    /// Writes down what has happened already and cannot be refused any more; where that fails, the log says so.
    func auditLate(_ draft: AuditDraft) async {
        do throws(Problem) {
            try await audit(draft)
        } catch {
            log(
                .error, "an audit event could not be written", at: clock.now(),
                [(.kind, .text(draft.action.rawValue)), (.code, .text(error.code.rawValue))])
        }
    }

    /// What is written down when a provider has erased, or was given up.
    func erasureAudit(
        of message: OutboxMessage, _ settlement: OutboxSettlement, at now: Timestamp
    ) -> AuditDraft? {
        guard message.kind == .providerErasure else { return nil }
        var draft = AuditDraft(
            .providerErased, by: AuditDraft.gateway, at: now, configurationVersion: current.settings.version)
        draft.session = message.session
        draft.client = message.client
        draft.subject = message.verifier.rawValue
        switch settlement {
        case .delivered: draft.outcome = "erased"
        case .dead(_, let code):
            draft.outcome = "given_up"
            draft.reason = code
        case .retry: return nil
        }
        return draft
    }
}

extension AuditDraft {
    /// That what was written down first was not done after all.
    func failed(_ code: ProblemCode, at now: Timestamp) -> AuditDraft {
        var draft = self
        draft.at = now
        draft.outcome = "failed"
        draft.reason = code.rawValue
        return draft
    }
}
