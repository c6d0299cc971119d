import JSONTree
import VerificationCore

/// What a client is told when its session has ended: which one, how and why. Never a claim, and never the app's own
/// reference, which may lead to a person: whoever wants more reads the session with a key.
enum SessionEndedMessage {
    /// The type, as Standard Webhooks names events.
    static let type = "session.ended"

    /// The body; the same bytes each time it is made of the same session, because an ended session never changes.
    static func body(_ record: SessionRecord) -> [UInt8] {
        JSONValue.object([
            ("type", .string(type)),
            ("timestamp", SessionRendering.time(record.endedAt ?? record.createdAt)),
            (
                "data",
                .object([
                    ("session_id", .string(record.id.rawValue)),
                    ("status", .string(record.status.rawValue)),
                    ("reasons", .array(record.report?.reasons.map { .string($0.rawValue) } ?? [])),
                    ("failure", .string(orNull: record.failure?.rawValue)),
                    ("verifier", .string((record.answeredBy ?? record.verifier).rawValue)),
                    ("simulated", .boolean(record.isSimulated)),
                ])
            ),
        ]).encoded()
    }
}
