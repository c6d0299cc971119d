public import VerificationCore

// The words of the HTTP client's room, until it has landed: then this file goes, and `import HTTPClient` takes its place.

public struct OutboundRequest: Sendable {
    public var method: String
    public var url: String
    public var headers: [(name: String, value: Sensitive<String>)]
    public var body: Sensitive<[UInt8]>?
    public var connection: ConnectionPolicy
    public var limits: OutboundLimits
    public var tls: TLSSettings
}

public enum ConnectionPolicy: Sendable, Hashable {
    case reuse, fresh
}

public struct OutboundLimits: Sendable, Hashable {
    public var connectTimeout: Duration
    public var totalTimeout: Duration
    public var answerBytes: Int
    public var headerBytes: Int
}

public struct TLSSettings: Sendable, Hashable {
    public var certificateAuthorityFile: String?
}

public struct OutboundAnswer: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
}

public struct OutboundFailure: Error, Sendable {
    public var code: OutboundFailureCode
    public var wasSent: Bool
}

public enum OutboundFailureCode: String, Sendable, CaseIterable, Hashable {
    case connectFailed, dnsFailed, tlsFailed, timedOutBeforeSending, timedOut, connectionLost, answerTooLarge, badAnswer
    case cancelled, closed, tooManyRequests
}
