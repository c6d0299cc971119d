import Foundation
import HTTPClient
import Testing
import VerificationCore

struct SizeTests {
    private static let limits = OutboundLimits(
        connectTimeout: .seconds(5), totalTimeout: .seconds(20), answerBytes: 100_000)

    @Test func `a compressed answer is decoded`() async throws {
        let server = Scene.server { peer in
            while peer.readRequest() != nil { peer.answer("200 OK", ["Content-Encoding: gzip"], Bombs.names) }
        }
        defer { server.stop() }
        let answer = try await Scene().client.send(Scene.request(server.url()))
        #expect(answer.text == String(repeating: "山田 花子", count: 1000))
        #expect(server.requests.first?["accept-encoding"] == "gzip")
    }

    @Test func `P05 a body is taken to the last byte of the limit, and not one more`() async throws {
        let server = Scene.server { peer in
            while let request = peer.readRequest() {
                let count = Int(request.line.split(separator: " ")[1].dropFirst()) ?? 0
                peer.answer("200 OK", [], [UInt8](repeating: 0x61, count: count))
            }
        }
        defer { server.stop() }
        let scene = try Scene()
        let answer = try await scene.client.send(Scene.request(server.url("/100000"), limits: Self.limits))
        #expect(answer.body.withValue(\.count) == 100_000)
        let failure = await scene.failure(Scene.request(server.url("/100001"), limits: Self.limits))
        #expect(failure == OutboundFailure(.answerTooLarge, wasSent: true))
    }

    @Test(arguments: [
        ("gzip, gzip", Bombs.gzipTwice), ("deflate, deflate", Bombs.deflateTwice), ("br", Bombs.brotli),
    ])
    func `P05 the limit counts what a small answer becomes, whether or not its encoding was asked for`(
        _ encoding: String, _ bomb: [UInt8]
    ) async throws {
        let server = Scene.server { peer in
            while peer.readRequest() != nil { peer.answer("200 OK", ["Content-Encoding: \(encoding)"], bomb) }
        }
        defer { server.stop() }
        #expect(bomb.count > 100 && bomb.count < 1000)
        for policy in [ConnectionPolicy.reuse, .fresh] {
            let failure = try await Scene().failure(Scene.request(server.url(), policy, limits: Self.limits))
            #expect(failure == OutboundFailure(.answerTooLarge, wasSent: true))
        }
    }

    @Test func `P05 an endless body ends at the limit`() async throws {
        let server = Scene.server { peer in
            guard let request = peer.readRequest() else { return }
            let isChunked = request.line.contains("chunked")
            peer.write("HTTP/1.1 200 OK\r\n\(isChunked ? "Transfer-Encoding: chunked\r\n" : "")\r\n")
            let piece = String(repeating: "a", count: 0x1000)
            while peer.write(isChunked ? "1000\r\n\(piece)\r\n" : piece) {}
        }
        defer { server.stop() }
        for path in ["/chunked", "/until-closed"] {
            let failure = try await Scene().failure(Scene.request(server.url(path), limits: Self.limits))
            #expect(failure == OutboundFailure(.answerTooLarge, wasSent: true))
        }
    }

    @Test(arguments: ["one-line", "many-lines", "endless", "provisional", "trailers"])
    func `P05 a head is bounded in bytes and fields`(_ shape: String) async throws {
        let server = Scene.server { peer in
            guard peer.readRequest() != nil else { return }
            let megabyte = String(repeating: "a", count: 1 << 20)
            switch shape {
            case "one-line": peer.write("HTTP/1.1 200 OK\r\nX: \(megabyte)\r\nContent-Length: 0\r\n\r\n")
            case "many-lines":
                let lines = (0..<200).map { "X-\($0): \($0)\r\n" }.joined()
                peer.write("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 0\r\n\r\n")
            case "endless":
                peer.write("HTTP/1.1 200 OK\r\n")
                while peer.write("X: \(String(repeating: "a", count: 1000))\r\n") {}
            case "provisional":
                while peer.write("HTTP/1.1 102 Processing\r\nX: y\r\n\r\n") {}
            default:
                peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n")
                while peer.write("X: \(String(repeating: "a", count: 1000))\r\n") {}
            }
        }
        defer { server.stop() }
        let failure = try await Scene().failure(Scene.request(server.url(), limits: Self.limits))
        #expect(failure == OutboundFailure(.answerTooLarge, wasSent: true))
    }

    @Test func `P05 two hundred megabytes in a small answer cost no more memory than the limit`() async throws {
        let server = Scene.server { peer in
            while peer.readRequest() != nil { peer.answer("200 OK", ["Content-Encoding: gzip, gzip"], Bombs.gzipTwice) }
        }
        defer { server.stop() }
        let output = try await Probe.run([server.url(), Scene.authority.file, "20"])
        let numbers = output.split(separator: " ").suffix(2).compactMap { Int($0) }
        let growth = try #require(numbers.last)
        // A process that says it has no size has not measured.
        #expect(numbers.count == 2 && numbers[0] > 1000)
        #expect(output.hasPrefix("answer_too_large true"))
        // Twenty in a row, a limit of a megabyte each, and what TLS takes when it is first used.
        #expect(growth < 12_000, "grew by \(growth) kB")
        print("MEASURED twenty answers of 200 MB within a limit of 1 MB: resident memory grew by \(growth) kB")
    }
}
