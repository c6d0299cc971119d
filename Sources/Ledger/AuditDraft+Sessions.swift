public import VerificationCore

/// The audit events that stores write of what they do themselves.
extension AuditDraft {
    /// What leads back to a person is erased from a session.
    public static func erased(
        _ record: SessionRecord, by actor: String, _ rule: ErasureRule, at now: Timestamp
    ) -> AuditDraft {
        var draft = AuditDraft(
            .sessionErased, by: actor, at: now, configurationVersion: record.configurationVersion)
        draft.session = record.id
        draft.client = record.client
        draft.outcome = rule.rawValue
        return draft
    }

    /// Something happened at a session's end that must be looked into.
    public static func incident(_ incident: Incident, of record: SessionRecord, at now: Timestamp) -> AuditDraft {
        var draft = AuditDraft(
            .incident, by: AuditDraft.gateway, at: now, configurationVersion: record.configurationVersion)
        draft.session = record.id
        draft.client = record.client
        draft.subject = (record.answeredBy ?? record.verifier).rawValue
        draft.outcome = incident.rawValue
        return draft
    }

    /// Sessions are removed; what led back to persons was erased before.
    public static func purged(_ records: [SessionRecord], at now: Timestamp) -> AuditDraft {
        // Of the newest session: the store itself knows of no configuration.
        let newest = records.max { $0.createdAt < $1.createdAt }
        var draft = AuditDraft(
            .sessionsPurged, by: AuditDraft.gateway, at: now,
            configurationVersion: newest?.configurationVersion ?? "")
        draft.count = Int64(records.count)
        return draft
    }
}
