import HTTPClient
import JSONTree
import Testing
import VerificationCore

@testable import Certified

/// A token from another service, as NTT Communications has it from OpenStack's Keystone (identity API v3).
@Suite struct DeclaredTokenTests {
    private static let now = Timestamp(seconds: 1_796_029_200)

    private static let keystone = #"""
        {name: "Keystone", endpoint: "https://api.example.com/v2",
         credentials: {user: "The user", password: "Its password"}, variables: {domain: {default: "デフォルト"}},
         authentication: {
             kind: "token", header: "X-Auth-Token",
             request: {
                 endpoint: "https://identity.example.com/v3/auth/tokens",
                 json: {auth: {identity: {methods: ["password"], password: {user: {
                     name: "{credentials.user}", password: "{credentials.password}",
                     domain: {id: "{variables.domain}"}}}}}},
             },
             token: {header: "X-Subject-Token"}, expires: {at: "/token/expires_at", format: "rfc3339"}, margin: "60s"},
         nonce: {origin: "gateway", form: "base64url"},
         steps: {submit: {
             method: "POST", path: "/v", json: {data: "{evidence:base64}"}, timeout: "10s",
             answer: {reference: "/id"},
             outcomes: [{status: 200, at: "/ok", is: true, means: "verified"}]}}}
        """#

    private func declaration() throws -> AuthenticationDeclaration {
        let problems = JSONProblemList()
        let manifest = ManifestReading.manifest(Array(Self.keystone.utf8), problems: problems)
        let found = problems.problems.filter { $0.path.hasPrefix("authentication") }
        #expect(found.isEmpty, "\(found)")
        return try #require(manifest?.authentication.first)
    }

    private func authenticator(_ provider: FakeProvider) throws -> any RequestAuthenticator {
        var access = ProviderAccess.example(
            provider, credentials: ["user": "gateway", "password": #"p"\,{credentials.user}"#])
        access.variables = ["domain": .text("デフォルト")]
        return try Authenticators.open([try declaration()], access: access)
    }

    private static func answer(
        _ expiry: String, token: [String] = ["tok-1"], status: Int = 201
    ) -> Result<OutboundAnswer, OutboundFailure> {
        .success(
            .json(
                #"{"token":{"expires_at":\#(expiry)}}"#, status: status,
                headers: token.map { ("X-Subject-Token", $0) }))
    }

    private func carried(_ authenticator: any RequestAuthenticator, at now: Timestamp = now) async throws -> String? {
        var request = DraftRequest.example()
        try await authenticator.authorize(&request, at: now)
        return request.header("x-auth-token")
    }

    @Test func `the token's request is made of its templates, and a secret in it is a value and nothing more`()
        async throws
    {
        let provider = FakeProvider { _ in Self.answer(#""2026-11-30T10:00:00.000000Z""#) }
        let authenticator = try authenticator(provider)
        #expect(try await carried(authenticator) == "tok-1")
        let seen = try #require(await provider.seen.first)
        #expect(seen.url == "https://identity.example.com/v3/auth/tokens" && seen.method == "POST")
        let user = try JSONNode.parse(Array(seen.body.utf8), syntax: .json)["auth"]?["identity"]?["password"]?["user"]
        #expect(user?["name"]?.string == "gateway" && user?["password"]?.string == #"p"\,{credentials.user}"#)
        #expect(user?["domain"]?["id"]?.string == "デフォルト")
        #expect(seen.header("content-type") == "application/json" && seen.header("x-auth-token") == nil)
        // An hour, less the margin.
        #expect(try await carried(authenticator, at: Timestamp(seconds: 1_796_029_200 + 3539)) == "tok-1")
        #expect(await provider.seen.count == 1)
        #expect(try await carried(authenticator, at: Timestamp(seconds: 1_796_029_200 + 3540)) == "tok-1")
        #expect(await provider.seen.count == 2)
    }

    @Test func `P11 an expiry in the past, or that cannot be read, has its rule`() async throws {
        for (expiry, serves) in [(#""2026-11-30T08:55:00Z""#, 0), ("null", 240), (#""soon""#, 240), ("17", 240)] {
            let provider = FakeProvider { _ in Self.answer(expiry) }
            let authenticator = try authenticator(provider)
            #expect(try await carried(authenticator) == "tok-1")
            if serves > 0 {
                _ = try await carried(authenticator, at: Timestamp(seconds: 1_796_029_200 + Int64(serves) - 1))
                #expect(await provider.seen.count == 1, "\(expiry)")
            }
            _ = try await carried(authenticator, at: Timestamp(seconds: 1_796_029_200 + Int64(serves)))
            #expect(await provider.seen.count == 2, "\(expiry)")
        }
    }

    @Test func `a token that is missing, double or no header's value is a protocol error that bills nothing`()
        async throws
    {
        for token in [[], ["a", "b"], ["a b"], [""], ["é"]] {
            let provider = FakeProvider { _ in Self.answer("null", token: token) }
            let authenticator = try authenticator(provider)
            let error = await #expect(throws: VerificationError.self) { try await carried(authenticator) }
            #expect(error?.code == .providerProtocolError && error?.mayHaveBilled == false, "\(token)")
            #expect(await provider.seen.count == 1)
        }
    }

    @Test func `P11 many refused requests cost one token`() async throws {
        let provider = FakeProvider { number in Self.answer("null", token: ["tok-\(number)"]) }
        let authenticator = try authenticator(provider)
        var requests: [DraftRequest] = []
        for _ in 0..<20 {
            var request = DraftRequest.example()
            try await authenticator.authorize(&request, at: Self.now)
            requests.append(request)
        }
        for request in requests {
            #expect(await authenticator.refused(request, at: Self.now))
            #expect(try await carried(authenticator) == "tok-2")
        }
        #expect(await provider.seen.count == 2)
    }

    @Test func `a secret that is missing or no text is named`() throws {
        let provider = FakeProvider { _ in Self.answer("null") }
        for secrets in [["user": "x"], ["password": "x"]] {
            let problem = #expect(throws: CredentialProblem.self) {
                _ = try Authenticators.open(
                    [try declaration()], access: .example(provider, credentials: secrets))
            }
            #expect(problem?.credential == (secrets["user"] == nil ? "user" : "password"))
        }
    }
}
