import Mdoc
import Testing
import Trust
import VerificationCore
import WalletKit

@Suite struct `Every fault of the wallet, judged by the verifier` {
    @Test(arguments: Card.Kind.allCases, [CertificateProfile.basic, .iso18013_5])
    func `each fault fails its check for its reason, and no other check`(
        kind: Card.Kind, profile: CertificateProfile
    ) throws {
        var scenery = try Scenery(kind)
        scenery.profile = profile
        for fault in Fault.all where fault.need != .statusList {
            guard let expectation = fault.expectation else { continue }
            if fault.need == .annexB, profile == .basic { continue }
            scenery.revocation = fault.need == .revocationList ? try scenery.wallet.issuer.revocationList() : nil
            let result = try scenery.run(fault: fault)
            let expected = ([expectation] + fault.others).map { "\($0.check): \($0.reason)" }
            #expect(Set(result.failures) == Set(expected), "\(fault.name)")
            #expect(result.isRejected, "\(fault.name)")
            #expect(result.claimCount == 0, "\(fault.name)")
        }
    }

    @Test func `every check and every reason of the in-house table is seen to fail`() throws {
        var checks: Set<String> = []
        var reasons: Set<String> = []
        var scenery = try Scenery()
        scenery.revocation = try scenery.wallet.issuer.revocationList()
        for fault in Fault.all {
            let report = try scenery.run(fault: fault).report
            for check in report.failures {
                checks.insert(check.rawValue)
                if let reason = report[check].reason { reasons.insert(reason.rawValue) }
            }
        }
        #expect(checks == Set(CheckName.inHouse.map(\.rawValue)))
        // A status list is not read yet, and `provider_rejected` is a provider's.
        let unseen: Set<Reason> = [.documentRevoked, .providerRejected]
        #expect(reasons == Set(Reason.allCases.filter { !unseen.contains($0) }.map(\.rawValue)))
    }

    @Test(arguments: Fault.all.filter { $0.need == .annexB }.map(\.name))
    func `what only Annex B forbids passes under the profile basic`(name: String) throws {
        var scenery = try Scenery()
        scenery.profile = .basic
        #expect(try scenery.run(fault: .named(name)).failures == [])
    }

    @Test func `a signer is revoked only for a verifier that has the list`() throws {
        var scenery = try Scenery()
        let without = try scenery.run(fault: .named("signer_revoked"))
        #expect(without.report[.revocation] == .notChecked)
        #expect(without.isVerified)
        scenery.revocation = try scenery.wallet.issuer.revocationList()
        #expect(try scenery.run().report[.revocation] == .passed)
    }

    @Test func `a stale list never says good`() throws {
        var scenery = try Scenery()
        scenery.revocation = try scenery.wallet.issuer.revocationList(
            thisUpdate: Scenery.now.adding(days: -30), nextUpdate: Scenery.now.adding(seconds: -1))
        let genuine = try scenery.run()
        #expect(genuine.report[.revocation] == .notChecked)
        #expect(genuine.isRevocationUndetermined)
        #expect(genuine.verdict == nil)
        #expect(genuine.claimCount == 0)
        let revoked = try scenery.run(fault: .named("signer_revoked"))
        #expect(revoked.failures == ["revocation: issuer_certificate_revoked"])
    }

    @Test func `a list of another authority says nothing`() throws {
        var scenery = try Scenery()
        scenery.revocation = try Issuer(at: Scenery.now).revocationList()
        let result = try scenery.run(fault: .named("signer_revoked"))
        #expect(result.report[.revocation] == .notChecked)
        #expect(!result.isVerified)
    }

    @Test func `a status list is not taken for good while nobody reads it`() throws {
        let result = try Scenery().run(fault: .named("document_revoked"))
        #expect(result.report[.revocation] == .notChecked)
        #expect(result.failures == [])
    }

    @Test func `a My Number that comes unasked vanishes, and is an incident`() throws {
        let result = try Scenery().run(fault: .named("individual_number"))
        #expect(result.isVerified)
        #expect(result.incidents == [.individualNumberReceived])
        #expect(result.claim("individual_number") == nil)
        #expect(result.claim("document_number") == nil)
        var text = ""
        result.claims.withValue { claims in _ = dump(claims, to: &text) }
        #expect(text.contains("札幌"))
        #expect(!text.contains(Card.Japan.individualNumber))
    }

    @Test func `the same envelope is worth nothing for another session`() throws {
        let scenery = try Scenery()
        let (first, second) = (scenery.request(), scenery.request())
        let envelope = try scenery.wallet.present(first, at: Scenery.now)
        #expect(try scenery.verify(envelope, first).isVerified)
        #expect(try scenery.verify(envelope, second).failures == ["session_binding: session_mismatch"])
        var other = first
        other.merchantIdentifier = "merchant.evil"
        #expect(try scenery.verify(envelope, other).failures == ["session_binding: session_mismatch"])
    }

    @Test func `every prefix of an envelope is malformed, and nothing worse`() throws {
        let scenery = try Scenery()
        let request = scenery.request()
        let envelope = try scenery.wallet.present(request, at: Scenery.now)
        for length in stride(from: 0, to: envelope.count, by: 17) {
            let result = try scenery.verify(Array(envelope.prefix(length)), request)
            #expect(result.failures == ["envelope: evidence_malformed"])
        }
    }
}
