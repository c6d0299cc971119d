import HTTPClient
import Testing
import VerificationCore

struct SendTests {
    @Test func `a request arrives as it was given, and nothing is added that the caller did not ask for`() async throws
    {
        let server = Scene.server(answering: "hello")
        defer { server.stop() }
        let scene = try Scene()
        let answer = try await scene.client.send(
            Scene.request(
                server.url("/a/b?c=%2F"), body: "{}",
                headers: [OutboundField("Authorization", "Bearer t"), OutboundField("X-Empty", "")]))
        #expect(answer.status == 200)
        #expect(answer.text == "hello")
        #expect(answer.sends == 1)
        #expect(answer.headers["CONTENT-length"] == "5")
        let request = try #require(server.requests.first)
        #expect(request.line == "POST /a/b?c=%2F HTTP/1.1")
        #expect(request.body == Array("{}".utf8))
        #expect(
            request.fields == [
                "Host: localhost:\(server.port)", "User-Agent: sekisho", "Accept: */*", "Accept-Encoding: gzip",
                "Authorization: Bearer t", "X-Empty:", "Content-Length: 2",
            ])
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ("GET", nil, nil), ("HEAD", nil, nil), ("DELETE", nil, nil), ("POST", nil, "0"), ("PUT", nil, "0"),
        ("PUT", "x", "1"), ("PATCH", "xy", "2"), ("DELETE", "xyz", "3"),
    ])
    func `each method says its own name and length`(_ method: String, _ body: String?, _ length: String?) async throws {
        let server = Scene.server { peer in
            while let request = peer.readRequest() {
                if request.line.hasPrefix("HEAD") {
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
                } else {
                    peer.answer("200 OK", [], "done")
                }
            }
        }
        defer { server.stop() }
        let scene = try Scene()
        for policy in [ConnectionPolicy.reuse, .fresh] {
            var request = Scene.request(server.url(), policy)
            request.method = method
            request.body = body.map { Sensitive(Array($0.utf8)) }
            let answer = try await scene.client.send(request)
            #expect(answer.text == (method == "HEAD" ? "" : "done"))
        }
        #expect(server.requests.map(\.line) == ["\(method) / HTTP/1.1", "\(method) / HTTP/1.1"])
        #expect(server.requests.map { $0["content-length"] } == [length, length])
        #expect(server.requests.allSatisfy { $0.body == Array((body ?? "").utf8) })
        #expect(server.requests.allSatisfy { $0["expect"] == nil && $0["content-type"] == nil })
    }

    @Test func `a kept connection is used again, a fresh one never`() async throws {
        let server = Scene.server(answering: "x")
        defer { server.stop() }
        let scene = try Scene()
        for _ in 0..<10 { _ = try await scene.client.send(Scene.request(server.url())) }
        #expect(server.handshakes == 1)
        for _ in 0..<10 { _ = try await scene.client.send(Scene.request(server.url(), .fresh)) }
        #expect(server.handshakes == 11)
        _ = try await scene.client.send(Scene.request(server.url()))
        #expect(server.handshakes == 11)
        #expect(server.requests.count == 21)
    }

    @Test func `keeping connections saves all handshakes but one`() async throws {
        let server = Scene.server(answering: "x")
        defer { server.stop() }
        let scene = try Scene()
        var rates: [ConnectionPolicy: Double] = [:]
        var handshakes: [ConnectionPolicy: Int] = [:]
        for policy in [ConnectionPolicy.reuse, .fresh] {
            let before = server.handshakes
            let start = ContinuousClock.now
            for _ in 0..<300 { _ = try await scene.client.send(Scene.request(server.url(), policy, body: "x")) }
            rates[policy] = 300 / ((ContinuousClock.now - start) / .seconds(1))
            handshakes[policy] = server.handshakes - before
        }
        #expect(handshakes == [.reuse: 1, .fresh: 300])
        // How much faster is for a quiet machine to say.
        let (kept, fresh) = (try #require(rates[.reuse]), try #require(rates[.fresh]))
        print(
            "MEASURED 300 requests one after another: kept \(Int(kept))/s, fresh \(Int(fresh))/s, ratio \(kept / fresh)"
        )
    }

    @Test func `many requests share one connection over HTTP2, and none where a repeat could bill`() async throws {
        let server = Scene.server(http2: true) { peer in
            if peer.applicationProtocol != "h2" {
                while peer.readRequest() != nil { peer.answer("200 OK", [], "one") }
                return
            }
            guard let http2 = HTTP2(peer) else { return }
            while let stream = http2.nextRequest() { http2.answer(stream, "two") }
        }
        defer { server.stop() }
        let scene = try Scene()
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { try await scene.client.send(Scene.request(server.url(), body: "x")).text }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts == [String](repeating: "two", count: 50))
        #expect(server.handshakes == 1)
        #expect(try await scene.client.send(Scene.request(server.url(), .fresh, body: "x")).text == "one")
        #expect(server.requests.map(\.line) == ["POST / HTTP/1.1"])
    }

    @Test func `nothing of a request or an answer shows in a description`() async throws {
        let server = Scene.server(answering: "canary-body")
        defer { server.stop() }
        let request = Scene.request(
            server.url("/canary-path"), body: "canary-sent", headers: [OutboundField("X-Key", "canary-key")])
        let answer = try await Scene().client.send(request)
        #expect(answer.text == "canary-body")
        var shown = "\(request) \(answer) \(answer.headers) \(request.headers) \(String(reflecting: answer))"
        dump(request, to: &shown)
        dump(answer, to: &shown)
        dump(request.tls, to: &shown)
        #expect(!shown.contains("canary"))
    }
}
