import Glibc
import HTTPClient
import TestSupport
import Testing
import VerificationCore

struct LifetimeTests {
    @Test(arguments: ["body", "head"])
    func `an answer that drips ends at the total deadline`(_ part: String) async throws {
        let server = Scene.server { peer in
            guard peer.readRequest() != nil else { return }
            peer.write(part == "body" ? "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" : "HTTP/1.1 200 OK\r\nX: ")
            while peer.write("a") { usleep(50_000) }
        }
        defer { server.stop() }
        let limits = OutboundLimits(connectTimeout: .seconds(3), totalTimeout: .seconds(3))
        let start = ContinuousClock.now
        let failure = try await Scene().failure(Scene.request(server.url(), limits: limits))
        #expect(failure == OutboundFailure(.timedOut, wasSent: true))
        // It would drip for as long as somebody listens.
        #expect((.milliseconds(2950) ... .seconds(30)).contains(ContinuousClock.now - start))
    }

    @Test func `the deadline runs while a request waits for its turn, and then nothing was sent`() async throws {
        let goesOn = Flag()
        let server = Scene.server { peer in
            while peer.readRequest() != nil {
                goesOn.hold()
                peer.answer()
            }
        }
        defer { server.stop() }
        let scene = try Scene(concurrent: 1)
        async let first = scene.client.send(Scene.request(server.url("/first")))
        #expect(try await eventually { !server.requests.isEmpty })
        let limits = OutboundLimits(connectTimeout: .seconds(5), totalTimeout: .milliseconds(400))
        let failure = await scene.failure(Scene.request(server.url("/second"), limits: limits))
        #expect(failure == OutboundFailure(.timedOutBeforeSending, wasSent: false))
        goesOn.set()
        #expect(try await first.status == 200)
        #expect(server.requests.map(\.line) == ["GET /first HTTP/1.1"])
    }

    @Test func `more than may wait are refused at once`() async throws {
        let goesOn = Flag()
        let server = Scene.server { peer in
            while peer.readRequest() != nil {
                goesOn.hold()
                peer.answer()
            }
        }
        defer { server.stop() }
        let scene = try Scene(concurrent: 2, queued: 3)
        let outcomes = await withTaskGroup(of: OutboundFailure?.self) { group in
            for _ in 0..<20 { group.addTask { await scene.failureOrNil(Scene.request(server.url())) } }
            // Nobody is answered before all the others were refused.
            var outcomes: [OutboundFailure?] = []
            for await outcome in group {
                outcomes.append(outcome)
                if outcomes.count == 15 { goesOn.set() }
            }
            return outcomes
        }
        #expect(outcomes.prefix(15).allSatisfy { $0 == OutboundFailure(.tooManyRequests, wasSent: false) })
        #expect(outcomes.count { $0 == nil } == 5)
        #expect(outcomes.count { $0 == OutboundFailure(.tooManyRequests, wasSent: false) } == 15)
        // Places are given back.
        #expect(await scene.failureOrNil(Scene.request(server.url())) == nil)
    }

    @Test func `cancelling ends a request that may be repeated, and one that waits`() async throws {
        let server = Scene.server { peer in
            _ = peer.readRequest()
            _ = peer.receive()
        }
        defer { server.stop() }
        let scene = try Scene(concurrent: 1)
        let out = Task { await scene.failureOrNil(Scene.request(server.url("/out"))) }
        #expect(try await eventually { !server.requests.isEmpty })
        let waiting = Task { await scene.failureOrNil(Scene.request(server.url("/waiting"))) }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        waiting.cancel()
        #expect(await waiting.value == OutboundFailure(.cancelled, wasSent: false))
        out.cancel()
        #expect(await out.value == OutboundFailure(.cancelled, wasSent: true))
        #expect(ContinuousClock.now - start < .seconds(30), "a deadline ended them")
        // A task that is cancelled already sends nothing.
        let never = Task {
            while !Task.isCancelled { await Task.yield() }
            return await scene.failureOrNil(Scene.request(server.url("/never")))
        }
        never.cancel()
        #expect(await never.value == OutboundFailure(.cancelled, wasSent: false))
        #expect(server.requests.map(\.line) == ["GET /out HTTP/1.1"])
    }

    @Test func `cancelling does not throw away the answer of a request that may have billed`() async throws {
        let goesOn = Flag()
        let server = Scene.server { peer in
            while peer.readRequest() != nil {
                goesOn.hold()
                peer.answer("200 OK", [], "charged")
            }
        }
        defer { server.stop() }
        let scene = try Scene()
        let task = Task { try await scene.client.send(Scene.request(server.url(), .fresh, body: "charge")).text }
        #expect(try await eventually { !server.requests.isEmpty })
        task.cancel()
        // Time for what must not happen.
        try await Task.sleep(for: .milliseconds(100))
        goesOn.set()
        #expect(try await task.value == "charged")
        #expect(server.requests.count == 1)
    }

    @Test func `shutting down ends what is out and what waits, and takes nothing new`() async throws {
        let server = Scene.server { peer in
            _ = peer.readRequest()
            _ = peer.receive()
        }
        defer { server.stop() }
        let scene = try Scene(concurrent: 5)
        let tasks = (0..<8).map { _ in Task { await scene.failureOrNil(Scene.request(server.url(), .fresh)) } }
        #expect(try await eventually { server.requests.count == 5 })
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        scene.client.shutdown()
        scene.client.shutdown()
        var outcomes: [OutboundFailure?] = []
        for task in tasks { outcomes.append(await task.value) }
        #expect(ContinuousClock.now - start < .seconds(30), "a deadline ended them")
        #expect(outcomes.count { $0 == OutboundFailure(.closed, wasSent: true) } == 5)
        #expect(outcomes.count { $0 == OutboundFailure(.closed, wasSent: false) } == 3)
        #expect(await scene.failure(Scene.request(server.url())) == OutboundFailure(.closed, wasSent: false))
        #expect(server.requests.count == 5)
    }

    @Test func `a client nobody holds any more ends its thread and closes its connections`() async throws {
        let ended = Flag()
        let server = Scene.server { peer in
            while peer.readRequest() != nil { peer.answer() }
            ended.set()
        }
        defer { server.stop() }
        _ = try await Scene().client.send(Scene.request(server.url()))
        let hasEnded = try await eventually { ended.isSet }
        #expect(hasEnded)
    }

    @Test(arguments: [false, true])
    func `a thousand requests at once each get their own answer`(_ http2: Bool) async throws {
        let server = Scene.server(http2: http2) { peer in
            if http2 {
                guard let http2 = HTTP2(peer) else { return }
                while let stream = http2.nextRequest() { http2.answer(stream, "ok") }
            } else {
                while let request = peer.readRequest() { peer.answer("200 OK", [], request.body) }
            }
        }
        defer { server.stop() }
        let scene = try Scene(concurrent: 100, queued: 1000)
        let right = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<1000 {
                group.addTask {
                    let answer = try? await scene.client.send(Scene.request(server.url(), body: "body \(index)"))
                    return answer?.text == (http2 ? "ok" : "body \(index)")
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(right == 1000)
        #expect(server.connections <= (http2 ? 1 : 100))
    }

    @Test func `a name that does not resolve holds nobody else up`() async throws {
        let server = Scene.server(answering: "x")
        defer { server.stop() }
        let scene = try Scene()
        let limits = OutboundLimits(connectTimeout: .milliseconds(1), totalTimeout: .milliseconds(1))
        let start = ContinuousClock.now
        for index in 0..<20 {
            let failure = await scene.failure(Scene.request("https://nobody-\(index).invalid/", limits: limits))
            #expect(failure?.wasSent == false)
            #expect(try await scene.client.send(Scene.request(server.url())).text == "x")
        }
        // One look-up that everybody waits for takes seconds.
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
