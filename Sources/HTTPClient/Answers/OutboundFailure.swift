/// Why there is no answer.
public struct OutboundFailure: Error, Sendable, Equatable {
    /// The closed set of what can go wrong.
    public enum Code: String, Sendable, CaseIterable, Hashable {
        /// The request is not one this client sends: its address, a field or the method. A fault of ours.
        case requestRefused = "request_refused"
        /// The name has no address.
        case dnsFailed = "dns_failed"
        /// Nobody took the connection.
        case connectFailed = "connect_failed"
        /// No TLS, or not with whom we meant: certificate, name, authority, version.
        case tlsFailed = "tls_failed"
        /// A deadline passed while waiting for a turn, for the name or for the connection.
        case timedOutBeforeSending = "timed_out_before_sending"
        /// The deadline passed after the request had left.
        case timedOut = "timed_out"
        /// The connection ended before the answer did.
        case connectionLost = "connection_lost"
        /// The answer's body or head is larger than the limit.
        case answerTooLarge = "answer_too_large"
        /// What came is not an HTTP answer.
        case badAnswer = "bad_answer"
        /// The task that asked was cancelled.
        case cancelled
        /// The client was shut down.
        case closed
        /// Too many requests wait already.
        case tooManyRequests = "too_many_requests"
        /// The system gave no memory, descriptor or thread.
        case noResources = "no_resources"
    }

    /// What went wrong. Two failures are equal when their codes and `wasSent` are.
    public let code: Code
    /// Whether a byte of the request may have reached the other side. `false` is certain; `true` means nobody knows.
    public let wasSent: Bool
    /// How often the request was handed to a connection.
    public let sends: Int
    /// Where it was noticed.
    public let site: String

    /// A failure noticed here.
    public init(_ code: Code, wasSent: Bool, sends: Int = 0, file: StaticString = #fileID, line: Int = #line) {
        self.code = code
        self.wasSent = wasSent
        self.sends = sends
        self.site = "\(file):\(line)"
    }

    /// Compares the codes, and whether the request may have left.
    public static func == (left: OutboundFailure, right: OutboundFailure) -> Bool {
        left.code == right.code && left.wasSent == right.wasSent
    }
}
