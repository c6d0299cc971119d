import Mdoc
import Testing
import Trust
import VerificationCore
import WalletKit

@Suite struct `Every good answer of the wallet, judged by the verifier` {
    @Test(arguments: Card.Kind.allCases, [CertificateProfile.basic, .iso18013_5])
    func `each variant verifies`(kind: Card.Kind, profile: CertificateProfile) throws {
        var scenery = try Scenery(kind)
        scenery.profile = profile
        let plain = try scenery.run()
        #expect(plain.isVerified, "\(plain.failures)")
        for variant in Variant.all {
            let result = try scenery.run(variant: variant)
            #expect(result.failures == [], "\(variant.name)")
            #expect(result.isVerified, "\(variant.name)")
            #expect(result.claimCount == plain.claimCount, "\(variant.name)")
            #expect(result.incidents.isEmpty, "\(variant.name)")
        }
    }

    @Test func `Japanese text comes out exactly as it was issued`() throws {
        let result = try Scenery().run()
        guard case .text(let name) = result.claim("name") else {
            Issue.record("no name")
            return
        }
        // By scalars: String's own equality would forgive a normalisation.
        #expect(
            name.unicodeScalars.map(\.value) == [0x845B, 0xE0100, 0x57CE, 0x3000, 0x20BB7, 0x4E43])
        #expect(result.claim("local_gov_code") == .text("01101"))
        #expect(result.claim("birthdate") == .text("1984-02-29"))
        #expect(result.claim("portrait") == .image(mediaType: "image/jpeg", data: Portrait.small.bytes))
        #expect(result.incidents == [])
        // `birth_date_unicode` came along and the purpose does not name it.
        #expect(result.claim("birthdate_text") == nil)
    }

    @Test func `a portrait of 60 kB comes out whole`() throws {
        let result = try Scenery().run(variant: .named("portrait_large"))
        #expect(result.claim("portrait") == .image(mediaType: "image/jpeg", data: Portrait.large.bytes))
    }

    @Test(arguments: [(20, true), (65, false), (25, true), (70, false)])
    func `an age threshold is answered by its element, or by the age`(threshold: Int, expected: Bool) throws {
        var scenery = try Scenery()
        scenery.required = [ClaimName("age_over_\(threshold)")]
        let result = try scenery.run()
        #expect(result.isVerified, "\(result.failures)")
        #expect(result.claim("age_over_\(threshold)") == .boolean(expected))
        #expect(result.claim("age_in_years") == nil)
    }

    @Test func `what the purpose does not name is dropped, and told`() throws {
        var scenery = try Scenery()
        scenery.elements = ["givenName", "address", "dateOfBirth", "portrait", "sex"]
        let result = try scenery.run()
        #expect(result.isVerified)
        #expect(result.claim("gender") == nil)
        #expect(result.incidents == [.unrequestedElementReceived])
    }

    @Test(arguments: KeyKind.allCases.filter { $0 != .brainpoolP256 && $0 != .ed25519 })
    func `a root of each curve is trusted`(kind: KeyKind) throws {
        var options = IssuerOptions()
        options.rootKind = kind
        options.signerKind = .p384
        let result = try Scenery(options: options).run()
        #expect(result.isVerified, "\(kind): \(result.failures)")
    }

    @Test func `an authority between root and signer is accepted where the root allows it`() throws {
        var options = IssuerOptions()
        options.intermediate = true
        var scenery = try Scenery(options: options)
        scenery.profile = .basic
        let result = try scenery.run()
        #expect(result.isVerified, "\(result.failures)")
        // ISO/IEC 18013-5 Annex B knows no such authority.
        scenery.profile = .iso18013_5
        #expect(throws: (any Error).self) { try scenery.run() }
    }

    @Test func `the issuer's name in another order does not matter: the key does`() throws {
        var options = IssuerOptions()
        options.reversedIssuerName = true
        var scenery = try Scenery(options: options)
        scenery.profile = .basic
        #expect(try scenery.run().failures == [])
    }

    @Test func `another root of the same name is not this root`() throws {
        let scenery = try Scenery()
        let request = scenery.request()
        let envelope = try scenery.wallet.present(request, at: Scenery.now)
        let other = try Issuer(at: Scenery.now)
        #expect(
            try scenery.verify(envelope, request, root: other.root).failures == [
                "issuer_certificate: issuer_untrusted"
            ])
    }

    @Test func `a basic issuer does not satisfy Annex B`() throws {
        var options = IssuerOptions()
        options.profile = .basic
        var scenery = try Scenery(options: options)
        scenery.profile = .basic
        #expect(try scenery.run().failures == [])
        // The anchor itself may be refused first; whichever comes, nothing is verified.
        scenery.profile = .iso18013_5
        let result = try? scenery.run()
        #expect(result?.isVerified != true)
    }
}
