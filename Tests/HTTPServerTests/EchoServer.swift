import HTTPServer
import RawHTTP
import Synchronization
import TestSupport

/// A server that answers with what it was asked, and counts what reached its handler.
final class EchoServer: Sendable {
    let server: HTTPServer
    private let counter: Counter

    final class Counter: Sendable {
        let requests = Mutex<[HTTPRequest]>([])
    }

    /// Where requests wait until the test lets them go on.
    final class Gate: Sendable {
        private let isOpen = Mutex(false)

        func open() { isOpen.withLock { $0 = true } }

        /// Waits until it is open, or whoever waits is cancelled.
        func pass() async {
            while !Task.isCancelled && !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
        }
    }

    /// A server whose requests but those for `/idle` wait at a gate, where there is one.
    init(
        _ configure: (inout HTTPLimits) -> Void = { _ in }, delay: Duration = .zero, gate: Gate? = nil
    ) throws {
        var limits = HTTPLimits()
        configure(&limits)
        let counter = Counter()
        self.counter = counter
        server = try HTTPServer(
            port: 0, limits: limits, refusal: Self.problem,
            handler: { request in
                counter.requests.withLock { $0.append(request) }
                if delay > .zero { try? await Task.sleep(for: delay) }
                if request.path != "/idle" { await gate?.pass() }
                return Self.answer(request)
            })
    }

    /// Everything that reached the handler.
    var requests: [HTTPRequest] { counter.requests.withLock { $0 } }

    /// Waits until so many requests have reached the handler.
    func arrived(_ count: Int) async throws -> Bool { try await eventually { requests.count >= count } }

    func connect() throws -> RawConnection { try RawConnection(port: server.port) }

    /// Sends bytes on a new connection and reads one answer.
    func exchange(_ text: String) async throws -> (answer: RawAnswer?, isClosed: Bool) {
        let connection = try connect()
        await connection.send(text)
        var reader = RawReader(connection)
        let answer = await reader.next()
        // One that says it closes may take its time; of any other it is enough that it does not close soon.
        let isClosing = answer?["connection"] == "close"
        return (answer, await reader.isClosed(within: isClosing ? .seconds(20) : .milliseconds(500)))
    }

    @Sendable private static func answer(_ request: HTTPRequest) -> HTTPResponse {
        switch request.segments.first {
        case "large": HTTPResponse(status: 200, body: Array(repeating: 0x61, count: 3 << 20))
        case "splitting": HTTPResponse(status: 200, headers: [("X-Bad", "a\r\nSet-Cookie: b")])
        case "closing": HTTPResponse(status: 200, headers: [("Connection", "close")])
        case "silent": HTTPResponse(status: 204)
        default:
            HTTPResponse(
                status: request.method == "POST" ? 201 : 200, headers: [("Content-Type", "text/plain")],
                body: Array("\(request.method) \(request.path) ".utf8) + request.body)
        }
    }

    @Sendable private static func problem(_ refusal: HTTPRefusal) -> HTTPResponse {
        let kind = if case .badRequest(let kind) = refusal { kind.rawValue } else { "\(refusal)" }
        return HTTPResponse(
            status: refusal.status, headers: [("Content-Type", "application/problem+json")],
            body: Array("{\"code\":\"\(kind)\"}".utf8))
    }
}
