import HTTPServer
import JSONTree
import VerificationCore

/// `GET /v1/outbox`: how many messages wait, and those that were given up.
struct ReadOutbox: Sendable {
    /// Messages in one answer, unless it is asked for fewer or more.
    static let usualLimit = 100
    /// The most messages in one answer.
    static let maximumLimit = 500

    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        _ = try request.client(.operator)
        var query = QueryReader(request.http.query)
        let limit = try query.number("limit", in: 1...Self.maximumLimit) ?? Self.usualLimit
        try query.rejectUnknown(known: "limit")
        let counts = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.outboxCounts()
        }
        let dead = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.deadMessages(limit: limit)
        }
        return Answer(
            .json(
                200,
                .object([
                    ("waiting", .integer(counts.waiting)), ("dead", .integer(counts.dead)),
                    ("messages", .array(dead.map(message))),
                ])))
    }

    /// A message to the operators is about no session, and of one client or verifier only where its budget is.
    private static func name(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }

    private func message(_ message: OutboxMessage) -> JSONValue {
        .object([
            ("id", .string(message.id)),
            ("kind", .string(message.kind.rawValue)),
            ("session", Self.name(message.session.rawValue)),
            ("client", Self.name(message.client.rawValue)),
            ("verifier", Self.name(message.verifier.rawValue)),
            ("created_at", SessionRendering.time(message.createdAt)),
            ("tries", .integer(message.tries)),
            ("last_error", .string(orNull: message.lastError)),
            ("dead_at", OperatorRendering.time(message.deadAt)),
        ])
    }
}
