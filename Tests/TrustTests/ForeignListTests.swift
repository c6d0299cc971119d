import Foundation
import Testing
import VerificationCore

@testable import Trust

/// A CRL, and the certificates that it speaks of, as OpenSSL's command-line tool makes them.
struct ForeignListTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures").path
    private static let time = "2026-12-01T00:00:00Z"

    private func verifier(lists: [String]) throws -> SignerVerifier {
        let store = try TrustStore.load(
            paths: [(ForeignListTests.folder + "/root.pem", nil)], at: at(ForeignListTests.time))
        let paths = lists.map { ForeignListTests.folder + "/" + $0 }
        let sources = try RevocationSources.load(paths: paths, policy: .fail)
        #expect(sources.alarms(under: store.store, at: at(ForeignListTests.time)).isEmpty)
        return SignerVerifier(trust: store.store, profile: .basic, revocation: sources)
    }

    private func leaf(_ name: String) throws -> [UInt8] {
        var problems: [TrustProblem] = []
        let files = TrustFiles.expand(ForeignListTests.folder + "/" + name, maximumLength: 100_000, &problems)
        return try #require(files.flatMap { TrustBlocks.blocks(of: $0, label: "CERTIFICATE", &problems) }.first).der
    }

    @Test func `X12 OpenSSL's list revokes the one that it names and no other`() throws {
        let verifier = try verifier(lists: ["list.pem"])
        func result(_ name: String, at time: String = ForeignListTests.time) throws -> SignerResult {
            try verifier.verify(chain: [leaf(name)[...]], documentType: "any", at: at(time))
        }
        #expect(try result("good.pem").failure == nil)
        #expect(try result("good.pem").revocation == .good)
        #expect(try result("revoked.pem").failure == nil)
        #expect(try result("revoked.pem").revocation == .revoked)
        #expect(try result("good.pem", at: "2026-12-30T07:41:05Z").revocation == .good)
        #expect(try result("good.pem", at: "2026-12-30T07:41:06Z").revocation == .undetermined)
        #expect(try result("revoked.pem", at: "2026-12-30T07:41:06Z").revocation == .revoked)
        #expect(verifier.revocation?.lists.first?.count == 3)
    }
}
