import HTTPClient
import VerificationCore

/// What reaching a provider takes, as the configuration gives it.
struct ProviderAccess: Sendable {
    var endpoint: Endpoint
    /// The secrets that the manifest declares.
    var credentials: [CredentialName: Sensitive<[UInt8]>]
    /// The values of the manifest's variables, its standards filled in.
    var variables: [String: VariableValue]
    var tls: TLSSettings
    /// The connections that its requests may share; the verifier's name, so that providers never share any.
    var pool: String
    /// Where its requests may go in plain text.
    var plaintext: PlaintextPolicy = .refused
    var proxy: String?
    var client: any OutboundSending

    /// A request to the provider by way of all this.
    func request(
        _ method: HTTPMethod, url: String, headers: [DraftRequest.Header], body: Sensitive<[UInt8]>?,
        connection: ConnectionPolicy, limits: OutboundLimits
    ) -> OutboundRequest {
        OutboundRequest(
            method: method.rawValue, url: url, headers: headers.map { OutboundField($0.name, $0.value) }, body: body,
            connection: connection, limits: limits, tls: tls, pool: pool, plaintext: plaintext, proxy: proxy)
    }
}

/// A secret of the configuration that cannot be used as the manifest says.
struct CredentialProblem: Error, Sendable, Hashable {
    var credential: CredentialName
    /// What is wrong, in words that hold nothing of it.
    var problem: String
}

/// Authenticates what a provider sends.
protocol NotificationReceiver: Sendable {
    /// The notice of an authentic notification.
    func receive(_ notification: Notification, at now: Timestamp) throws(NotificationError) -> Notice
}
