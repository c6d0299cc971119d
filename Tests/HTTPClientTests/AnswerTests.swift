import HTTPClient
import Testing
import VerificationCore

struct AnswerTests {
    @Test(
        arguments: [301, 302, 303, 307, 308],
        ["/elsewhere", "https://localhost:PORT/", "http://127.0.0.1:PORT/", "file:///etc/passwd"])
    func `P04 a redirect is an answer, and nothing is sent to where it points`(_ status: Int, _ target: String)
        async throws
    {
        let other = Scene.server(answering: "stolen")
        defer { other.stop() }
        let location = target.replacing("PORT", with: String(other.port))
        let server = Scene.server { peer in
            while peer.readRequest() != nil { peer.answer("\(status) Moved", ["Location: \(location)"], "") }
        }
        defer { server.stop() }
        let scene = try Scene()
        for policy in [ConnectionPolicy.reuse, .fresh] {
            let answer = try await scene.client.send(
                Scene.request(
                    server.url(), policy, body: "secret", headers: [OutboundField("Authorization", "Bearer t")]))
            #expect(answer.status == status)
            #expect(answer.headers["location"] == location)
        }
        #expect(server.requests.map(\.line) == ["POST / HTTP/1.1", "POST / HTTP/1.1"])
        #expect(other.connections == 0)
    }

    @Test func `P17 what a server answers is reported as it is`() async throws {
        let html = "<html><body>502 Bad Gateway</body></html>"
        let cases: [(status: String, fields: [String], body: [UInt8])] = [
            ("200 OK", ["Content-Type: text/html"], Array(html.utf8)),
            ("502 Bad Gateway", ["Content-Type: text/html"], Array(html.utf8)),
            ("200 OK", [], []),
            ("200 OK", ["Content-Type: application/json"], [0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
            ("200 OK", ["Content-Type: application/json; charset=utf-16"], [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]),
            ("200 OK", ["Content-Type: text/plain; charset=Shift_JIS"], [0x8E, 0x52, 0x93, 0x63]),
            ("200 OK", [], Array(#"{"status":"ok"#.utf8)),
            ("429 Too Many Requests", ["Retry-After: 7"], []),
            ("401 Unauthorized", ["WWW-Authenticate: Basic realm=x"], []),
            ("407 Proxy Authentication Required", ["Proxy-Authenticate: Basic realm=x"], []),
            ("417 Expectation Failed", [], []),
            ("500 Internal Server Error", ["Set-Cookie: a=b"], []),
        ]
        for (index, item) in cases.enumerated() {
            let server = Scene.server { peer in
                while peer.readRequest() != nil { peer.answer(item.status, item.fields, item.body) }
            }
            defer { server.stop() }
            let scene = try Scene()
            let answer = try await scene.client.send(Scene.request(server.url(), body: "x"))
            #expect(answer.status == Int(item.status.prefix(3)), "case \(index)")
            #expect(answer.body.withValue { $0 } == item.body, "case \(index)")
            for field in item.fields {
                let name = String(field.prefix { $0 != ":" })
                #expect(answer.headers[name] == String(field.dropFirst(name.count + 2)), "case \(index)")
            }
            #expect(server.requests.count == 1, "case \(index) was repeated")
            // No cookie is kept.
            _ = try await scene.client.send(Scene.request(server.url(), body: "x"))
            #expect(server.requests.last?["cookie"] == nil)
        }
    }

    @Test(arguments: ["204 No Content", "304 Not Modified"])
    func `P17 an answer without a body ends with its head`(_ status: String) async throws {
        let server = Scene.server { peer in
            while peer.readRequest() != nil { peer.write("HTTP/1.1 \(status)\r\n\r\n") }
        }
        defer { server.stop() }
        let scene = try Scene()
        for _ in 0..<2 {
            let answer = try await scene.client.send(Scene.request(server.url()))
            #expect(answer.status == Int(status.prefix(3)))
            #expect(answer.text.isEmpty)
        }
        #expect(server.connections == 1)
    }

    @Test func `P17 an answer that is cut short is a failure`() async throws {
        let cuts = [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"status\":\"verified\"}",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n{\"status\":\"verified\"\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n{\"sta",
            "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "",
        ]
        for cut in cuts {
            for policy in [ConnectionPolicy.reuse, .fresh] {
                let server = Scene.server { peer in
                    if peer.readRequest() != nil { peer.write(cut) }
                }
                defer { server.stop() }
                let failure = try await Scene().failure(Scene.request(server.url(), policy, body: "x"))
                #expect(failure?.wasSent == true, "\(cut)")
                #expect(failure?.code == .connectionLost || failure?.code == .badAnswer, "\(cut)")
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test func `what is not HTTP is no answer`() async throws {
        let texts = [
            "SSH-2.0-OpenSSH_9.2\r\n", "hello", "<html></html>", "HTTP/0.9 200\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n",
            "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 600 High\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nNo colon here\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n folded: c\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n: nameless\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 5\r\n\r\nuryyb",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        ]
        for text in texts {
            let server = Scene.server { peer in
                if peer.readRequest() != nil { peer.write(text) }
            }
            defer { server.stop() }
            let failure = try await Scene().failure(Scene.request(server.url(), .fresh, body: "x"))
            #expect(failure?.wasSent == true, "\(text)")
            #expect(server.requests.count == 1)
        }
    }

    @Test func `provisional heads and trailers are not the answer's fields`() async throws {
        let server = Scene.server { peer in
            while peer.readRequest() != nil {
                peer.write("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\nRetry-After: 1\r\n\r\n")
                peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\nX-Main:  a b \r\n\r\n")
                peer.write("2\r\nok\r\n0\r\nX-Late: 1\r\nX-Main: c\r\n\r\n")
            }
        }
        defer { server.stop() }
        let answer = try await Scene().client.send(Scene.request(server.url()))
        #expect(answer.text == "ok")
        #expect(answer.headers["x-early"] == nil)
        #expect(answer.headers["retry-after"] == nil)
        #expect(answer.headers["x-late"] == nil)
        #expect(answer.headers.values(of: "X-MAIN") == ["a b"])
    }
}
