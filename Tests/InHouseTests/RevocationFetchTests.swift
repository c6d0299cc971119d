import HTTPClient
import HTTPServer
import Synchronization
import Testing
import Trust
import VerificationCore
import WalletKit

@testable import InHouse

/// CRLs that are fetched from a server of the test's own, over plain HTTP, as distribution points speak it.
struct RevocationFetchTests {
    /// What a distribution point answers, and how often it was asked.
    final class Point: Sendable {
        struct State {
            var answer = HTTPResponse(status: 404)
            var pause = Duration.zero
            var asked: [String] = []
        }

        let state = Mutex(State())
        private let server: HTTPServer
        var port: UInt16 { server.port }
        var asked: Int { state.withLock { $0.asked.count } }

        init() throws {
            let box = Box()
            server = try HTTPServer(
                address: "127.0.0.1", port: 0, limits: HTTPLimits(), threads: 1,
                refusal: { _ in HTTPResponse(status: 400) },
                handler: { request in
                    guard let point = box.point.withLock({ $0 }) else { return HTTPResponse(status: 500) }
                    let (answer, pause) = point.state.withLock { state in
                        state.asked.append(request.path)
                        return (state.answer, state.pause)
                    }
                    try? await Task.sleep(for: pause)
                    return answer
                })
            box.point.withLock { $0 = self }
        }

        func give(_ bytes: [UInt8], status: Int = 200, pause: Duration = .zero) {
            state.withLock {
                $0.answer = HTTPResponse(status: status, body: bytes)
                $0.pause = pause
            }
        }

        func url(_ path: String = "/root.crl") -> String { "http://127.0.0.1:\(port)\(path)" }

        private final class Box: Sendable {
            let point = Mutex<Point?>(nil)
        }
    }

    private let world: World
    private let point: Point
    private let lists = FetchedLists()
    private let client: HTTPClient

    init() throws {
        world = try World()
        point = try Point()
        client = try HTTPClient()
    }

    private func open(_ policy: String = "fail") throws -> InHouseVerifier {
        let declaration = try world.declaration {
            $0.replacing(
                "trust: [",
                with: "revocation: { urls: [\"\(point.url())\"], max_age: \"1h\", policy: \"\(policy)\" }, trust: [")
        }
        return try InHouseProvider.open(
            declaration, in: world.context,
            fetching: RevocationFetching(client: client, lists: lists, clock: { World.now }))
    }

    private func revocation(
        _ verifier: InHouseVerifier, fault: Fault? = nil
    ) async throws -> CheckOutcome? {
        let challenge = try await verifier.begin(world.request(), in: world.attempt())
        let conclusion = try await verifier.conclude(
            world.answer(challenge, fault: fault), for: challenge, in: world.attempt())
        guard case .verdict(let verdict, _, _) = conclusion else { return nil }
        return verdict.report[.revocation]
    }

    private func eventually(_ condition: () -> Bool) async -> Bool {
        for _ in 0..<3000 {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return condition()
    }

    private func alarms(_ verifier: InHouseVerifier) -> [String] {
        verifier.health(at: World.now).alarms.map(\.code)
    }

    @Test func `a list is fetched when the verifier is opened, and counts from then on`() async throws {
        point.give(try world.wallet.issuer.revocationList())
        let verifier = try open()
        #expect(await eventually { alarms(verifier).isEmpty })
        #expect(try await revocation(verifier) == .passed)
        #expect(try await revocation(verifier, fault: .named("signer_revoked")) == .failed(.issuerCertificateRevoked))
        #expect(point.state.withLock { $0.asked } == ["/root.crl"])
    }

    @Test func `X13 a distribution point that hangs holds no verification up, and is never good`() async throws {
        point.give(try world.wallet.issuer.revocationList(), pause: .seconds(60))
        let start = ContinuousClock.now
        let strict = try open()
        let lenient = try open("not_checked")
        await #expect(throws: VerificationError(.revocationUnavailable, "")) { _ = try await revocation(strict) }
        #expect(try await revocation(lenient) == .notChecked)
        #expect(ContinuousClock.now - start < .seconds(30), "it waited for the list")
        #expect(alarms(strict).contains("revocation_list_missing"))
    }

    @Test func `X13 what is not a list of ours is a failure and an alarm`() async throws {
        let foreign = try Issuer(at: World.moment).revocationList()
        let cases: [(bytes: [UInt8], status: Int, words: String)] = [
            (Array("<html></html>".utf8), 200, "malformed"), ([], 200, "malformed"),
            (try world.wallet.issuer.revocationList(), 404, "refused"),
            (try world.wallet.issuer.revocationList(), 500, "refused"),
            (try world.wallet.issuer.revocationList(), 206, "refused"), (foreign, 200, "unattributed"),
        ]
        let verifier = try open()
        let trust = try #require(verifier.configuration.trust)
        let fetching = RevocationFetching(client: client, lists: lists, clock: { World.now })
        for item in cases {
            point.give(item.bytes, status: item.status)
            #expect(await RevocationFetcher.fetch(point.url(), trust, fetching) == false)
            #expect(alarms(verifier) == ["revocation_list_fetch_failed", "revocation_list_missing"])
            await #expect(throws: VerificationError(.revocationUnavailable, "")) { _ = try await revocation(verifier) }
        }
        // A list that is here outlives failures.
        point.give(try world.wallet.issuer.revocationList())
        #expect(await RevocationFetcher.fetch(point.url(), trust, fetching))
        point.give([], status: 503)
        #expect(await RevocationFetcher.fetch(point.url(), trust, fetching) == false)
        #expect(alarms(verifier) == ["revocation_list_fetch_failed"])
        #expect(try await revocation(verifier) == .passed)
    }

    @Test func `X13 a redirect is not followed, least of all to a file`() async throws {
        let path = try world.write("root.crl", world.wallet.issuer.revocationList())
        let verifier = try open()
        let trust = try #require(verifier.configuration.trust)
        let fetching = RevocationFetching(client: client, lists: lists, clock: { World.now })
        for target in ["file://\(path)", point.url("/other.crl")] {
            point.state.withLock {
                $0.answer = HTTPResponse(status: 302, headers: [("Location", target)])
            }
            #expect(await RevocationFetcher.fetch(point.url(), trust, fetching) == false)
        }
        #expect(point.state.withLock { $0.asked }.allSatisfy { $0 == "/root.crl" })
        #expect(alarms(verifier).contains("revocation_list_missing"))
    }

    @Test func `the next verifier begins with what the last one fetched`() async throws {
        point.give(try world.wallet.issuer.revocationList())
        var first: InHouseVerifier? = try open()
        #expect(await eventually { first.map { alarms($0).isEmpty } ?? false })
        first = nil
        point.give([], status: 503)
        let second = try open()
        #expect(try await revocation(second) == .passed)
    }

    @Test func `fetching ends with the verifier`() async throws {
        var verifier: InHouseVerifier? = try open()
        #expect(await eventually { point.asked == 1 })
        #expect(verifier != nil)
        verifier = nil
        try await Task.sleep(for: .milliseconds(200))
        #expect(point.asked == 1)
    }

    @Test func `addresses and the age are judged when the configuration is`() throws {
        func problems(_ revocation: String) throws -> [String] {
            try world.problems { $0.replacing("trust: [", with: "revocation: \(revocation), trust: [") }
        }
        #expect(try problems("{ urls: [\"http://crl.example/a\", \"https://crl.example/b\"] }").isEmpty)
        for url in [
            "ftp://crl.example/a", "file:///etc/passwd", "http://user@crl.example/a", "crl.example", "", "http://a/#b",
        ] {
            #expect(
                try problems("{ urls: [\"\(url)\"] }").first?.hasPrefix("verifiers.in-house.revocation.urls[0]: ")
                    == true)
        }
        #expect(try problems("{ urls: [] }").count == 1)
        #expect(try problems("{ urls: [\"http://a/b\", \"http://a/b\"] }").count == 1)
        #expect(try problems("{}").count == 1)
        #expect(try problems("{ urls: [\"http://a/b\"], max_age: \"1m\" }").count == 1)
        #expect(try problems("{ urls: [\"http://a/b\"], max_age: \"90d\" }").count == 1)
        #expect(try problems("{ crls: [\"\(world.path("root.der"))\"], max_age: \"1h\" }").isEmpty == false)
        #expect(try problems("{ urls: [\"http://a/b\"], max_ages: \"1h\" }").count == 1)
    }

    @Test func `a list is fetched several times within its age, and no more often than every minute`() {
        #expect(RevocationFetcher.pause(within: .seconds(600)) == .seconds(100))
        #expect(RevocationFetcher.pause(within: .seconds(24 * 3600)) == .seconds(4 * 3600))
        #expect(RevocationFetcher.pause(within: .seconds(31 * 86_400)) == .seconds(6 * 3600))
    }
}
