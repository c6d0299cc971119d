import JSONTree
import SandboxKit
import Testing
import VerificationCore

@Suite struct AlphaTests {
    @Test func `a genuine card is verified at once, in names and formats of its own`() throws {
        let place = try Playground()
        let reply = try place.alpha()
        #expect(reply.status == 200)
        let json = try reply.json()
        #expect(json["kekka"]?.string == "OK" && json["kekkaCode"]?.string == "0000")
        #expect(json["uketsukeBango"]?.string == "ses_1")
        #expect(json.at("komoku", "seinengappi")?.string == "19840229")
        #expect(json.at("komoku", "jichitaiCode")?.string == "01101")
        #expect(json.at("komoku", "shimei")?.string?.contains("\u{3000}") == true)
        #expect(json.at("komoku", "seibetsu")?.string == "2")
        #expect(!reply.text.contains("123456789018"))
        #expect(place.sandbox.charges.map(\.billableClass) == ["kakunin"])
    }

    @Test func `a forged card is rejected for the right reason, and billed all the same`() throws {
        let place = try Playground()
        let json = try place.alpha(body: place.alphaBody(walletFault: "value_changed")).json()
        #expect(json["kekka"]?.string == "NG" && json["kekkaCode"]?.string == "E404")
        #expect(json["komoku"]?.string == nil && json["komoku"]?.members == nil)
        #expect(place.sandbox.charges.count == 1)
    }

    @Test func `another key opens nothing and bills nothing`() throws {
        let place = try Playground()
        let reply = try place.client().exchange(
            "POST", "/alpha/v1/kakunin", headers: [("X-Alpha-Key", "alpha_x"), ("Content-Type", "application/json")],
            body: place.alphaBody())
        #expect(reply.status == 401)
        #expect(place.sandbox.charges.isEmpty && place.sandbox.count(.alpha, .submit) == 1)
    }

    @Test func `the same key with the same body gets the first answer and one charge`() throws {
        let place = try Playground()
        let body = try place.alphaBody()
        let first = try place.alpha(key: "k1", body: body)
        let second = try place.alpha(key: "k1", body: body)
        #expect(first.body == second.body)
        #expect(place.sandbox.charges.count == 1 && place.sandbox.count(.alpha, .submit) == 2)
        let other = try place.alpha(key: "k1", body: place.alphaBody("ses_2"))
        #expect(other.status == 409)
        #expect(try other.json()["kekkaCode"]?.string == "N409")
        _ = try place.alpha(key: "k2", body: body)
        #expect(place.sandbox.charges.map(\.idempotencyKey) == ["k1", "k2"])
    }

    @Test func `without a key each call is billed`() throws {
        let place = try Playground()
        let body = try place.alphaBody()
        _ = try place.alpha(body: body)
        _ = try place.alpha(body: body)
        #expect(place.sandbox.charges.count == 2)
    }

    @Test func `a result can be fetched by the caller's number, erased, and then is unknown`() throws {
        let place = try Playground()
        let headers = try place.alphaHeaders()
        let path = "/alpha/v1/kakunin/ses_1"
        #expect(try place.client().exchange("GET", path, headers: headers).status == 404)
        let first = try place.alpha().json()
        let fetched = try place.client().exchange("GET", path, headers: headers).json()
        #expect(fetched["kanriBango"]?.string == first["kanriBango"]?.string && fetched["kekka"]?.string == "OK")
        #expect(try place.client().exchange("DELETE", path, headers: headers).status == 200)
        #expect(try place.client().exchange("GET", path, headers: headers).status == 404)
        #expect(place.sandbox.charges.count == 1)
    }

    @Test func `a connection carries one request after another`() throws {
        let place = try Playground()
        let client = try place.client()
        let headers = try place.alphaHeaders()
        for number in 1...3 {
            let body = try place.alphaBody("ses_\(number)")
            let reply = try client.exchange("POST", "/alpha/v1/kakunin", headers: headers, body: body)
            #expect(try reply.json()["uketsukeBango"]?.string == "ses_\(number)")
        }
        #expect(place.sandbox.charges.count == 3)
    }

    @Test func `only what was asked for is told`() throws {
        let place = try Playground()
        var text = String(decoding: try place.alphaBody(), as: UTF8.self)
        text.removeLast()
        let json = try place.alpha(body: Array((text + #","komoku":["shimei"]}"#).utf8)).json()
        #expect(json["komoku"]?.members?.map(\.name) == ["shimei"])
    }
}
