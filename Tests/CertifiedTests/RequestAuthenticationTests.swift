import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// The codes were computed by Python's hmac.
@Suite struct RequestAuthenticationTests {
    private static let provider = FakeProvider { _ in .failure(OutboundFailure(.closed, wasSent: false)) }

    private func authorized(
        _ declarations: [AuthenticationDeclaration], _ request: DraftRequest, credentials: [String: String],
        at now: Timestamp = Timestamp(seconds: 1_607_551_635)
    ) async throws -> DraftRequest {
        let authenticator = try Authenticators.open(
            declarations, access: .example(Self.provider, credentials: credentials))
        var request = request
        try await authenticator.authorize(&request, at: now)
        #expect(await authenticator.refused(request, at: now) == false)
        return request
    }

    @Test func `bearer, keys in headers and basic authentication are written as their documents have them`()
        async throws
    {
        let bearer = try await authorized([.bearer("key")], .example(), credentials: ["key": "abc.DEF-1~"])
        #expect(bearer.header("Authorization") == "Bearer abc.DEF-1~")
        let onfido = try await authorized(
            [.header(name: "Authorization", prefix: "Token token=", credential: "key")], .example(),
            credentials: ["key": "api_live.x"])
        #expect(onfido.header("authorization") == "Token token=api_live.x")
        // RFC 7617 section 2 and section 2.1.
        let basic = try await authorized(
            [.basic(username: "user", password: "password")], .example(),
            credentials: ["user": "Aladdin", "password": "open sesame"])
        #expect(basic.header("authorization") == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let pound = try await authorized(
            [.basic(username: "user", password: "password")], .example(),
            credentials: ["user": "test", "password": "123£"])
        #expect(pound.header("authorization") == "Basic dGVzdDoxMjPCow==")
        let both = try await authorized(
            [
                .header(name: "X-Client-Id", prefix: "", credential: "id"),
                .header(name: "X-Api-Key", prefix: "", credential: "key"),
            ], .example(), credentials: ["id": "one", "key": "two"])
        #expect(both.header("x-client-id") == "one" && both.header("x-api-key") == "two")
        #expect(both.headers.count == 2)
    }

    @Test func `what a template wrote into the same header is replaced, not sent beside`() async throws {
        var request = DraftRequest.example()
        request.set("AUTHORIZATION", Sensitive("Bearer of-the-template"))
        let bearer = try await authorized([.bearer("key")], request, credentials: ["key": "abc"])
        #expect(bearer.headers.count == 1 && bearer.header("authorization") == "Bearer abc")
    }

    private static func sumsub(_ methods: Set<HTTPMethod>? = nil) -> SignatureDeclaration {
        SignatureDeclaration(
            credential: "secret", keyForm: .utf8, parts: [.timestamp, .method, .target, .body], encoding: .hex,
            header: "X-App-Access-Sig", prefix: "", timestampHeader: "X-App-Access-Ts", timestampForm: .epochSeconds,
            methods: methods)
    }

    @Test func `Sumsub's signature is over time, method, path with query, and body`() async throws {
        let credentials = ["secret": "Hej2ch71kG2kTd1iIUDZFNsO5C1lh5Gq", "token": "sbx:app"]
        let declarations: [AuthenticationDeclaration] = [
            .header(name: "X-App-Token", prefix: "", credential: "token"), .signature(Self.sumsub()),
        ]
        let post = try await authorized(
            declarations,
            .example(
                .post, path: "/resources/applicants", query: "levelName=basic-kyc-level",
                body: #"{"externalUserId":"some-user-id"}"#), credentials: credentials)
        #expect(
            post.header("x-app-access-sig") == "7d0caf604dddfdb992dc7d92d3182fa9b605d8f80be06ddb3325577a11e37eed")
        #expect(post.header("x-app-access-ts") == "1607551635" && post.header("x-app-token") == "sbx:app")
        let get = try await authorized(
            declarations, .example(.get, path: "/resources/applicants/abc/one"), credentials: credentials)
        #expect(get.header("x-app-access-sig") == "125936c206b48aeb838cdfc65889eab42ec6362a727140e5b27e61b982c9f4b7")
    }

    @Test func `Veriff signs the body of what it posts and the session of what it asks for`() async throws {
        func signature(_ parts: [SignatureDeclaration.Part], _ methods: Set<HTTPMethod>) -> AuthenticationDeclaration {
            .signature(
                SignatureDeclaration(
                    credential: "secret", keyForm: .utf8, parts: parts, encoding: .hex, header: "X-HMAC-SIGNATURE",
                    prefix: "", timestampHeader: nil, timestampForm: .epochSeconds, methods: methods))
        }
        let declarations: [AuthenticationDeclaration] = [
            .header(name: "X-AUTH-CLIENT", prefix: "", credential: "client"),
            signature([.body], [.post, .patch]), signature([.reference], [.get, .delete]),
        ]
        let credentials = ["secret": "abcdef12-abcd-abcd-abcd-abcdef012345", "client": "public-key"]
        let session = "aea9ba6d-1b47-47fc-a4fc-f72b6d3584a7"
        let patch = try await authorized(
            declarations, .example(.patch, body: #"{"status":"submitted"}"#, reference: session),
            credentials: credentials)
        #expect(
            patch.header("x-hmac-signature") == "fc217a6c4a825c3010dbd9d270beed539be5183fde61659786c5c176f461f8c1")
        for method in [HTTPMethod.get, .delete] {
            let get = try await authorized(declarations, .example(method, reference: session), credentials: credentials)
            #expect(
                get.header("x-hmac-signature") == "895cb3fd31139d89aeb7b263682e15479ab57651e70591256ad2c14fde4950dd")
        }
        let put = try await authorized(declarations, .example(.put, reference: session), credentials: credentials)
        #expect(put.header("x-hmac-signature") == nil, "a method that nobody declared is not signed")
        let error = await #expect(throws: VerificationError.self) {
            _ = try await authorized(declarations, .example(.get), credentials: credentials)
        }
        #expect(error?.code == .internal && error?.mayHaveBilled == false)
    }

    @Test func `other forms of key, time, digest and code`() async throws {
        let key = (0..<32).map { UInt8($0) }
        let digest = SignatureDeclaration(
            credential: "secret", keyForm: .hex,
            parts: [.timestamp, .text("\n"), .method, .text("\n"), .path, .text("\n"), .bodyDigest], encoding: .base64,
            header: "Signature", prefix: "v1=", timestampHeader: "Date-Signed", timestampForm: .rfc3339, methods: nil)
        let now = Timestamp(milliseconds: 1_796_029_200_123)
        let put = try await authorized(
            [.signature(digest)], .example(.put, path: "/v1/x%20y", query: "ignored=1", body: #"{"a":1}"#),
            credentials: ["secret": ByteText.hex(key)], at: now)
        #expect(put.header("signature") == "v1=DqI77YYvsNAkTWTH3yK3/rpn4EGDd0SokX6Ui+fz6m8=")
        #expect(put.header("date-signed") == "2026-11-30T09:00:00Z")
        let url = SignatureDeclaration(
            credential: "secret", keyForm: .base64, parts: [.timestamp, .method], encoding: .base64URL,
            header: "Signature", prefix: "", timestampHeader: "T", timestampForm: .epochMilliseconds, methods: nil)
        let delete = try await authorized(
            [.signature(url)], .example(.delete), credentials: ["secret": ByteText.base64(key)], at: now)
        #expect(delete.header("signature") == "s3HxwVOLN7GwBhlJXK0wmfPJOEMlPqiNOqqW6WzeXl0")
        #expect(delete.header("t") == "1796029200123")
    }

    /// A declaration, its secrets, which of them is at fault, and a word of the problem.
    static let problems: [(AuthenticationDeclaration, [String: String], String, String)] = [
        (.bearer("key"), [:], "key", "missing"), (.bearer("key"), ["key": "canary\n"], "key", "line end"),
        (.bearer("key"), ["key": " canary"], "key", "space"), (.bearer("key"), ["key": "canarý"], "key", "ASCII"),
        (.bearer("key"), ["key": "canary\r\nX: y"], "key", "line end"), (.bearer("key"), ["key": ""], "key", "header"),
        (.header(name: "X", prefix: "p ", credential: "key"), ["key": "canary\u{0}"], "key", "header"),
        (.basic(username: "u", password: "p"), ["u": "canary:", "p": "x"], "u", "colon"),
        (.basic(username: "u", password: "p"), ["u": "x", "p": "canary\n"], "p", "control"),
        (.basic(username: "u", password: "p"), ["u": "x"], "p", "missing"),
        (.signature(sumsub()), ["token": "x"], "secret", "missing"),
    ]

    @Test(arguments: problems.indices)
    func `F05 a secret that cannot be used is named by its credential, and nothing of it is shown`(index: Int) throws {
        let (declaration, secrets, credential, word) = Self.problems[index]
        let problem = #expect(throws: CredentialProblem.self) {
            _ = try Authenticators.open([declaration], access: .example(Self.provider, credentials: secrets))
        }
        #expect(problem?.credential == credential)
        #expect(problem?.problem.contains(word) == true, "\(problem?.problem ?? "")")
        #expect(problem.map { "\($0)".contains("canary") } == false)
    }

    @Test func `F05 no authenticator, and no request, shows a secret`() async throws {
        let secret = "canary-0123456789"
        let credentials = ["a": secret, "b": secret, "id": secret]
        var declaration = Self.sumsub()
        declaration.credential = "a"
        let oauth = OAuthDeclaration(
            tokenEndpoint: "/t", client: .basic(identifier: "id", secret: "b"), scope: nil, audience: nil,
            parameters: [], margin: .zero, assumedLifetime: .seconds(60))
        let access = ProviderAccess.example(FakeProvider.tokens(), credentials: credentials)
        let authenticator = try Authenticators.open(
            [
                .header(name: "X-Key", prefix: "", credential: "b"), .basic(username: "id", password: "a"),
                .signature(declaration), .oauth(oauth),
            ], access: access)
        var request = DraftRequest.example()
        try await authenticator.authorize(&request, at: Timestamp(seconds: 1_796_029_200))
        #expect(request.header("authorization") == "Bearer token-1" && request.header("x-key") == secret)
        var dumped = ""
        dump(authenticator, to: &dumped)
        dump(request, to: &dumped)
        dump(access.credentials, to: &dumped)
        for text in [dumped, "\(authenticator)", "\(request)", String(reflecting: request)] {
            #expect(!text.contains("canary") && !text.contains("token-1"))
            #expect(!text.contains(ByteText.base64(Array(secret.utf8))) && !text.contains("99, 97, 110"))
        }
    }
}
