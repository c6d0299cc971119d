import HTTPClient
import Testing
import VerificationCore

/// A client, an authority, and requests to servers of that authority.
struct Scene {
    static let authority = TestAuthority()
    static let identity = authority.issue()
    /// For whoever is not about deadlines: no machine is so slow.
    static let patient = OutboundLimits(connectTimeout: .seconds(30), totalTimeout: .seconds(60))

    let client: HTTPClient

    init(concurrent: Int = 64, queued: Int = 256) throws {
        client = try HTTPClient(maximumConcurrent: concurrent, maximumQueued: queued)
    }

    /// A server with a certificate of the authority's.
    static func server(
        http2: Bool = false, _ handler: @escaping @Sendable (Peer) -> Void
    ) -> TestServer {
        var tls = TestServer.TLS(identity)
        if http2 { tls.protocols = ["h2", "http/1.1"] }
        return TestServer(tls: tls, handler)
    }

    /// A server that answers every request the same way.
    static func server(answering body: String) -> TestServer {
        server { peer in while peer.readRequest() != nil { peer.answer("200 OK", [], body) } }
    }

    static func request(
        _ url: String, _ connection: ConnectionPolicy = .reuse, body: String? = nil, headers: [OutboundField] = [],
        limits: OutboundLimits = Scene.patient,
        pool: String = "a", authority: TestAuthority? = Scene.authority
    ) -> OutboundRequest {
        OutboundRequest(
            method: body == nil ? "GET" : "POST", url: url, headers: headers,
            body: body.map { Sensitive(Array($0.utf8)) }, connection: connection, limits: limits,
            tls: TLSSettings(certificateAuthorityFile: authority?.file), pool: pool)
    }

    /// The failure of a request that must fail.
    func failure(_ request: OutboundRequest) async -> OutboundFailure? {
        do {
            let answer = try await client.send(request)
            Issue.record("answered \(answer.status)")
            return nil
        } catch {
            return error
        }
    }
}

extension OutboundAnswer {
    /// The body as text.
    var text: String { body.withValue { String(decoding: $0, as: UTF8.self) } }
}
