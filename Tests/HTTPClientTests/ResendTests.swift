import Glibc
import HTTPClient
import Synchronization
import Testing

/// What libcurl repeats by itself, and what it must not.
struct ResendTests {
    /// A server that takes the second request on a connection, counts it, and resets before it answers.
    private func resettingServer() -> TestServer {
        Scene.server { peer in
            guard peer.readRequest() != nil else { return }
            peer.answer("200 OK", [], "first")
            guard peer.readRequest() != nil else { return }
            peer.reset()
        }
    }

    @Test func `P01 where a repeat could bill, a request is received once, though the server resets after taking it`()
        async throws
    {
        let server = Scene.server { peer in
            // The connection that is kept serves whatever comes; every other resets after it has taken one request.
            if peer.order == 1 {
                while peer.readRequest() != nil { peer.answer() }
            } else if peer.readRequest() != nil {
                peer.reset()
            }
        }
        defer { server.stop() }
        let scene = try Scene()
        _ = try await scene.client.send(Scene.request(server.url()))
        let failure = await scene.failure(Scene.request(server.url(), .fresh, body: "charge"))
        #expect(failure == OutboundFailure(.connectionLost, wasSent: true))
        #expect(failure?.sends == 1)
        try await Task.sleep(for: .milliseconds(300))
        #expect(server.requests.filter { $0.line.hasPrefix("POST") }.count == 1)
        #expect(server.connections == 2)
    }

    @Test func `P01 a request that may be repeated is repeated with the same idempotency key and body`() async throws {
        let server = resettingServer()
        defer { server.stop() }
        let scene = try Scene()
        _ = try await scene.client.send(Scene.request(server.url()))
        let answer = try await scene.client.send(
            Scene.request(server.url(), body: "charge", headers: [OutboundField("Idempotency-Key", "attempt-1")]))
        #expect(answer.text == "first")
        #expect(answer.sends == 2)
        let posts = server.requests.filter { $0.line.hasPrefix("POST") }
        #expect(posts.count == 2)
        #expect(posts.map { $0["idempotency-key"] } == ["attempt-1", "attempt-1"])
        #expect(posts.map(\.body) == [Array("charge".utf8), Array("charge".utf8)])
    }

    @Test func `P01 a first connection that dies is not tried again, whatever the policy`() async throws {
        for policy in [ConnectionPolicy.reuse, .fresh] {
            let server = Scene.server { peer in if peer.readRequest() != nil { peer.reset() } }
            defer { server.stop() }
            let failure = try await Scene().failure(Scene.request(server.url(), policy, body: "charge"))
            #expect(failure == OutboundFailure(.connectionLost, wasSent: true))
            #expect(server.requests.count == 1)
        }
    }

    @Test func `P01 a request is sent three times at most, though every kept connection is dead`() async throws {
        // Four connections are opened at once and kept; each dies when it is used again.
        let server = Scene.server { peer in
            guard peer.readRequest() != nil else { return }
            usleep(200_000)
            peer.answer()
            if peer.readRequest() != nil { peer.reset() }
        }
        defer { server.stop() }
        let scene = try Scene()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try await scene.client.send(Scene.request(server.url())) } }
            try await group.waitForAll()
        }
        let kept = server.connections
        let failure = await scene.failureOrNil(Scene.request(server.url(), body: "x"))
        let posts = server.requests.filter { $0.line.hasPrefix("POST") }.count
        #expect(posts <= 3)
        if kept >= 3 { #expect(failure == OutboundFailure(.connectionLost, wasSent: true)) }
    }
}

/// HTTP/2 servers that refuse.
struct HTTP2RefusalTests {
    enum Misbehaviour: String, CaseIterable, Sendable {
        case refusedStream, goAwayBefore, goAwayAfter, http11Required, closesAtOnce, enhanceYourCalm
    }

    @Test(arguments: Misbehaviour.allCases)
    func `P02 a server that refuses every stream is asked a bounded number of times, in a bounded time`(
        _ misbehaviour: Misbehaviour
    ) async throws {
        let streams = Mutex(0)
        let server = Scene.server(http2: true) { peer in
            guard peer.applicationProtocol == "h2" else {
                while peer.readRequest() != nil { peer.answer("200 OK", [], "one") }
                return
            }
            guard let http2 = HTTP2(peer) else { return }
            while let stream = http2.nextRequest() {
                streams.withLock { $0 += 1 }
                switch misbehaviour {
                case .refusedStream: http2.reset(stream, 0x7)
                case .goAwayBefore: http2.goAway(last: 0)
                case .goAwayAfter:
                    http2.goAway(last: stream)
                    return
                case .http11Required: http2.reset(stream, 0xD)
                case .closesAtOnce: return
                case .enhanceYourCalm: http2.goAway(last: 0, 0xB)
                }
            }
        }
        defer { server.stop() }
        let scene = try Scene()
        let limits = OutboundLimits(connectTimeout: .seconds(10), totalTimeout: .seconds(20))
        let start = ContinuousClock.now
        let outcome = await scene.failureOrNil(Scene.request(server.url(), body: "x", limits: limits))
        #expect(ContinuousClock.now - start < .seconds(30))
        let asked = streams.withLock { $0 } + server.requests.count
        #expect((1...3).contains(asked), "asked \(asked) times")
        if misbehaviour == .http11Required {
            #expect(outcome == nil, "the server asked for HTTP/1.1 and got it")
        } else {
            #expect(outcome?.wasSent == true)
            #expect(server.requests.isEmpty)
        }
        // Where a repeat could bill, HTTP/2 is not even offered.
        let before = (streams.withLock { $0 }, server.requests.count)
        let answer = try await scene.client.send(Scene.request(server.url(), .fresh, body: "x"))
        #expect(answer.text == "one")
        #expect(streams.withLock { $0 } == before.0)
        #expect(server.requests.count == before.1 + 1)
    }
}

extension Scene {
    /// The failure of a request, or nothing where it was answered.
    func failureOrNil(_ request: OutboundRequest) async -> OutboundFailure? {
        do {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }
}
