import HTTPClient
import Testing
import VerificationCore

@testable import Certified

@Suite struct TokenTests {
    static let now = Timestamp(seconds: 1_796_029_200)

    private func authenticator(
        _ provider: FakeProvider, margin: Duration = .seconds(30), assumed: Duration = .seconds(300)
    ) throws -> any RequestAuthenticator {
        try Authenticators.open(
            [
                .oauth(
                    OAuthDeclaration(
                        tokenEndpoint: "/oauth/token", client: .body(identifier: "id", secret: "secret"), scope: nil,
                        audience: nil, parameters: [], margin: margin, assumedLifetime: assumed))
            ], access: .example(provider, credentials: ["id": "client", "secret": "canary-secret"]))
    }

    /// What the request carries at a time, or the error.
    private func carried(
        _ authenticator: any RequestAuthenticator, at now: Timestamp = now
    ) async -> Result<String?, VerificationError> {
        var request = DraftRequest.example()
        do throws(VerificationError) {
            try await authenticator.authorize(&request, at: now)
            return .success(request.header("authorization"))
        } catch { return .failure(error) }
    }

    private static func later(_ seconds: Int64, milliseconds: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: now.milliseconds + seconds * 1000 + milliseconds)
    }

    @Test func `P11 a hundred requests at the token's expiry make one token call`() async throws {
        let provider = FakeProvider.tokens(delay: .milliseconds(20))
        let authenticator = try authenticator(provider)
        for (round, moment) in [Self.now, Self.later(3600), Self.later(7200)].enumerated() {
            await withTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask { await carried(authenticator, at: moment) }
                }
                for await result in group { #expect(result == .success("Bearer token-\(round + 1)")) }
            }
            #expect(await provider.seen.count == round + 1)
        }
    }

    @Test func `P11 a token that expired on the way costs one renewal for any number of refused requests`() async throws
    {
        let provider = FakeProvider.tokens(delay: .milliseconds(20))
        let authenticator = try authenticator(provider)
        var sent: [DraftRequest] = []
        for _ in 0..<100 {
            var request = DraftRequest.example()
            try await authenticator.authorize(&request, at: Self.now)
            sent.append(request)
        }
        #expect(await provider.seen.count == 1)
        await withTaskGroup { group in
            for (number, request) in sent.enumerated() {
                group.addTask {
                    // Some refusals come back long after others have been answered with the new token.
                    try? await Task.sleep(for: .milliseconds(number))
                    let isWorthwhile = await authenticator.refused(request, at: Self.now)
                    return (isWorthwhile, await carried(authenticator))
                }
            }
            for await (isWorthwhile, result) in group {
                #expect(isWorthwhile)
                #expect(result == .success("Bearer token-2"))
            }
        }
        #expect(await provider.seen.count == 2)
    }

    /// What `expires_in` says, and how long the token then serves, with a margin of 30 seconds and 300 assumed.
    static let lifetimes: [(String, Int64)] = [
        (#""expires_in":3600"#, 3_570_000), (#""expires_in":"3600""#, 3_570_000), (#""expires_in":60"#, 30_000),
        (#""expires_in":40"#, 20_000), (#""expires_in":1"#, 500), (#""expires_in":0"#, 0), (#""expires_in":"0""#, 0),
        (#""expires_in":-1"#, 0), (#""expires_in":"-3600""#, 0), (#""expires_in":-99999999999999999999"#, 0),
        (#""expires_in":1000000000"#, 86_370_000), (#""expires_in":99999999999999999999"#, 86_370_000),
        (#""expires_in":"99999999999999999999""#, 86_370_000),
        ("", 270_000), (#""expires_in":null"#, 270_000), (#""expires_in":1e9"#, 270_000),
        (#""expires_in":3600.5"#, 270_000), (#""expires_in":"an hour""#, 270_000), (#""expires_in":"""#, 270_000),
        (#""expires_in":"-""#, 270_000), (#""expires_in":" 60""#, 270_000), (#""expires_in":true"#, 270_000),
        (#""expires_in":[60]"#, 270_000), (#""expires_in":{"seconds":60}"#, 270_000),
    ]

    @Test(arguments: lifetimes)
    func `P11 every lifetime that an answer can state has its rule`(rest: String, serves: Int64) async throws {
        let provider = FakeProvider.tokens(rest)
        let authenticator = try authenticator(provider)
        #expect(await carried(authenticator) == .success("Bearer token-1"))
        if serves > 0 {
            #expect(
                await carried(authenticator, at: Self.later(0, milliseconds: serves - 1)) == .success("Bearer token-1"))
            #expect(await provider.seen.count == 1)
        }
        #expect(await carried(authenticator, at: Self.later(0, milliseconds: serves)) == .success("Bearer token-2"))
        #expect(await provider.seen.count == 2)
    }

    @Test func `P11 a token without any life serves everybody who waited for it`() async throws {
        let provider = FakeProvider.tokens(#""expires_in":0"#, delay: .milliseconds(50))
        let authenticator = try authenticator(provider)
        let results = await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await carried(authenticator) } }
            return await group.reduce(into: [String?]()) { $0.append(try? $1.get()) }
        }
        #expect(results.allSatisfy { $0?.hasPrefix("Bearer token-") == true })
        // The twenty began together or nearly so; a call for each of them would be twenty.
        #expect(await provider.seen.count < 20)
    }

    @Test func `P11 the clock going back or forth by five minutes renews at worst early`() async throws {
        let provider = FakeProvider.tokens()
        let authenticator = try authenticator(provider)
        #expect(await carried(authenticator) == .success("Bearer token-1"))
        #expect(await carried(authenticator, at: Self.later(-300)) == .success("Bearer token-1"))
        #expect(await carried(authenticator, at: Self.later(300)) == .success("Bearer token-1"))
        #expect(await carried(authenticator, at: Self.later(3600 + 300)) == .success("Bearer token-2"))
        #expect(await provider.seen.count == 2)
    }

    /// What the token endpoint does, and what comes of it.
    static let failures: [(Result<OutboundAnswer, OutboundFailure>, VerificationError.Code)] = [
        (.success(.json("{}", status: 500)), .providerUnavailable),
        (.success(.json("<html>502</html>", status: 502)), .providerUnavailable),
        (.success(.json("{}", status: 429)), .providerUnavailable),
        (.success(.json(#"{"error":"invalid_client"}"#, status: 401)), .providerUnavailable),
        (.success(.json(#"{"error":"invalid_request"}"#, status: 400)), .providerUnavailable),
        (
            .success(.json("", status: 307, headers: [("Location", "https://elsewhere.example/token")])),
            .providerUnavailable
        ),
        (.success(.json("", status: 302, headers: [("Location", "/token2")])), .providerUnavailable),
        (.success(.json("<html>")), .providerProtocolError), (.success(.json("")), .providerProtocolError),
        (.success(.json("[]")), .providerProtocolError), (.success(.json("{}")), .providerProtocolError),
        (.success(.json(#"{"access_token":""}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":null}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":7}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":"a\r\nX-Evil: b"}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":"a b"}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":"トークン"}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":"a","access_token":"b"}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":"a","token_type":"mac"}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":"a","token_type":7}"#)), .providerProtocolError),
        (.success(.json(#"{"access_token":"\#(String(repeating: "a", count: 9000))"}"#)), .providerProtocolError),
        (.success(.json("\u{FEFF}{\"access_token\":\"a\"}")), .providerProtocolError),
        (.failure(OutboundFailure(.timedOut, wasSent: true)), .providerUnavailable),
        (.failure(OutboundFailure(.connectionLost, wasSent: true)), .providerUnavailable),
        (.failure(OutboundFailure(.connectFailed, wasSent: false)), .providerUnavailable),
        (.failure(OutboundFailure(.tlsFailed, wasSent: false)), .providerUnavailable),
        (.failure(OutboundFailure(.answerTooLarge, wasSent: true)), .providerUnavailable),
        (.failure(OutboundFailure(.tooManyRequests, wasSent: false)), .providerUnavailable),
        (.failure(OutboundFailure(.requestRefused, wasSent: false)), .internal),
        (.failure(OutboundFailure(.cancelled, wasSent: false)), .cancelled),
    ]

    @Test(arguments: failures.indices)
    func `P11 a token endpoint that fails is an error that bills nothing, is asked once, and is asked again next time`(
        index: Int
    ) async throws {
        let (result, code) = Self.failures[index]
        let provider = FakeProvider { _ in result }
        let authenticator = try authenticator(provider)
        guard case .failure(let error) = await carried(authenticator) else {
            Issue.record("\(index) gave a token")
            return
        }
        #expect(error.code == code)
        #expect(!error.mayHaveBilled)
        #expect(!"\(error)".contains("canary"))
        #expect(await provider.seen.map(\.url) == ["https://api.example.com/v2/oauth/token"])
        await provider.answer { _ in .success(.json(#"{"access_token":"good"}"#)) }
        #expect(await carried(authenticator) == .success("Bearer good"))
        #expect(await provider.seen.count == 2)
    }

    @Test func `a failed renewal is told to everybody who waited, and asked once`() async throws {
        let provider = FakeProvider(delay: .milliseconds(20)) { _ in
            .success(.json("{}", status: 503, headers: [("Retry-After", "7")]))
        }
        let authenticator = try authenticator(provider)
        let results = await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await carried(authenticator) } }
            return await group.reduce(into: [Result<String?, VerificationError>]()) { $0.append($1) }
        }
        for result in results {
            guard case .failure(let error) = result else {
                Issue.record("there is no token")
                continue
            }
            #expect(error.code == .providerUnavailable && error.retryAfter == .seconds(7))
        }
        #expect(await provider.seen.count < 50)
    }

    @Test func `while the old token is good, a token endpoint that is down costs nothing`() async throws {
        let provider = FakeProvider.tokens(#""expires_in":100"#)
        let authenticator = try authenticator(provider)
        #expect(await carried(authenticator) == .success("Bearer token-1"))
        await provider.answer { _ in .success(.json("{}", status: 500)) }
        #expect(await carried(authenticator, at: Self.later(70)) == .success("Bearer token-1"))
        #expect(await carried(authenticator, at: Self.later(99, milliseconds: 999)) == .success("Bearer token-1"))
        #expect(await provider.seen.count == 3)
        #expect(
            await carried(authenticator, at: Self.later(100)) == .failure(VerificationError(.providerUnavailable, "")))
        // One that was refused is not good, whatever its time.
        await provider.answer { _ in .success(.json(#"{"access_token":"b","expires_in":100}"#)) }
        #expect(await carried(authenticator, at: Self.later(200)) == .success("Bearer b"))
        var request = DraftRequest.example()
        request.set("authorization", Sensitive("Bearer b"))
        #expect(await authenticator.refused(request, at: Self.later(201)))
        await provider.answer { _ in .success(.json("{}", status: 500)) }
        #expect(
            await carried(authenticator, at: Self.later(201)) == .failure(VerificationError(.providerUnavailable, "")))
    }

    @Test func `a request that is given up takes nothing from the others who wait for the same token`() async throws {
        let provider = FakeProvider.tokens(delay: .milliseconds(100))
        let authenticator = try authenticator(provider)
        let first = Task { await carried(authenticator) }
        while await provider.seen.isEmpty { await Task.yield() }
        let second = Task { await carried(authenticator) }
        first.cancel()
        #expect(await second.value == .success("Bearer token-1"))
        #expect(await carried(authenticator) == .success("Bearer token-1"))
        #expect(await provider.seen.count == 1)
    }

    @Test func `the token request is bounded, may share a connection, and carries the body once`() async throws {
        let provider = FakeProvider.tokens()
        _ = await carried(try authenticator(provider))
        let seen = try #require(await provider.seen.first)
        #expect(seen.method == "POST" && seen.connection == .reuse)
        #expect(seen.limits.answerBytes == 65_536 && seen.limits.totalTimeout == .seconds(10))
        #expect(seen.header("content-type") == "application/x-www-form-urlencoded")
        #expect(seen.header("accept") == "application/json")
        #expect(seen.header("authorization") == nil)
        #expect(seen.body == "grant_type=client_credentials&client_id=client&client_secret=canary-secret")
    }

    @Test func `P11 a refusal of a request that never carried a token of ours is not worth a repeat`() async throws {
        let provider = FakeProvider.tokens()
        let authenticator = try authenticator(provider)
        #expect(await authenticator.refused(.example(), at: Self.now) == false)
        #expect(await provider.seen.isEmpty)
    }
}

extension Result where Success: Equatable, Failure: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.success(let one), .success(let two)): one == two
        case (.failure(let one), .failure(let two)): one == two
        case (.success, .failure), (.failure, .success): false
        }
    }
}
