import HTTPClient
import Testing
import VerificationCore

struct PoolTests {
    @Test func `P07 two providers on one host and port never share a connection`() async throws {
        let server = Scene.server { peer in
            while let request = peer.readRequest() {
                peer.answer("200 OK", [], "\(peer.order) \(request["authorization"] ?? "")")
            }
        }
        defer { server.stop() }
        let scene = try Scene()
        var connections: [String: Set<String>] = [:]
        for round in 0..<6 {
            for pool in ["a", "b"] {
                let answer = try await scene.client.send(
                    Scene.request(
                        server.url("/\(round)"), headers: [OutboundField("Authorization", "key-\(pool)")], pool: pool))
                let words = answer.text.split(separator: " ").map(String.init)
                #expect(words.last == "key-\(pool)")
                connections[pool, default: []].insert(words[0])
            }
        }
        #expect(server.connections == 2)
        #expect(connections["a"]?.count == 1 && connections["b"]?.count == 1)
        #expect(connections["a"] != connections["b"])
    }

    @Test func `P07 nor do two providers share a stream of one HTTP2 connection`() async throws {
        let server = Scene.server(http2: true) { peer in
            guard let http2 = HTTP2(peer) else { return }
            while let stream = http2.nextRequest() { http2.answer(stream, "\(peer.order)") }
        }
        defer { server.stop() }
        let scene = try Scene()
        let seen = try await withThrowingTaskGroup(of: (String, String).self) { group in
            for index in 0..<40 {
                let pool = index % 2 == 0 ? "a" : "b"
                group.addTask { (pool, try await scene.client.send(Scene.request(server.url(), pool: pool)).text) }
            }
            return try await group.reduce(into: [String: Set<String>]()) { $0[$1.0, default: []].insert($1.1) }
        }
        #expect(server.connections == 2)
        #expect(seen["a"]?.isDisjoint(with: seen["b"] ?? []) == true)
    }

    @Test func `a connection made under one authority does not serve a request that trusts another`() async throws {
        let server = Scene.server(answering: "x")
        defer { server.stop() }
        let scene = try Scene()
        _ = try await scene.client.send(Scene.request(server.url()))
        let stranger = TestAuthority("Another")
        let failure = await scene.failure(Scene.request(server.url(), authority: stranger))
        #expect(failure == OutboundFailure(.tlsFailed, wasSent: false))
        #expect(server.requests.count == 1)
    }

    @Test func `a connection that showed one client certificate does not serve a request with another, or with none`()
        async throws
    {
        var tls = TestServer.TLS(Scene.identity)
        tls.clientAuthority = Scene.authority
        let server = TestServer(tls: tls) { peer in
            while peer.readRequest() != nil { peer.answer("200 OK", [], "\(peer.order)") }
        }
        defer { server.stop() }
        let scene = try Scene()
        func request(_ identity: TestAuthority.Identity?) -> OutboundRequest {
            var request = Scene.request(server.url(), body: "x")
            request.tls.clientCertificate = identity.map {
                ClientCertificate(certificate: $0.certificate, key: Sensitive($0.key))
            }
            return request
        }
        let one = Scene.authority.issue("DNS:one", usage: "clientAuth")
        let other = Scene.authority.issue("DNS:other", usage: "clientAuth")
        #expect(try await scene.client.send(request(one)).text == "1")
        #expect(try await scene.client.send(request(one)).text == "1")
        #expect(try await scene.client.send(request(other)).text == "2")
        #expect(await scene.failure(request(nil)) != nil)
        let strange = TestAuthority("Another").issue("DNS:one", usage: "clientAuth")
        #expect(await scene.failure(request(strange)) != nil)
        // A key that is not the certificate's never gets as far as a connection that could carry anything.
        let mixed = TestAuthority.Identity(certificate: one.certificate, key: other.key)
        #expect(await scene.failure(request(mixed)) == OutboundFailure(.tlsFailed, wasSent: false))
        #expect(server.requests.count == 3)
    }
}
