import Foundation
import JSONTree
import Testing
import VerificationCore

@testable import Certified
@testable import Configuration

/// Mutual TLS: what a provider would refuse at every handshake is found out before, and an end is told weeks ahead.
@Suite struct ClientCertificateTests {
    private static func path(_ name: String) -> String { Fixture.folder.appendingPathComponent(name).path }

    /// The fixtures are valid from 2026-01-01 until 2026-12-31; the second of `client-ec.pem`, its authority, ends in October.
    private static func open(
        _ certificate: String, _ key: String, at now: Timestamp = Stage.now
    ) throws(JSONProblems) -> CertifiedVerifier {
        let text = """
            { kind: "certified", manifest: "\(path("pocketsign.json5"))", credentials: { api_token: { env: "SECRET" } },
              tls: { client_certificate: "\(certificate)", client_key: { file: "\(key)" } },
              wallet: { merchant_identifier: "m", team_identifier: "t", key_holder: "provider" } }
            """
        guard let node = try? JSONNode.parse(Array(text.utf8), syntax: .json5) else { throw JSONProblems([]) }
        let declaration = VerifierDeclaration(
            id: VerifierID("x"), kind: "certified", certification: nil, certificationException: nil, isSimulated: false,
            node: node, path: "verifiers.x")
        let context = KindContext(
            environment: .production, now: now, resolver: SecretResolver(variables: ["SECRET": "a-secret"]))
        return try CertifiedProvider.open(declaration, in: context, client: FakeProvider.script([]))
    }

    private static func problems(_ certificate: String, _ key: String, at now: Timestamp = Stage.now) -> [String] {
        do throws(JSONProblems) {
            _ = try open(certificate, key, at: now)
            return []
        } catch {
            return error.problems.map { "\($0.path): \($0.problem)" }
        }
    }

    @Test(arguments: ["ec", "rsa", "ed25519"])
    func `a certificate and its own key are taken, of whatever kind`(kind: String) throws {
        #expect(Self.problems(Self.path("client-\(kind).pem"), Self.path("client-\(kind).key")) == [])
    }

    @Test(arguments: [("ec", "rsa"), ("rsa", "ec"), ("ed25519", "ec"), ("ec", "ed25519")])
    func `another key than the certificate's is refused`(certificate: String, key: String) {
        let found = Self.problems(Self.path("client-\(certificate).pem"), Self.path("client-\(key).key"))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("verifiers.x.tls.client_certificate: is a certificate for another key") == true)
    }

    @Test func `another key of the same kind is refused, and one that is no key names itself`() throws {
        let other = FileManager.default.temporaryDirectory.appendingPathComponent("key-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: other) }
        let made = Process()
        made.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        made.arguments = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", other.path]
        try made.run()
        made.waitUntilExit()
        #expect(
            Self.problems(Self.path("client-ec.pem"), other.path).first?.contains("for another key than client_key")
                == true)
        let certificate = Self.path("client-ec.pem")
        #expect(
            Self.problems(certificate, certificate) == [
                "verifiers.x.tls.client_key: cannot be used: this is a certificate; its private key is needed"
            ])
        #expect(Self.problems(Self.path("client-ec.key"), Self.path("client-ec.key")).count == 1)
    }

    @Test func `one that has ended, or has not begun, is refused with its date`() throws {
        let late = try #require(RFC3339.timestamp("2027-01-01T00:00:00Z"))
        let early = try #require(RFC3339.timestamp("2025-12-31T23:59:59Z"))
        let (certificate, key) = (Self.path("client-rsa.pem"), Self.path("client-rsa.key"))
        #expect(
            Self.problems(certificate, key, at: late) == [
                "verifiers.x.tls.client_certificate: ran out at 2026-12-31T00:00:00Z"
            ])
        #expect(
            Self.problems(certificate, key, at: early) == [
                "verifiers.x.tls.client_certificate: is not valid before 2026-01-01T00:00:00Z"
            ])
    }

    @Test func `its end is told thirty days ahead, and past it the verifier is not ready`() throws {
        let file = Self.path("client-rsa.pem")
        let verifier = try Self.open(file, Self.path("client-rsa.key"))
        let end = try #require(RFC3339.timestamp("2026-12-31T00:00:00Z"))
        func health(_ days: Int64) -> VerifierHealth { verifier.health(at: end.advanced(by: .seconds(days * 86_400))) }
        #expect(health(-31).alarms.isEmpty && health(-31).isReady)
        #expect(
            health(-30).alarms == [
                VerifierHealth.Alarm(code: "client_certificate_expiring", subject: file, daysLeft: 30)
            ])
        #expect(health(-30).isReady && health(0).isReady)
        #expect(
            health(1).alarms == [
                VerifierHealth.Alarm(code: "client_certificate_expired", subject: file, daysLeft: -1)
            ])
        #expect(!health(1).isReady)
        #expect(health(-200).certificates.map(\.validUntil) == [end])
        #expect(health(-200).certificates.first?.daysLeft(at: end.advanced(by: .seconds(-200 * 86_400))) == 200)
    }

    @Test func `an authority in the same file gives alarm, and does not stop the verifier`() throws {
        let verifier = try Self.open(Self.path("client-ec.pem"), Self.path("client-ec.key"))
        let now = try #require(RFC3339.timestamp("2026-10-02T00:00:00Z"))
        let health = verifier.health(at: now)
        #expect(health.isReady)
        #expect(health.alarms.map(\.code) == ["client_certificate_expired"])
        #expect(health.alarms.first?.subject.hasSuffix("client-ec.pem: CN=Provider Intermediate") == true)
        #expect(health.certificates.count == 2)
    }

    @Test func `what was read is told apart by digests, and secrets stay secret`() throws {
        let verifier = try Self.open(Self.path("client-ec.pem"), Self.path("client-ec.key"))
        let parts = Dictionary(grouping: verifier.parts, by: \.kind)
        #expect(parts[.manifest]?.contains { $0.name == "steps.submit" } == true)
        #expect(parts[.manifest]?.contains { $0.name == "nonce.form" } == true)
        #expect(parts[.credential]?.map(\.name) == ["api_token"])
        #expect(parts[.clientCertificate]?.count == 1 && parts[.clientKey]?.count == 1)
        for part in verifier.parts {
            switch (part.kind, part.content) {
            case (.credential, .secret), (.clientKey, .secret): break
            case (.credential, .digest), (.clientKey, .digest), (_, .secret): Issue.record("\(part.kind)")
            case (_, .digest(let bytes)): #expect(bytes.count == 32)
            }
        }
        #expect(!"\(verifier.parts)".contains("a-secret"))
    }
}
