import Mdoc
import Testing
import VerificationCore
import WalletKit

/// Group 3 of the faults of others: dates and validity.
@Suite struct ValidityFaultsTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture.japan.get()
    }

    private func outcome(
        at now: Timestamp = Fixture.now, _ edit: (inout Plan) throws -> Void = { _ in }
    ) throws -> CheckOutcome {
        try fixture.verify(at: now) { try edit(&$0) }.report[.validity]
    }

    private func withValidity(_ name: String, _ value: Item?) -> (inout Plan) -> Void {
        { $0.editObject = { $0["validityInfo"]?[name] = value } }
    }

    @Test(arguments: [".210391Z", ".5Z", ".123456789Z"])
    func `T01 fractions of a second are read`(_ end: String) throws {
        let text = String(Fixture.moment.adding(seconds: -60).text.dropLast()) + end
        let result = try fixture.verify { plan in
            for name in ["signed", "validFrom"] {
                let before = plan.editObject
                plan.editObject = {
                    before(&$0)
                    $0["validityInfo"]?[name] = .tag(0, .text(text))
                }
            }
        }
        #expect(result.isVerified, "\(result.failures)")
    }

    @Test(arguments: [",5Z", ".Z", ".1234567890Z"])
    func `T01 what is no fraction is malformed, never misread`(_ end: String) throws {
        let text = String(Fixture.moment.adding(seconds: -60).text.dropLast()) + end
        let result = try fixture.verify(nil, withValidity("validFrom", .tag(0, .text(text))))
        #expect(result.report[.deviceResponse] == .failed(.evidenceMalformed))
        #expect(result.report[.validity] == .notChecked)
    }

    @Test func `T04 a document is valid to the last instant of validUntil, and not a millisecond longer`() throws {
        let now = Fixture.now
        for (milliseconds, expected) in [
            (0, CheckOutcome.passed), (-1, .passed), (1, .failed(.documentExpired)), (1000, .failed(.documentExpired)),
        ] {
            let later = Timestamp(milliseconds: now.milliseconds + Int64(milliseconds))
            #expect(try outcome(at: later) { $0.validUntil = Fixture.moment } == expected)
        }
    }

    @Test func `T04 a document of the distant future is not yet valid, one until the end of time is`() throws {
        #expect(
            try outcome { $0.validFrom = Fixture.moment.adding(seconds: 3600) } == .failed(.documentNotYetValid))
        #expect(try outcome { $0.validUntil = Moment(9999, 12, 31, 23, 59, 59) } == .passed)
    }

    @Test(arguments: [(-1, true), (-29, true), (-30, true), (-31, false), (-3600, false)])
    func `T08 validFrom may lie ahead of our clock by 30 seconds at most`(_ seconds: Int, _ passes: Bool) throws {
        #expect(MdocVerifier.validFromSkew == .seconds(30))
        let now = Fixture.now.advanced(by: .seconds(seconds))
        let outcome = try outcome(at: now) {
            $0.signed = Fixture.moment
            $0.validFrom = Fixture.moment
        }
        #expect(outcome == (passes ? .passed : .failed(.documentNotYetValid)))
    }

    @Test func `T08 there is no such leeway at the end`() throws {
        let validUntil = Fixture.moment.adding(seconds: -1)
        #expect(try outcome { $0.validUntil = validUntil } == .failed(.documentExpired))
    }

    @Test func `T05 signed lies within the dates of the signer's certificate, both ends included`() throws {
        let template = fixture.wallet.issuer.signer.template
        for (signed, passes) in [
            (template.notBefore.adding(seconds: -1), false), (template.notBefore, true),
            (Fixture.moment.adding(seconds: -1), true),
        ] {
            let outcome = try outcome {
                $0.signed = signed
                $0.validFrom = max($0.validFrom, signed)
            }
            #expect(outcome == (passes ? .passed : .failed(.validityInconsistent)))
        }
        // After notAfter: the document claims to come from a time when the signer was no signer any more.
        for (seconds, expected) in [(0, CheckOutcome.passed), (1, .failed(.validityInconsistent))] {
            let signed = template.notAfter.adding(seconds: Int64(seconds))
            let now = Timestamp(seconds: template.notAfter.seconds + 60)
            let result = try fixture.verify(at: now) { plan in
                plan.signed = signed
                plan.validFrom = signed
                plan.validUntil = signed.adding(days: 30)
            }
            #expect(result.report[.validity] == expected)
            #expect(result.report[.issuerCertificate] == .failed(.issuerCertificateExpired))
        }
    }

    @Test func `T07 equal instants are in order, crossed ones are inconsistent`() throws {
        #expect(try outcome { $0.validFrom = $0.signed } == .passed)
        #expect(
            try outcome {
                $0.signed = Fixture.moment
                $0.validFrom = Fixture.moment
                $0.validUntil = Fixture.moment
            } == .passed)
        #expect(
            try outcome { $0.validUntil = $0.validFrom.adding(seconds: -1) } == .failed(.validityInconsistent))
        #expect(try outcome { $0.validFrom = $0.signed.adding(seconds: -1) } == .failed(.validityInconsistent))
    }

    @Test(arguments: [
        "2026-12-18", "2026-12-18T00:00:00", "2026-12-18T00:00:00+00:00", "2026-12-18 00:00:00Z", "20261218T000000Z",
        "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "",
    ])
    func `T15 a malformed validUntil is malformed`(_ text: String) throws {
        let result = try fixture.verify(nil, withValidity("validUntil", .tag(0, .text(text))))
        #expect(result.report[.deviceResponse] == .failed(.evidenceMalformed))
    }

    @Test func `T15 validUntil is text in tag 0 and nothing else`() throws {
        let text = Fixture.moment.adding(days: 1).text
        for value in [nil, Item.text(text), .tag(1, .unsigned(1_800_000_000)), .tag(1004, .text(text)), .null] {
            let result = try fixture.verify(nil, withValidity("validUntil", value))
            #expect(result.report[.deviceResponse] == .failed(.evidenceMalformed))
        }
    }

    @Test func `T16 a document may outlive its signer, and a signer its document`() throws {
        let end = fixture.wallet.issuer.signer.template.notAfter
        for seconds: Int64 in [-86_400, 0, 86_400] {
            #expect(try outcome { $0.validUntil = end.adding(seconds: seconds) } == .passed)
        }
    }
}
