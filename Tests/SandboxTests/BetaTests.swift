import JSONTree
import SandboxKit
import Testing
import VerificationCore

@Suite struct BetaTests {
    private func token(_ place: Playground) throws -> String {
        try #require(try place.betaToken().json()["access_token"]?.string)
    }

    @Test func `a verification is opened, submitted, and polled until it is there`() throws {
        let place = try Playground(processing: .seconds(60))
        let token = try token(place)
        let opened = try place.betaBegin(token).json()
        #expect(opened.at("wallet", "merchant")?.string == "merchant.example.beta")
        #expect(opened.at("wallet", "challenge")?.string?.count == 64)
        let taken = try place.betaSubmit(token, opened)
        #expect(taken.status == 202 && taken.headers["retry-after"] == "1")
        let early = try place.betaPoll(token, opened)
        #expect(early.status == 202 && !early.text.contains("attributes"))
        place.pass(.seconds(60))
        let reply = try place.betaPoll(token, opened)
        let json = try reply.json()
        #expect(reply.status == 200 && json["outcome"]?.string == "approved")
        let attributes = json["attributes"]?.elements ?? []
        let birth = attributes.first { $0["name"]?.string == "DATE_OF_BIRTH" }
        #expect(birth?["value"]?.string == "29.02.1984")
        #expect(!reply.text.contains("123456789018"))
        #expect(place.sandbox.charges.map(\.billableClass) == ["session", "approval"])
    }

    @Test func `a blob for the merchant of another provider is declined, and only the session is billed`() throws {
        let place = try Playground()
        let token = try token(place)
        let opened = try place.betaBegin(token).json()
        let challenge = try #require(opened.at("wallet", "challenge")?.string.flatMap { ByteText.bytes(hex: $0) })
        let reply = try place.client().exchange(
            "POST", "/beta/verifications/\(opened["id"]?.string ?? "")/credential",
            headers: [
                Playground.form, ("Authorization", "Bearer " + token),
                ("X-Access-Secret", opened["access_secret"]?.string ?? ""),
            ], body: Array("encrypted_response=\(ByteText.base64URL(try place.blob(challenge)))".utf8))
        #expect(reply.status == 202)
        let result = try place.betaPoll(token, opened).json()
        #expect(result["outcome"]?.string == "declined")
        #expect(
            result["decline_codes"]?.elements?.compactMap { $0["code"]?.string }
                == ["CREDENTIAL_NOT_FOR_THIS_SESSION"])
        #expect(place.sandbox.charges.map(\.billableClass) == ["session"])
    }

    @Test func `a second submission is a conflict, another's secret finds nothing, a redacted one is gone`() throws {
        let place = try Playground()
        let token = try token(place)
        let opened = try place.betaBegin(token).json()
        #expect(try place.betaSubmit(token, opened).status == 202)
        #expect(try place.betaSubmit(token, opened).status == 409)
        #expect(try place.betaPoll(token, opened, secret: "bas_x").status == 404)
        let path = "/beta/verifications/\(opened["id"]?.string ?? "")"
        let headers = [
            ("Authorization", "Bearer " + token), ("X-Access-Secret", opened["access_secret"]?.string ?? ""),
        ]
        #expect(try place.client().exchange("DELETE", path, headers: headers).status == 204)
        #expect(try place.betaPoll(token, opened).status == 404)
        #expect(place.sandbox.charges.count { $0.billableClass == "approval" } == 1)
    }

    @Test func `a wrong secret gets no token, and no token opens nothing`() throws {
        let place = try Playground()
        let refused = try place.client().exchange(
            "POST", "/beta/oauth2/token", headers: [Playground.form],
            body: Array("grant_type=client_credentials&client_id=sekisho-gateway&client_secret=x".utf8))
        #expect(refused.status == 401)
        #expect(try refused.json()["error"]?.string == "invalid_client")
        let closed = try place.betaBegin("bt_x")
        #expect(closed.status == 401 && closed.headers["content-type"] == "application/problem+json")
        #expect(place.sandbox.charges.isEmpty)
    }

    @Test func `a token that expires at once is refused, one whose lifetime is a lie is not`() throws {
        let place = try Playground()
        place.sandbox.place(FaultOrder(.tokenExpiresAtOnce))
        #expect(try place.betaBegin(try token(place)).status == 401)
        place.sandbox.place(FaultOrder(.tokenLifetime(json: #""soon""#)))
        let reply = try place.betaToken()
        #expect(try reply.json()["expires_in"]?.string == "soon")
        #expect(try place.betaBegin(try #require(try reply.json()["access_token"]?.string)).status == 201)
        #expect(place.sandbox.count(.beta, .token) == 2)
    }

    @Test func `a revised result is not final at first, and then the opposite`() throws {
        let place = try Playground()
        let token = try token(place)
        let opened = try place.betaBegin(token).json()
        place.sandbox.place(FaultOrder(.revised, of: .beta))
        _ = try place.betaSubmit(token, opened)
        let first = try place.betaPoll(token, opened)
        #expect(first.text.contains(#""outcome":"approved","final":false"#))
        let second = try place.betaPoll(token, opened)
        #expect(second.text.contains(#""outcome":"declined","final":true"#))
        #expect(!second.text.contains("29.02.1984"))
    }
}
