import Foundation
import JSONTree
import SandboxKit
import TestSupport
import Testing
import VerificationCore

/// Every misbehaviour does to the bytes what its name says, and the books count what happened.
@Suite struct FaultTests {
    @Test func `slow answers rightly, later`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.slow(milliseconds: 300), of: .alpha, at: .submit))
        let start = ContinuousClock.now
        #expect(try place.alpha().json()["kekka"]?.string == "OK")
        #expect(ContinuousClock.now - start >= .milliseconds(300))
        #expect(place.sandbox.calls.map(\.fault) == ["slow"])
    }

    @Test(arguments: [true, false])
    func `a timeout never answers, and bills as it was told`(charged: Bool) async throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.timeout(charged: charged)))
        #expect(throws: Silence.nothing) { try place.alpha(milliseconds: 300) }
        // It works while the client has given up.
        #expect(
            try await eventually {
                place.sandbox.calls.map(\.status) == [charged ? 200 : nil]
                    && place.sandbox.charges.count == (charged ? 1 : 0)
            })
        #expect(place.sandbox.calls.map(\.step) == [.submit])
    }

    @Test(arguments: [true, false])
    func `a reset after reading breaks the connection, and bills as it was told`(charged: Bool) throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.resetAfterReading(charged: charged)))
        #expect(throws: Silence.reset) { try place.alpha() }
        #expect(place.sandbox.count(.alpha, .submit) == 1)
        #expect(place.sandbox.charges.count == (charged ? 1 : 0))
        #expect(try place.alpha().status == 200)
    }

    @Test func `a reset before reading leaves no trace of a call`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.resetBeforeReading))
        #expect(throws: TLSClient.Failure.self) { try place.alpha() }
        #expect(place.sandbox.calls.isEmpty && place.sandbox.charges.isEmpty)
        #expect(try place.alpha().status == 200)
    }

    @Test func `429 says when, in seconds or as a date`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.tooManyRequests(seconds: 7, asDate: false)))
        place.sandbox.place(FaultOrder(.tooManyRequests(seconds: 7, asDate: true)))
        let first = try place.alpha()
        #expect(first.status == 429 && first.headers["retry-after"] == "7")
        let second = try place.alpha()
        let date = try #require(second.headers["retry-after"])
        #expect(second.status == 429)
        #expect(date.wholeMatch(of: /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/) != nil)
        #expect(place.sandbox.charges.isEmpty)
    }

    @Test func `503, a page with 500, 204 and an empty 200`() throws {
        let place = try Playground()
        for fault: Fault in [
            .unavailable, .htmlError(charged: false), .htmlError(charged: true), .noContent, .emptyAnswer,
        ] {
            place.sandbox.place(FaultOrder(fault))
        }
        let body = try place.alphaBody()
        #expect(try place.alpha(body: body).status == 503)
        let page = try place.alpha(body: body)
        #expect(page.status == 500 && page.headers["content-type"] == "text/html" && page.text.contains("<html>"))
        #expect(place.sandbox.charges.isEmpty)
        #expect(try place.alpha(body: body).status == 500)
        #expect(place.sandbox.charges.count == 1)
        let none = try place.alpha(body: body)
        #expect(none.status == 204 && none.headers["content-length"] == nil)
        let empty = try place.alpha(body: body)
        #expect(empty.status == 200 && empty.body.isEmpty)
        #expect(place.sandbox.charges.count == 3)
    }

    @Test func `a redirect names another place and does nothing`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.redirect(location: "https://127.0.0.1:1/elsewhere")))
        let reply = try place.alpha()
        #expect(reply.status == 307 && reply.headers["location"] == "https://127.0.0.1:1/elsewhere")
        #expect(place.sandbox.charges.isEmpty)
    }

    @Test func `bodies are broken in the way that was asked for`() throws {
        let place = try Playground()
        for fault: Fault in [.badJSON, .truncatedJSON, .duplicateKeys, .byteOrderMark] {
            place.sandbox.place(FaultOrder(fault))
        }
        for _ in 1...2 { #expect(throws: (any Error).self) { try place.alpha().json() } }
        let doubled = try place.alpha()
        #expect(throws: (any Error).self) { try doubled.json() }
        // A lax reader takes it for good: so it must be shown that it is not.
        #expect((try? JSONSerialization.jsonObject(with: Data(doubled.body))) != nil)
        #expect(doubled.text.components(separatedBy: #""kekka":"#).count == 3)
        let marked = try place.alpha()
        #expect(marked.body.prefix(3) == [0xEF, 0xBB, 0xBF])
        #expect(try JSONNode.parse(Array(marked.body.dropFirst(3)), syntax: .json)["kekka"]?.string == "OK")
    }

    @Test func `a connection that ends in the middle promises more than it sends`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.cutBody))
        let reply = try place.alpha()
        #expect(reply.status == 200 && !reply.isWhole && !reply.body.isEmpty)
        #expect(place.sandbox.charges.count == 1)
    }

    @Test func `200 MB of zeros fit into a small gzip`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.gzipBomb))
        let reply = try place.alpha()
        #expect(reply.headers["content-encoding"] == "gzip" && reply.isWhole)
        #expect((100_000..<300_000).contains(reply.body.count))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "gzip -dc | wc -c"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(reply.body))
        try input.fileHandleForWriting.close()
        let size = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(size.trimmingCharacters(in: .whitespacesAndNewlines) == "209715200")
    }

    @Test func `wrong references, unknown words and a My Number where none belongs`() throws {
        let place = try Playground()
        for fault: Fault in [.wrongReference, .unknownStatus, .individualNumber] {
            place.sandbox.place(FaultOrder(fault, of: .alpha, at: .submit))
        }
        #expect(try place.alpha().json()["uketsukeBango"]?.string != "ses_1")
        #expect(try place.alpha().json()["kekka"]?.string == "HORYU")
        #expect(try place.alpha().json().at("komoku", "jichitaiCode")?.string == "123456789018")
        #expect(try place.alpha().json().at("komoku", "jichitaiCode")?.string == "01101")
    }

    @Test func `orders are for their provider and step alone, first come first served`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.unavailable, of: .beta))
        place.sandbox.place(FaultOrder(.unavailable, of: .alpha, at: .fetch))
        place.sandbox.place(FaultOrder(.htmlError(charged: false), of: .alpha, at: .submit, .times(2)))
        place.sandbox.place(FaultOrder(.unavailable, of: .alpha, at: .submit))
        let body = try place.alphaBody()
        let statuses = try (1...4).map { _ in try place.alpha(body: body).status }
        #expect(statuses == [500, 500, 503, 200])
        #expect(try place.betaToken().status == 503)
        #expect(try place.betaToken().status == 200)
    }

    @Test func `chances are the same for the same seed, and as many as was said`() throws {
        let place = try Playground()
        let body = try place.alphaBody()
        func run(_ seed: UInt64) throws -> [Int] {
            place.sandbox.forget()
            place.sandbox.seed(seed)
            place.sandbox.place(FaultOrder(.unavailable, of: .alpha, .perMille(300)))
            let client = try place.client()
            let headers = try place.alphaHeaders()
            return try (1...100).map { _ in
                try client.exchange("POST", "/alpha/v1/kakunin", headers: headers, body: body).status
            }
        }
        let first = try run(1)
        #expect(try run(1) == first)
        #expect((15...45).contains(first.count { $0 == 503 }))
        #expect(place.sandbox.charges.count == first.count { $0 == 200 })
        #expect(try run(2) != first)
    }
}
