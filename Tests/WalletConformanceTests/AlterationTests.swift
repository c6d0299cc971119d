import Mdoc
import Testing
import VerificationCore
import WalletKit

@Suite struct `Bytes altered under way` {
    /// The purpose of these tests asks for no portrait: thousands of its bytes would all tell the same.
    private func scenery(_ kind: Card.Kind) throws -> Scenery {
        var scenery = try Scenery(kind)
        scenery.onlyRequired = true
        scenery.required = kind == .jp ? [ClaimName("name"), ClaimName("birthdate")] : [ClaimName("family_name")]
        return scenery
    }

    @Test(arguments: Card.Kind.allCases)
    func `D01 no altered byte of the response brings another claim past the checks`(kind: Card.Kind) throws {
        let scenery = try scenery(kind)
        let request = scenery.request()
        var length = 0
        var measured = try scenery.wallet.plan(request, at: Scenery.now)
        measured.editPlaintext = { length = $0.count }
        _ = try scenery.wallet.seal(measured)
        let genuine = try scenery.run().claims.withValue { $0 }
        #expect(!genuine.isEmpty)
        var rejected = 0
        for position in stride(from: 0, to: length, by: 13) {
            var plan = try scenery.wallet.plan(request, at: Scenery.now)
            // ECDSA signatures differ in every run, but never in their length.
            plan.editPlaintext = { $0[position] ^= 1 << UInt8(position % 8) }
            let result = try scenery.verify(scenery.wallet.seal(plan), request)
            if result.isVerified {
                // Only what nobody signed, such as an unknown header, may be altered without notice.
                #expect(result.claims.withValue { $0 } == genuine, "byte \(position)")
            } else {
                #expect(result.claimCount == 0, "byte \(position)")
                rejected += 1
            }
        }
        #expect(rejected * 13 > length * 9 / 10)
    }

    @Test func `H16 no altered byte of the envelope is let through`() throws {
        let scenery = try scenery(.jp)
        let request = scenery.request()
        let envelope = try scenery.wallet.present(request, at: Scenery.now)
        #expect(try scenery.verify(envelope, request).isVerified)
        for position in Array(stride(from: 0, to: 320, by: 3)) + Array(stride(from: 320, to: envelope.count, by: 37)) {
            var altered = envelope
            altered[position] ^= 1 << UInt8(position % 8)
            let result = try scenery.verify(altered, request)
            #expect(!result.isVerified && !result.report.failures.isEmpty, "byte \(position)")
            #expect(result.claimCount == 0, "byte \(position)")
        }
    }
}
