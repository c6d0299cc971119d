import Cryptography
import JSONTree
import SandboxKit
import Testing
import VerificationCore

@Suite struct GammaTests {
    /// Whether a letter's signature is right, worked out from the words of Standard Webhooks.
    private func isSigned(_ letter: Mailbox.Letter, _ place: Playground) throws -> Bool {
        let key = try #require(ByteText.bytes(base64: try place.secret("webhook.secret").dropFirst(6)))
        let id = letter.headers["webhook-id"] ?? ""
        let message = Array("\(id).\(letter.headers["webhook-timestamp"] ?? "").".utf8) + letter.body
        let code = HMACSHA256.authenticationCode(for: message, key: key)
        return letter.headers["webhook-signature"] == "v1," + ByteText.base64(code)
    }

    private func reference(_ letter: Mailbox.Letter) throws -> String? {
        try JSONNode.parse(letter.body, syntax: .json).at("data", "check", "id")?.string
    }

    @Test func `a signed request is taken, and the result comes by a signed webhook`() async throws {
        let mailbox = try Mailbox()
        defer { mailbox.close() }
        let place = try Playground(processing: .milliseconds(100), webhookPort: mailbox.port)
        let taken = try place.gamma("POST", "/gamma/api/checks", body: place.gammaBody())
        #expect(taken.status == 202)
        #expect(try taken.json().at("check", "phase")?.string == "RECEIVED")
        let letters = try await mailbox.letters(1)
        let letter = try #require(letters.first)
        #expect(try isSigned(letter, place))
        #expect(try reference(letter) == taken.json().at("check", "id")?.string)
        let json = try JSONNode.parse(letter.body, syntax: .json)
        #expect(json.at("data", "check", "decision")?.string == "PASS")
        #expect(json.at("data", "person", "birth", "date")?.string == "1984/02/29")
        #expect(place.sandbox.charges.map(\.billableClass) == ["submission"])
        #expect(place.sandbox.count(.gamma, .webhook) == 1)
    }

    @Test func `a wrong signature, an old one, and one over another target are refused`() throws {
        let place = try Playground()
        let body = try place.gammaBody()
        #expect(try place.gamma("POST", "/gamma/api/checks", body: body, secret: "gamma_x").status == 401)
        let old = Playground.now().milliseconds / 1000 - 400
        #expect(try place.gamma("POST", "/gamma/api/checks", body: body, at: old).status == 401)
        #expect(place.sandbox.charges.isEmpty)
    }

    @Test func `a check can be fetched by either reference, and erased`() throws {
        let place = try Playground()
        let id = try #require(
            try place.gamma("POST", "/gamma/api/checks", body: place.gammaBody("ses_9")).json().at("check", "id")?
                .string)
        let byOurs = try place.gamma("GET", "/gamma/api/checks?externalRef=ses_9")
        #expect(try byOurs.json().at("check", "id")?.string == id)
        #expect(try place.gamma("GET", "/gamma/api/checks?externalRef=ses_8").status == 404)
        #expect(try place.gamma("GET", "/gamma/api/checks/\(id)").json().at("check", "decision")?.string == "PASS")
        #expect(try place.gamma("DELETE", "/gamma/api/checks/\(id)").status == 204)
        #expect(try place.gamma("GET", "/gamma/api/checks/\(id)").status == 404)
    }

    @Test func `two submissions are two charges: there is no idempotency here`() throws {
        let place = try Playground()
        let body = try place.gammaBody()
        for _ in 1...2 { _ = try place.gamma("POST", "/gamma/api/checks", body: body) }
        #expect(place.sandbox.charges.count == 2)
        #expect(Set(place.sandbox.charges.map(\.reference)).count == 2)
    }

    @Test func `webhooks come late, twice, wrongly signed, for another, or never`() async throws {
        let mailbox = try Mailbox()
        defer { mailbox.close() }
        let place = try Playground(webhookPort: mailbox.port)
        func submit(_ fault: Fault) throws -> String {
            place.sandbox.place(FaultOrder(fault))
            let reply = try place.gamma("POST", "/gamma/api/checks", body: place.gammaBody())
            return try #require(try reply.json().at("check", "id")?.string)
        }
        _ = try submit(.lostWebhook)
        #expect(try await mailbox.letters(1, milliseconds: 300).isEmpty)
        let twice = try submit(.duplicateWebhook)
        var letters = try await mailbox.letters(2)
        #expect(letters.count == 2 && letters[0].headers["webhook-id"] == letters[1].headers["webhook-id"])
        #expect(try letters.allSatisfy { try reference($0) == twice && isSigned($0, place) })
        let forged = try submit(.wronglySignedWebhook)
        letters = try await mailbox.letters(3)
        #expect(try reference(letters[2]) == forged && !isSigned(letters[2], place))
        let other = try submit(.webhookForAnother)
        letters = try await mailbox.letters(4)
        #expect(try reference(letters[3]) != other && isSigned(letters[3], place))
        let start = ContinuousClock.now
        let late = try submit(.lateWebhook(milliseconds: 1000))
        letters = try await mailbox.letters(5)
        #expect(ContinuousClock.now - start >= .seconds(1))
        #expect(letters.count == 5)
        #expect(try reference(letters[4]) == late)
        #expect(place.sandbox.count(.gamma, .webhook) == 5)
    }

    @Test func `a revised result sends a second webhook with the opposite`() async throws {
        let mailbox = try Mailbox()
        defer { mailbox.close() }
        let place = try Playground(webhookPort: mailbox.port)
        place.sandbox.place(FaultOrder(.revised, of: .gamma))
        _ = try place.gamma("POST", "/gamma/api/checks", body: place.gammaBody())
        let letters = try await mailbox.letters(2)
        let decisions = try letters.map { try JSONNode.parse($0.body, syntax: .json).at("data", "check", "decision") }
        #expect(decisions.map { $0?.string } == ["PASS", "FAIL"])
    }
}
