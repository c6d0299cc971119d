import JSONTree
import Synchronization
public import VerificationCore

/// Structured log lines: a static message and an allow-list of keys. There is no way to write a free text.
public struct Log: Sendable {
    /// What a line may say.
    public enum Key: String, Sendable, CaseIterable {
        case requestID = "request_id"
        case route, status, code, client, verifier, session, count, key
        case duration = "duration_ms"
        case alarm, subject
        case daysLeft = "days_left"
        case incident, address, port, version
        case configuration = "configuration_version"
        case site, path, line, problem, reason, state, kind
        case previous = "previous_version"
        case message = "message_id"
        case step, place
        case answerStatus = "answer_status"
    }

    /// A value of a line.
    public enum Value: Sendable, Hashable {
        case text(String)
        case number(Int64)
    }

    /// How grave a line is.
    public enum Level: String, Sendable, CaseIterable, Comparable {
        case debug, info, warning, error

        /// Orders by gravity.
        public static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }

    /// The gravity below which nothing is written; every copy of a log has the same.
    private final class Threshold: Sendable {
        private let kept: Mutex<Level>

        init(_ level: Level) { kept = Mutex(level) }

        var level: Level { kept.withLock { $0 } }

        func set(_ level: Level) { kept.withLock { $0 = level } }
    }

    private let threshold: Threshold
    private let write: @Sendable (String) -> Void

    /// A log that hands each line, without its end, to `write`.
    public init(minimum: Level = .info, write: @escaping @Sendable (String) -> Void) {
        self.threshold = Threshold(minimum)
        self.write = write
    }

    /// From now on, lines that are less grave than this are not written.
    public func setMinimum(_ level: Level) { threshold.set(level) }

    /// Writes a line, if it is grave enough.
    public func callAsFunction(
        _ level: Level, _ message: StaticString, at time: Timestamp, _ details: [(Key, Value)] = []
    ) {
        guard level >= threshold.level else { return }
        var members: [(String, JSONValue)] = [
            ("time", .string(RFC3339.text(time))), ("level", .string(level.rawValue)),
            ("message", .string(message.description)),
        ]
        for (key, value) in details {
            switch value {
            case .text(let text): members.append((key.rawValue, .string(text)))
            case .number(let number): members.append((key.rawValue, .integer(number)))
            }
        }
        write(String(decoding: JSONValue.object(members).encoded(), as: UTF8.self))
    }
}
