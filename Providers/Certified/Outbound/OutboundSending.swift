public import HTTPClient

/// What the verifier needs of an HTTP client.
public protocol OutboundSending: Sendable {
    /// Sends one request and gives its answer whatever its status.
    func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer
}

extension HTTPClient: OutboundSending {}
