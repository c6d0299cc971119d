import Mdoc
import Testing
import VerificationCore
import WalletKit

/// Rows of group 1 of the faults of others that show in a whole document: COSE structures, versions, nesting.
@Suite struct StructureFaultsTests {
    let fixture: Fixture
    let malformed = ["device_response: evidence_malformed"]

    init() throws {
        fixture = try Fixture.japan.get()
    }

    private func failures(_ edit: (inout Plan) throws -> Void) throws -> [String] {
        let result = try fixture.verify { try edit(&$0) }
        #expect(result.isRejected == !result.failures.isEmpty)
        #expect(result.isVerified || result.claims.withValue { $0.isEmpty })
        return result.failures
    }

    @Test func `C01 external_aad is an empty byte string and never null`() throws {
        #expect(try failures { $0.externalAAD = .bytes([]) }.isEmpty)
        #expect(try failures { $0.externalAAD = .null } == ["issuer_signature: issuer_signature_invalid"])
    }

    @Test func `C03 x5chain is one byte string or an array, the signer's certificate first`() throws {
        let signer = fixture.wallet.issuer.signer.chain[0]
        let root = fixture.wallet.issuer.root
        let stranger = try Fixture(.jp).wallet.issuer
        let accepted: [Item] = [
            .bytes(signer), .array([.bytes(signer)]), .array([.bytes(signer), .bytes(root)]),
            .array([.bytes(signer), .bytes(stranger.root)]), .array([.bytes(signer), .bytes(signer)]),
        ]
        for chain in accepted { #expect(try failures { $0.chain = chain }.isEmpty) }
        #expect(try failures { $0.chain = .array([]) } == ["issuer_certificate: issuer_certificate_missing"])
        #expect(try failures { $0.chain = nil } == ["issuer_certificate: issuer_certificate_missing"])
        #expect(
            try failures { $0.chain = .array([.bytes([])]) } == ["issuer_certificate: issuer_certificate_invalid"])
        let tooLong = Item.array([UInt8](repeating: 0, count: 6).map { _ in .bytes(signer) })
        #expect(try failures { $0.chain = tooLong } == ["issuer_certificate: issuer_certificate_invalid"])
        let absurd = Item.array([UInt8](repeating: 0, count: 50).map { _ in .bytes(signer) })
        #expect(try failures { $0.chain = absurd } == malformed)
        // The wrong order puts an authority where the signer belongs, whose key did not sign.
        let reversed = try failures { $0.chain = .array([.bytes(root), .bytes(signer)]) }
        #expect(reversed.contains("issuer_signature: issuer_signature_invalid"))
        #expect(reversed.contains { $0.hasPrefix("issuer_certificate: ") })
    }

    @Test(arguments: [Item.text("x"), .null, .unsigned(1), .array([.text("x")])])
    func `C03 an x5chain of another type is malformed`(_ chain: Item) throws {
        #expect(try !failures { $0.chain = chain }.isEmpty)
    }

    @Test func `C09 an odd length of the protected header or the payload does not leak into what is signed`() throws {
        let failures = try failures { plan in
            plan.editDocument = { document in
                for path in ["issuerAuth"] {
                    guard case .array(var parts) = document["issuerSigned"]?[path] else { return }
                    for index in [0, 2, 3] {
                        guard case .bytes(let bytes) = parts[index] else { continue }
                        parts[index] = .raw(EncodingStyle.inNineBytes.encodedBytes(bytes))
                    }
                    document["issuerSigned"]?[path] = .array(parts)
                }
            }
        }
        #expect(failures.isEmpty)
    }

    @Test func `C10 a detached MobileSecurityObject is malformed: nothing from elsewhere takes its place`() throws {
        let failures = try failures { plan in
            plan.editDocument = { document in
                guard case .array(var parts) = document["issuerSigned"]?["issuerAuth"] else { return }
                parts[2] = .null
                document["issuerSigned"]?["issuerAuth"] = .array(parts)
            }
        }
        #expect(failures.contains("device_response: evidence_malformed"))
        #expect(failures.contains("issuer_signature: issuer_signature_invalid"))
    }

    @Test func `C10 a device payload of the attacker's own never stands for the one we rebuild`() throws {
        let old = fixture.wallet.merchant.request(nonce: [1, 2, 3]).transcript(recipientKeyHash: [])
        let stolen = try failures { plan in
            plan.deviceTranscript = old
            plan.editDevicePayload = { .bytes($0) }
        }
        #expect(stolen == ["device_signature: device_signature_invalid"])
        // Not even where the signature is over ours and only the payload beside it is another.
        #expect(
            try failures { $0.editDevicePayload = { .bytes($0 + [0]) } }
                == ["device_signature: device_signature_invalid"])
        #expect(try failures { $0.editDevicePayload = { .bytes($0) } }.isEmpty)
    }

    @Test func `C13 a device key with text labels is malformed`() throws {
        let failures = try failures { plan in
            plan.editObject = { object in
                guard case .map(let pairs) = object["deviceKeyInfo"]?["deviceKey"] else { return }
                object["deviceKeyInfo"]?["deviceKey"] = .map(
                    pairs.map { pair in
                        switch pair.key {
                        case .integer(let label): Item.Pair(.text(String(label)), pair.value)
                        case .unsigned(let label): Item.Pair(.text(String(label)), pair.value)
                        default: pair
                        }
                    })
            }
        }
        #expect(failures == malformed)
    }

    @Test func `C15 algorithm and curve go in fixed pairs, whoever signs`() throws {
        for algorithm: Int64 in [-35, -36, -8, -9, -37, -257, 5, 0] {
            #expect(
                try failures { $0.issuerProtected[.integer(1)] = .integer(algorithm) }
                    == ["issuer_signature: algorithm_unsupported"])
            #expect(
                try failures { $0.deviceProtected[.integer(1)] = .integer(algorithm) }
                    == ["device_signature: algorithm_unsupported"])
        }
    }

    @Test(arguments: [
        Item.text("2.0"), .text("1.1"), .text("01.0"), .text(""), .unsigned(1), .null, .text("1.0 "), .text("1"),
    ])
    func `C33 a DeviceResponse has version 1_0 and no other`(_ version: Item) throws {
        #expect(try failures { $0.editResponse = { $0["version"] = version } } == malformed)
    }

    @Test(arguments: [Item?.none, .text("2.0"), .text("01.0"), .text(""), .unsigned(1), .text("1.2"), .text("9.0")])
    func `C33 a MobileSecurityObject has version 1_0 or 1_1`(_ version: Item?) throws {
        #expect(try failures { $0.editObject = { $0["version"] = version } } == malformed)
        #expect(try failures { $0.editObject = { $0["version"] = .text("1.1") } }.isEmpty)
    }

    @Test func `C33 an absent version of the response is malformed`() throws {
        #expect(try failures { $0.editResponse = { $0["version"] = nil } } == malformed)
    }

    @Test(arguments: [
        Item?.none, .unsigned(10), .unsigned(11), .unsigned(12), .integer(-1), .unsigned(1 << 63), .text("0"), .null,
        .boolean(false),
    ])
    func `C35 a status other than zero is malformed, and so is none`(_ status: Item?) throws {
        #expect(try failures { $0.editResponse = { $0["status"] = status } } == malformed)
    }

    @Test func `C35 a failed response still shows what else is wrong with it`() throws {
        let failures = try failures { plan in
            plan.editResponse = { $0["status"] = .unsigned(10) }
            plan.validUntil = Fixture.moment.adding(seconds: -1)
            plan.editDeviceSignature = { $0[0] ^= 1 }
        }
        #expect(
            failures == [
                "device_response: evidence_malformed", "validity: document_expired",
                "device_signature: device_signature_invalid",
            ])
    }

    @Test func `C39 a label in both buckets of a header is malformed`() throws {
        let signer = fixture.wallet.issuer.signer.chain[0]
        let failures = try failures { plan in
            plan.issuerProtected[.integer(33)] = .bytes(signer)
        }
        #expect(failures == malformed)
        #expect(
            try self.failures { $0.editUnprotected = { $0[.integer(1)] = .integer(-7) } } == malformed)
    }

    @Test func `C41 text cut in the middle of a character is malformed, never repaired`() throws {
        var bytes = Array("山田\u{3000}太郎".utf8)
        bytes.removeLast()
        let cut = Item.raw([0x60 | UInt8(bytes.count)] + bytes)
        #expect(bytes.count < 24)
        let failures = try failures { $0.card["full_name_unicode", in: Card.Japan.namespace] = cut }
        #expect(failures == malformed)
    }

    @Test func `C22 a declared count inside the plaintext, or inside tag 24, allocates nothing`() throws {
        for head in [
            "9a7fffffff", "9bffffffffffffffff", "bb0000000100000000", "5b7fffffffffffffff", "7b7fffffffffffffff",
        ] {
            #expect(try failures { $0.editPlaintext = { $0 = ByteText.bytes(hex: head) ?? [] } } == malformed)
            let bytes = try #require(ByteText.bytes(hex: head))
            let inside = try failures { plan in
                plan.editDisclosed = { $0[0].1[0] = .embedded(bytes) }
            }
            #expect(inside == malformed)
        }
    }

    @Test func `C25 tag 24 inside tag 24 a hundred levels deep is malformed and no crash`() throws {
        var nested = Item.null.encoded()
        for _ in 0..<100 { nested = Item.embedded(nested).encoded() }
        let bytes = nested
        #expect(try failures { $0.editDisclosed = { $0[0].1[0] = .raw(bytes) } } == malformed)
        // As an element's value nobody opens it: it is bytes under a tag.
        let value = try fixture.verify { $0.card["sex_unicode", in: Card.Japan.namespace] = .raw(bytes) }
        #expect(value.isVerified || value.failures == malformed)
        for head: UInt8 in [0x81, 0xC1, 0x9F] {
            let deep = [UInt8](repeating: head, count: 50_000)
            #expect(try failures { $0.editPlaintext = { $0 = deep } } == malformed)
        }
    }

    @Test func `C26 text in chunks is text, and a character split between chunks is malformed`() throws {
        let chunked = try fixture.verify {
            $0.card["sex_unicode", in: Card.Japan.namespace] = .hex("7f6161" + "6162" + "ff")
        }
        #expect(chunked.claim("gender_text") == .text("ab"))
        #expect(
            try failures { $0.card["sex_unicode", in: Card.Japan.namespace] = .hex("7f61e2" + "6282ac" + "ff") }
                == malformed)
    }

    @Test(arguments: [EncodingStyle.ofIndefiniteLength, .inNineBytes])
    func `C29 valid encodings that are not the shortest verify, over their own bytes`(_ style: EncodingStyle) throws {
        #expect(try failures { $0.style = style }.isEmpty)
    }
}

extension EncodingStyle {
    static let inNineBytes: EncodingStyle = {
        var style = EncodingStyle.plain
        style.wide = true
        return style
    }()

    static let ofIndefiniteLength: EncodingStyle = {
        var style = EncodingStyle.plain
        style.indefinite = true
        return style
    }()

    func encodedBytes(_ bytes: [UInt8]) -> [UInt8] { Item.bytes(bytes).encoded(self) }
}
