import HTTPServer
import JSONTree
import VerificationCore

/// `GET /v1/audit`: the audit chain, newest first.
struct ReadAudit: Sendable {
    /// Events in one answer, unless it is asked for fewer or more.
    static let usualLimit = 100
    /// The most events in one answer.
    static let maximumLimit = 1000

    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        let client = try request.client(.auditor)
        var query = QueryReader(request.http.query)
        var filter = AuditFilter()
        for text in query.values("action") {
            guard let action = AuditDraft.Action(rawValue: text) else {
                throw Problem(.requestInvalid, "action must be one that docs/compliance.md names")
            }
            filter.actions.insert(action)
        }
        filter.actor = try query.value("actor")
        filter.session = try query.value("session").map { SessionID($0) }
        filter.from = try query.time("from")
        filter.before = try query.time("before")
        let limit = try query.number("limit", in: 1...Self.maximumLimit) ?? Self.usualLimit
        let cursor = try query.number("cursor", in: 1...Int.max).map { Int64($0) }
        try query.rejectUnknown(known: "action, actor, session, from, before, cursor, limit")
        try await sessions.audit(.auditRead, by: client, subject: request.http.query.names)
        let wanted = filter
        let found = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.audit(wanted, before: cursor, limit: limit + 1)
        }
        let shown = found.prefix(limit)
        return Answer(
            .json(
                200,
                .object([
                    ("events", .array(shown.map(AuditRendering.event))),
                    ("next", found.count > limit ? .string(orNull: shown.last.map { "\($0.sequence)" }) : .null),
                ])))
    }
}

/// Audit events as JSON.
enum AuditRendering {
    static func event(_ event: AuditEvent) -> JSONValue {
        let draft = event.draft
        return .object([
            ("sequence", .integer(event.sequence)),
            ("action", .string(draft.action.rawValue)),
            ("actor", .string(draft.actor)),
            ("at", SessionRendering.time(draft.at)),
            ("session", .string(orNull: draft.session?.rawValue)),
            ("client", .string(orNull: draft.client?.rawValue)),
            ("subject", .string(orNull: draft.subject)),
            ("outcome", .string(orNull: draft.outcome)),
            ("reason", .string(orNull: draft.reason)),
            ("configuration_version", .string(draft.configurationVersion)),
            ("count", draft.count.map { .integer($0) } ?? .null),
            ("hash", .string(ByteText.hex(event.hash))),
        ])
    }

    /// Where a fact stands in the chain.
    static func place(_ event: AuditEvent?) -> JSONValue {
        guard let event else { return .null }
        return .object([("sequence", .integer(event.sequence)), ("hash", .string(ByteText.hex(event.hash)))])
    }
}

extension [(String, String)] {
    /// The names in a query, once each, in order: what the audit chain may know of a search. `nil` for none.
    var names: String? {
        // Names that endpoints read; a query with another is refused before it gets here.
        let names = Set(map { $0.0 }).sorted()
        return names.isEmpty ? nil : names.joined(separator: ",")
    }
}
