import JSONTree
import VerificationCore

/// A session as operators see it: its course, and nothing of the person it is about.
enum OperatorRendering {
    static func session(_ record: SessionRecord) -> [(String, JSONValue)] {
        [
            ("id", .string(record.id.rawValue)),
            ("status", .string(record.status.rawValue)),
            ("client", .string(record.client.rawValue)),
            ("purpose", .string(record.purpose.rawValue)),
            ("doc_type", .string(record.documentType)),
            ("verifier", verifier(record)),
            ("configuration_version", .string(record.configurationVersion)),
            ("created_at", SessionRendering.time(record.createdAt)),
            ("expires_at", SessionRendering.time(record.expiresAt)),
            ("submitted_at", time(record.claimedAt)),
            ("processing_deadline", time(record.processingDeadline)),
            ("ended_at", time(record.endedAt)),
            ("erased_at", time(record.erasedAt)),
            ("cancel_outcome", .string(orNull: record.cancelReason)),
            ("failure", .string(orNull: record.failure?.rawValue)),
            ("reasons", .array(record.report?.reasons.map { .string($0.rawValue) } ?? [])),
        ]
    }

    private static func verifier(_ record: SessionRecord) -> JSONValue {
        .object([
            ("id", .string(record.verifier.rawValue)),
            ("kind", .string(record.verifierKind)),
            ("simulated", .boolean(record.isSimulated)),
            ("answered_by", .string(orNull: record.answeredBy?.rawValue)),
            ("rule", .string(orNull: record.routing.rule)),
            (
                "passed_over",
                .array(
                    record.routing.passedOver.map {
                        .object([
                            ("verifier", .string($0.verifier.rawValue)), ("reason", .string($0.reason.rawValue)),
                        ])
                    })
            ),
            ("fallbacks", .array(record.routing.fallbacks.map { .string($0.rawValue) })),
            ("shadow", .string(orNull: record.routing.shadow?.rawValue)),
        ])
    }

    static func time(_ time: Timestamp?) -> JSONValue { time.map(SessionRendering.time) ?? .null }

    /// What is waited for, where a verifier answers later.
    static func wait(_ wait: ProviderWait) -> JSONValue {
        .object([
            ("step", .string(wait.step.rawValue)), ("asked", .integer(wait.asked)), ("next_at", time(wait.nextAt)),
        ])
    }

    /// A call to a verifier, or what became of one, as the ledger has it.
    static func event(_ event: LedgerEvent) -> JSONValue {
        let draft = event.draft
        return .object([
            ("sequence", .integer(event.sequence)),
            ("kind", .string(draft.kind.rawValue)),
            ("at", SessionRendering.time(draft.at)),
            ("attempt", .string(draft.attempt.rawValue)),
            ("role", .string(draft.role.rawValue)),
            ("verifier", .string(draft.verifier.rawValue)),
            ("call", .string(orNull: draft.call?.rawValue)),
            ("outcome", .string(orNull: draft.outcome?.rawValue)),
            ("billable_class", .string(draft.billableClass.rawValue)),
            ("quantity", .integer(draft.quantity)),
            ("provider_reference", .string(orNull: draft.providerReference)),
            ("provider_time", time(draft.providerTime)),
        ])
    }
}
