import Testing

@testable import WalletKit

private let now = Moment(2026, 11, 30, 7)

@Suite struct `Faults and variants` {
    let wallet: Wallet
    let request: WalletRequest

    init() throws {
        let merchant = try Merchant()
        wallet = Wallet(issuer: try Issuer(at: now), card: try Card.sample(.jp, at: now), merchant: merchant)
        request = merchant.request(nonce: LibCrypto.random(32))
    }

    @Test func `every check and every reason of the table has a fault`() {
        let checks = Set(Fault.all.compactMap(\.expectation?.check))
        #expect(
            checks == [
                "envelope", "recipient_key", "session_binding", "decryption", "device_response", "document_type",
                "issuer_certificate", "issuer_signature", "validity", "digests", "device_signature", "revocation",
                "elements",
            ])
        let reasons = Set(Fault.all.compactMap(\.expectation?.reason))
        #expect(
            reasons == [
                "evidence_malformed", "envelope_unsupported", "recipient_key_unknown", "session_mismatch",
                "decryption_failed", "algorithm_unsupported", "document_type_mismatch", "issuer_certificate_missing",
                "issuer_untrusted", "issuer_certificate_invalid", "issuer_certificate_expired",
                "issuer_signature_invalid", "document_not_yet_valid", "document_expired", "validity_inconsistent",
                "digest_mismatch", "element_duplicated", "device_signature_invalid", "issuer_certificate_revoked",
                "document_revoked", "element_missing",
            ])
    }

    @Test func `names are unique, and an unknown one is an error`() {
        let names = Fault.all.map(\.name) + Variant.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(throws: WalletError.unknownFault("nonsense")) { try Fault.named("nonsense") }
        #expect(throws: WalletError.unknownFault("nonsense")) { try Variant.named("nonsense") }
    }

    @Test(arguments: Card.Kind.allCases)
    func `every fault and every variant makes an answer of either card`(kind: Card.Kind) throws {
        let wallet = Wallet(
            issuer: wallet.issuer, card: try Card.sample(kind, at: now), merchant: wallet.merchant)
        let request = wallet.merchant.request(nonce: [1, 2, 3], documentType: kind.documentType)
        for fault in Fault.all {
            let bytes = try wallet.present(request, fault: fault, at: now)
            #expect(bytes.isEmpty == (fault.name == "envelope_empty"))
        }
        for variant in Variant.all {
            #expect(try wallet.present(request, variant: variant, at: now).count > 3000)
        }
    }

    @Test func `the same seed gives the same cards and certificates but never the same nonce twice`() throws {
        func make(_ seed: UInt64) throws -> (Issuer, Card) {
            let randomness = Randomness.repeatable(seed: seed)
            return (try Issuer(at: now, randomness: randomness), try Card.sample(.jp, at: now, randomness: randomness))
        }
        let (first, second, third) = (try make(1), try make(1), try make(2))
        #expect(first.0.rootKey.publicBytes == second.0.rootKey.publicBytes)
        #expect(first.1.deviceKey.publicBytes == second.1.deviceKey.publicBytes)
        #expect(first.0.rootKey.publicBytes != third.0.rootKey.publicBytes)
        #expect(first.0.rootKey.publicBytes != first.1.deviceKey.publicBytes)
    }

    @Test func `a card that was not asked for is not shown`() throws {
        let request = wallet.merchant.request(nonce: [1], documentType: "us-drivers-license")
        #expect(throws: WalletError.documentUnavailable("us-drivers-license")) {
            try wallet.present(request, at: now)
        }
        let unknown = wallet.merchant.request(nonce: [1], documentType: "moon-passport")
        #expect(throws: WalletError.self) { try wallet.present(unknown, at: now) }
    }

    @Test func `nothing of the holder is readable in an envelope`() throws {
        let bytes = try wallet.present(request, fault: .named("individual_number"), at: now)
        #expect(Fault.find(Array(Card.Japan.individualNumber.utf8), in: bytes) == nil)
        #expect(Fault.find(Array("01101".utf8), in: bytes) == nil)
        #expect(Fault.find(Portrait.small.bytes.suffix(64), in: bytes) == nil)
    }
}
