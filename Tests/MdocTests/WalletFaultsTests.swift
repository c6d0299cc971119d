import Mdoc
import TestSupport
public import Testing
import Trust
import VerificationCore
public import WalletKit

extension Fault: CustomTestStringConvertible {
    public var testDescription: String { name }
}

extension Variant: CustomTestStringConvertible {
    public var testDescription: String { name }
}

/// Every fault and every odd but right form that the test wallet knows.
@Suite struct WalletFaultsTests {
    static let faults = Fault.all.filter { $0.need != .statusList }

    @Test(arguments: faults)
    func `each fault fails its check with its reason, and no check that it does not touch`(_ fault: Fault) throws {
        let fixture = try Fixture.japan.get()
        let result = try fixture.verify(with: verifier(fixture, for: fault), fault: fault)
        guard let expectation = fault.expectation else {
            #expect(result.isVerified, "\(result.failures)")
            return
        }
        let expected = Set(([expectation] + fault.others).map { "\($0.check): \($0.reason)" })
        #expect(Set(result.failures) == expected)
        #expect(result.isRejected)
        #expect(result.claims.withValue { $0.isEmpty })
    }

    @Test(arguments: Variant.all)
    func `each odd but right form verifies`(_ variant: Variant) throws {
        for fixture in [try Fixture.japan.get(), try Fixture.licence.get()] {
            let result = try fixture.verify(variant: variant)
            #expect(result.isVerified, "\(result.failures)")
        }
    }

    @Test func `how many ran`() {
        Vectors.ran(Self.faults.count, of: "wallet faults")
        Vectors.ran(Variant.all.count, of: "wallet variants")
    }

    private func verifier(_ fixture: Fixture, for fault: Fault) throws -> MdocVerifier {
        switch fault.need {
        case .revocationList:
            let list = try RevocationList(der: fixture.wallet.issuer.revocationList(), source: "test.crl")
            return try fixture.verifier(revocation: RevocationSources(lists: [list], policy: .fail))
        case .annexB: return try fixture.verifier(profile: .iso18013_5)
        case .statusList, nil: return try fixture.verifier()
        }
    }
}
