import HTTPServer
import VerificationCore

/// One request on its way through the gateway, with what its line in the log will say.
struct GatewayRequest: Sendable {
    let http: HTTPRequest
    let id: String
    let client: Client?

    /// The caller, if its role is `role`.
    func client(_ role: Client.Role) throws(Problem) -> Client {
        guard let client else { throw Problem(.unauthorized) }
        guard client.role == role else { throw Problem(.forbidden) }
        return client
    }

    /// The caller, if its role is one of `roles`.
    func client(_ roles: Set<Client.Role>) throws(Problem) -> Client {
        guard let client else { throw Problem(.unauthorized) }
        guard roles.contains(client.role) else { throw Problem(.forbidden) }
        return client
    }
}

/// An endpoint's answer, with what the log may say about it.
struct Answer: Sendable {
    var response: HTTPResponse
    var session: SessionID?
    var verifier: VerifierID?
    /// Who asked, where that is known by something else than the key of the request.
    var client: ClientID?

    init(_ response: HTTPResponse, session: SessionRecord? = nil) {
        self.response = response
        self.session = session?.id
        self.verifier = session?.verifier
    }
}
