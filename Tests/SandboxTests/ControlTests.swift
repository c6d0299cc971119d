import Foundation
import JSONTree
import SandboxKit
import Testing
import VerificationCore

/// The control port, the folder, and client certificates.
@Suite struct ControlTests {
    /// One request to the control port; status and body.
    private func control(
        _ place: Playground, _ method: String, _ path: String, _ body: String? = nil
    ) throws -> (status: Int, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["curl", "-s", "--noproxy", "*", "-w", "\n%{http_code}", "-X", method]
            + (body.map { ["-H", "Content-Type: application/json", "--data-binary", $0] } ?? [])
            + ["http://127.0.0.1:\(place.sandbox.controlPort)/control/\(path)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        let end = try #require(text.lastIndex(of: "\n"))
        return (Int(text[text.index(after: end)...]) ?? 0, String(text[..<end]))
    }

    @Test func `orders, counters, calls, charges and invoices are had over the control port`() throws {
        let place = try Playground(control: true)
        let order = #"{"fault":"html_error","charged":true,"provider":"alpha","step":"submit"}"#
        #expect(try control(place, "POST", "faults", order).status == 204)
        let body = try place.alphaBody()
        #expect(try place.alpha(key: "k", body: body).status == 500)
        #expect(try place.alpha(key: "k", body: body).status == 200)
        let counters = try JSONNode.parse(Array(control(place, "GET", "counters").text.utf8), syntax: .json)
        #expect(counters.at("alpha", "calls", "submit").map(\.kindName) == "a number")
        #expect(try control(place, "GET", "counters").text.contains(#""submit":2"#))
        #expect(try control(place, "GET", "counters").text.contains(#""charges":{"kakunin":1}"#))
        let calls = try control(place, "GET", "calls").text.split(separator: "\n")
        #expect(calls.count == 2 && calls[0].contains(#""fault":"html_error""#) && calls[1].contains(#""fault":null"#))
        #expect(try control(place, "GET", "charges").text.contains(#""idempotency_key":"k""#))
        let invoice = try control(place, "GET", "invoice?provider=alpha").text.split(whereSeparator: \.isNewline)
        #expect(invoice.count == 2 && invoice[0].hasPrefix("管理番号,") && invoice[1].contains(",kakunin,150,ses_1"))
        #expect(try control(place, "POST", "reset").status == 204)
        #expect(place.sandbox.calls.isEmpty && place.sandbox.charges.isEmpty)
    }

    @Test func `what is no order is refused in words, and changes nothing`() throws {
        let place = try Playground(control: true)
        for order in [
            #"{"fault":"nonsense"}"#, #"{"fault":"slow","provider":"delta"}"#, #"{"fault":"slow","times":0}"#,
            #"{"fault":"revised","step":"poll"}"#, #"{"fault":"slow","times":1,"per_mille":5}"#,
            #"{"fault":"slow","probability":0.5}"#, "[]",
        ] {
            let answer = try control(place, "POST", "faults", order)
            #expect(answer.status == 400 && answer.text.contains("problem"), "\(order)")
        }
        #expect(try control(place, "POST", "webhook", #"{"url":"https://example.com/"}"#).status == 400)
        #expect(try place.alpha().status == 200)
    }

    @Test func `every fault has a name of its own that the control port knows`() throws {
        let place = try Playground(control: true)
        let answer = try control(place, "POST", "faults", #"{"fault":""}"#).text
        let names = try #require(answer.split(separator: "one of ").last).prefix { $0 != "\"" }.split(separator: ", ")
        #expect(names.count == 28 && Set(names).count == 28)
        for name in names {
            #expect(try control(place, "POST", "faults", #"{"fault":"\#(name)"}"#).status == 204, "\(name)")
        }
    }

    @Test func `the folder is made once, and is for its owner alone`() throws {
        let place = try Playground()
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted()
        #expect(names.count == 13)
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: place.folder.file(name))
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
        let before = try place.secret("alpha.key")
        #expect(try place.folder.issue(wallet: "/nowhere", force: false, at: Playground.now()).isEmpty)
        #expect(try place.secret("alpha.key") == before)
        let later = Playground.now().advanced(by: .seconds(398 * 86_400))
        #expect(throws: SandboxError.self) { try place.folder.issue(wallet: "/nowhere", force: false, at: later) }
    }

    @Test func `the authority's certificates stand before OpenSSL's own judgement`() throws {
        let place = try Playground()
        for (name, purpose) in [("server", "sslserver"), ("client", "sslclient")] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "openssl", "verify", "-x509_strict", "-purpose", purpose, "-CAfile",
                place.folder.file("authority.pem"), place.folder.file(name + ".pem"),
            ]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(name)")
        }
    }

    @Test func `a provider that wants the client's certificate serves nobody without it`() throws {
        let place = try Playground(clientCertificates: [.alpha])
        let body = try place.alphaBody()
        let headers = try place.alphaHeaders()
        let without = try place.client().exchange("POST", "/alpha/v1/kakunin", headers: headers, body: body)
        #expect(without.status == 403 && place.sandbox.charges.isEmpty)
        let with = try place.client(certified: true).exchange("POST", "/alpha/v1/kakunin", headers: headers, body: body)
        #expect(with.status == 200)
        #expect(try place.betaToken().status == 200)
    }

    @Test func `stopping ends connections that hang`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.timeout(charged: false)))
        let client = try place.client()
        client.send(Array("GET /alpha/v1/kakunin/x HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        #expect(client.receive(milliseconds: 200) == .nothing)
        let start = ContinuousClock.now
        place.sandbox.stop()
        // Nobody else would end it for two minutes.
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(client.receive(milliseconds: 20_000) != .nothing)
    }
}
