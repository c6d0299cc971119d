import Cryptography
import Foundation
import JSONTree
import Testing
import VerificationCore

@testable import Certified

@Suite struct ClientAuthenticationTests {
    private static let now = Timestamp(seconds: 1_796_029_200)
    /// The private number 1: nobody's key.
    private static let key = """
        -----BEGIN EC PRIVATE KEY-----
        MDECAQEEIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABoAoGCCqGSM49AwEH
        -----END EC PRIVATE KEY-----
        """
    /// The generator of P-256 (SEC 2 §2.4.2), which is the public key of 1.
    private static let x = "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    private static let y = "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

    private func seen(
        _ client: OAuthDeclaration.ClientAuthentication, endpoint: String = "/token", scope: String? = nil,
        audience: String? = nil, parameters: [NamedText] = [], credentials: [String: String], requests: Int = 1,
        random: @escaping @Sendable (Int) -> [UInt8] = { [UInt8](repeating: 9, count: $0) }
    ) async throws -> [FakeProvider.Seen] {
        let provider = FakeProvider.tokens(#""expires_in":0"#)
        let authenticator = try Authenticators.open(
            [
                .oauth(
                    OAuthDeclaration(
                        tokenEndpoint: endpoint, client: client, scope: scope, audience: audience,
                        parameters: parameters, margin: .seconds(30), assumedLifetime: .seconds(300)))
            ], access: .example(provider, credentials: credentials), random: random)
        for _ in 0..<requests {
            var request = DraftRequest.example()
            try await authenticator.authorize(&request, at: Self.now)
        }
        return await provider.seen
    }

    @Test func `a client that shows itself in the form is encoded sign by sign`() async throws {
        let seen = try await seen(
            .body(identifier: "id", secret: "secret"), scope: "read write", audience: "https://api.example.com/?a=b&c",
            parameters: [NamedText(name: "tenant", text: "東京=1")],
            credentials: ["id": "a&b=c", "secret": "p%20+ö&grant_type=password"])[0]
        #expect(
            seen.form == [
                "grant_type": "client_credentials", "scope": "read write",
                "audience": "https://api.example.com/?a=b&c", "tenant": "東京=1", "client_id": "a&b=c",
                "client_secret": "p%20+ö&grant_type=password",
            ])
        #expect(seen.body.split(separator: "&").count == 6)
        #expect(seen.header("authorization") == nil)
    }

    @Test func `a client that shows itself by basic authentication is form-encoded first, as RFC 6749 has it`()
        async throws
    {
        let seen = try await seen(
            .basic(identifier: "id", secret: "secret"), credentials: ["id": "a:b", "secret": "p ö:%"])[0]
        let value = try #require(seen.header("authorization"))
        #expect(value.hasPrefix("Basic "))
        let decoded = try #require(ByteText.bytes(base64: String(value.dropFirst(6))))
        #expect(String(decoding: decoded, as: UTF8.self) == "a%3Ab:p+%C3%B6%3A%25")
        #expect(seen.form == ["grant_type": "client_credentials"])
    }

    private func assertion(
        _ jwt: OAuthDeclaration.PrivateKeyJWT, key: String = key, endpoint: String = "/token"
    ) async throws -> (header: JSONNode, claims: JSONNode, form: [String: String], text: String) {
        let seen = try await seen(
            .privateKeyJWT(jwt), endpoint: endpoint, credentials: ["id": "client-1", "key": key])[0]
        let text = try #require(seen.form["client_assertion"])
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        #expect(parts.count == 3)
        let trees = try parts.prefix(2).map {
            try JSONNode.parse(try #require(ByteText.bytes(base64: $0)), syntax: .json)
        }
        return (trees[0], trees[1], seen.form, text)
    }

    private func jwt(_ change: (inout OAuthDeclaration.PrivateKeyJWT) -> Void = { _ in })
        -> OAuthDeclaration.PrivateKeyJWT
    {
        var jwt = OAuthDeclaration.PrivateKeyJWT(
            identifier: "id", key: "key", keyIdentifier: nil, audience: nil, lifetime: .seconds(60))
        change(&jwt)
        return jwt
    }

    @Test func `a client assertion has what RFC 7523 wants, lives shortly, and is signed by the key`() async throws {
        let (header, claims, form, text) = try await assertion(jwt())
        #expect(header["alg"]?.string == "ES256" && header["typ"]?.string == "JWT" && header["kid"] == nil)
        #expect(claims["iss"]?.string == "client-1" && claims["sub"]?.string == "client-1")
        #expect(claims["aud"]?.string == "https://api.example.com/v2/token")
        #expect(claims["jti"]?.string == ByteText.base64URL([UInt8](repeating: 9, count: 16)))
        guard case .number(let issued)? = claims["iat"]?.kind, case .number(let expiry)? = claims["exp"]?.kind else {
            Issue.record("iat and exp are numbers")
            return
        }
        #expect(issued.integer == 1_796_029_200 && expiry.integer == 1_796_029_260)
        #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(form["client_id"] == "client-1" && form["client_secret"] == nil)
        let point = try ECPublicKey(
            curve: .p256, x: try #require(ByteText.bytes(hex: Self.x)), y: try #require(ByteText.bytes(hex: Self.y)))
        let cut = try #require(text.lastIndex(of: "."))
        let signature = try #require(ByteText.bytes(base64: String(text[text.index(after: cut)...])))
        #expect(point.verify(signature: signature, over: Array(text[..<cut].utf8), hash: .sha256))
        #expect(!text.contains("="))
    }

    @Test func `audience, key identifier and an absolute endpoint are as declared`() async throws {
        let declared = jwt {
            $0.keyIdentifier = "key-7"
            $0.audience = "https://issuer.example/"
        }
        let (header, claims, _, _) = try await assertion(declared, endpoint: "https://login.example.com/t")
        #expect(header["kid"]?.string == "key-7")
        #expect(claims["aud"]?.string == "https://issuer.example/")
        let other = try await assertion(jwt(), endpoint: "https://login.example.com/t")
        #expect(other.claims["aud"]?.string == "https://login.example.com/t")
    }

    @Test func `no two assertions have one jti`() async throws {
        let seen = try await seen(
            .privateKeyJWT(jwt()), credentials: ["id": "client-1", "key": Self.key], requests: 200,
            random: { count in
                var generator = SecureRandom()
                return generator.bytes(count)
            })
        let identifiers = try seen.map { request in
            let claims = try #require(request.form["client_assertion"]).split(separator: ".")[1]
            let bytes = try #require(ByteText.bytes(base64: claims))
            return try #require(try JSONNode.parse(bytes, syntax: .json)["jti"]?.string)
        }
        #expect(identifiers.count == 200 && Set(identifiers).count == 200)
        #expect(identifiers.allSatisfy { $0.count == 22 })
    }

    @Test func `a key of the wrong kind, or none, is a problem of its credential and shows nothing`() async throws {
        for (key, words) in [
            ("canary", "neither PEM nor DER"), (Self.key.replacing("CAQEE", with: "CAQE"), "cannot be decoded"),
            (Self.key.replacing("EC PRIVATE", with: "PUBLIC"), "public key"), ("", "empty"),
        ] {
            let error = await #expect(throws: CredentialProblem.self) {
                _ = try await seen(.privateKeyJWT(jwt()), credentials: ["id": "client-1", "key": key])
            }
            #expect(error?.credential == "key")
            #expect(error?.problem.contains(words) == true, "\(error?.problem ?? "")")
            #expect(error?.problem.contains("canary") == false)
        }
        let error = await #expect(throws: CredentialProblem.self) {
            _ = try await seen(
                .privateKeyJWT(jwt { $0.algorithm = .rs256 }), credentials: ["id": "c", "key": Self.key])
        }
        #expect(error?.problem.contains("RS256") == true && error?.problem.contains("the kind RSA is needed") == true)
    }
}
