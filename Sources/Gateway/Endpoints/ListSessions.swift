import HTTPServer
import JSONTree
import VerificationCore

/// `GET /v1/sessions`: sessions as operators see them, newest first, with nothing about a person.
struct ListSessions: Sendable {
    /// Sessions in one answer, unless it is asked for fewer or more.
    static let usualLimit = 50
    /// The most sessions in one answer.
    static let maximumLimit = 200
    private static let known =
        "status, verifier, client, purpose, reason, created_from, created_before, reference, cursor, limit"

    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        let client = try request.client(.operator)
        var query = QueryReader(request.http.query)
        let filter = try filter(&query)
        let limit = try query.number("limit", in: 1...Self.maximumLimit) ?? Self.usualLimit
        var cursor: SessionCursor?
        if let text = try query.value("cursor") {
            cursor = SessionCursor(text: text)
            guard cursor != nil else { throw Problem(.requestInvalid, "cursor must be the next of another answer") }
        }
        try query.rejectUnknown(known: Self.known)
        try await sessions.audit(.sessionsSearched, by: client, subject: request.http.query.names)
        let place = cursor
        let found = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.sessions(filter, olderThan: place, limit: limit + 1)
        }
        let shown = found.prefix(limit)
        let next = found.count > limit ? shown.last.map { SessionCursor(createdAt: $0.createdAt, id: $0.id) } : nil
        return Answer(
            .json(
                200,
                .object([
                    ("sessions", .array(shown.map { .object(OperatorRendering.session($0)) })),
                    ("next", .string(orNull: next?.text)),
                ])))
    }

    private func filter(_ query: inout QueryReader) throws(Problem) -> SessionFilter {
        var filter = SessionFilter()
        for text in query.values("status") {
            guard let status = SessionStatus(rawValue: text) else {
                throw Problem(
                    .requestInvalid,
                    "status must be one of " + SessionStatus.allCases.map(\.rawValue).joined(separator: ", "))
            }
            filter.statuses.insert(status)
        }
        filter.verifier = try query.value("verifier").map { VerifierID($0) }
        filter.client = try query.value("client").map { ClientID($0) }
        filter.purpose = try query.value("purpose").map { PurposeID($0) }
        filter.reason = try query.enumeration("reason", as: Reason.self)
        filter.createdFrom = try query.time("created_from")
        filter.createdBefore = try query.time("created_before")
        if let reference = try query.value("reference") {
            guard reference.unicodeScalars.count <= CreateSession.maximumReferenceLength else {
                throw Problem(.requestInvalid, "reference is longer than any reference")
            }
            filter.referenceIndexes = sessions.referenceIndexes(reference, of: filter.client)
        }
        return filter
    }
}

extension SessionCursor {
    /// A text that nobody has to understand.
    var text: String { ByteText.base64URL(Array("\(createdAt.milliseconds) \(id)".utf8)) }

    /// Reads ``text``; `nil` for anything else.
    init?(text: String) {
        guard let bytes = ByteText.bytes(base64: text) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]) else { return nil }
        self.init(createdAt: Timestamp(milliseconds: milliseconds), id: SessionID(String(parts[1])))
    }
}

extension SessionService {
    /// The digests under which a reference may have been kept: by each sealing key, for one client or for every app.
    func referenceIndexes(_ reference: String, of client: ClientID?) -> [[UInt8]] {
        let running = current
        let clients = client.map { [$0] } ?? running.settings.clients.filter { $0.role == .app }.map(\.id)
        return running.keys.all.flatMap { key in
            clients.map { key.digest(of: Array("\($0)\u{0}\(reference)".utf8), label: "reference") }
        }
    }
}
