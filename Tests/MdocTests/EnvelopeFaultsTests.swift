import CBOR
import Cryptography
import Mdoc
import Testing
import Trust
import VerificationCore
import WalletKit

/// Group 5 of the faults of others: envelope and session transcript.
@Suite struct EnvelopeFaultsTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture.japan.get()
    }

    private func failures(_ edit: (inout Plan) throws -> Void) throws -> [String] {
        let result = try fixture.verify { try edit(&$0) }
        #expect(result.isRejected == !result.failures.isEmpty)
        #expect(result.isVerified || result.claims.withValue { $0.isEmpty })
        return result.failures
    }

    private func params(_ key: String, _ value: Item?) -> (inout Plan) -> Void {
        { $0.editEnvelope = { $0["params"]?[key] = value } }
    }

    @Test func `H02 of the hashes of a key only the one over its uncompressed point names it`() throws {
        let key = fixture.wallet.merchant.key
        #expect(try failures { $0.recipientKeyHash = Hash.sha256(key.publicBytes) }.isEmpty)
        for other in [
            key.publicKeyInfo, Array(key.publicBytes.dropFirst()),
            [0x02 | key.publicBytes[64] & 1] + key.publicBytes[1...32],
            fixture.wallet.issuer.signer.chain[0], [],
        ] {
            let failures = try failures { $0.recipientKeyHash = Hash.sha256(other) }
            #expect(failures == ["recipient_key: recipient_key_unknown"])
        }
        #expect(
            try failures { $0.recipientKeyHash = Array(Hash.sha256(key.publicBytes).prefix(31)) }
                == ["recipient_key: recipient_key_unknown"])
    }

    @Test func `H03 any of several keys opens what is sealed to it, and no other does`() throws {
        let old = try Merchant()
        let verifier = MdocVerifier(
            .init(
                recipientKeys: [RecipientKey(try P256PrivateKey(old.key.der)), RecipientKey(fixture.key)],
                signerVerifier: SignerVerifier(trust: try fixture.trust(), profile: .basic)))
        #expect(try fixture.verify(with: verifier).isVerified)
        let toOld = Wallet(
            issuer: fixture.wallet.issuer, card: fixture.wallet.card,
            merchant: Merchant(
                identifier: fixture.identity.merchantIdentifier, teamIdentifier: fixture.identity.teamIdentifier,
                key: old.key))
        let purpose = fixture.purpose()
        let envelope = try toOld.present(fixture.request(for: purpose), at: Fixture.moment)
        func verify(_ verifier: MdocVerifier) -> MdocResult {
            verifier.verify(
                envelope: envelope, nonce: fixture.nonce, walletIdentity: fixture.identity,
                expectedDocumentType: nil, purpose: purpose, at: Fixture.now)
        }
        #expect(verify(verifier).isVerified)
        // Once the old key is dropped, the same answer names an unknown key, and it is still known to be this session's.
        let without = verify(try fixture.verifier())
        #expect(without.failures == ["recipient_key: recipient_key_unknown"])
        #expect(without.report[.sessionBinding] == .passed)
        #expect(without.report[.decryption] == .notChecked)
    }

    @Test func `H06 a transcript from elsewhere keeps its bytes, unknown parts and odd heads included`() throws {
        let purpose = fixture.purpose()
        let odd: [UInt8] = [0x9F, 0xF6, 0xBF, 0x19, 0x00, 0x05, 0x61, 0x78, 0xFF, 0x58, 0x01, 0x07, 0xFF]
        var plan = try fixture.wallet.plan(fixture.request(for: purpose), at: Fixture.moment)
        plan.deviceTranscript = odd
        let response = try decrypted(plan)
        func verify(_ transcript: [UInt8]) throws -> MdocResult {
            try fixture.verifier().verify(
                deviceResponse: response, transcript: SessionTranscript(raw: transcript), expectedDocumentType: nil,
                purpose: purpose, at: Fixture.now)
        }
        #expect(try verify(odd).isVerified)
        // The same values in shortest form are another transcript.
        #expect(
            try verify([0x83, 0xF6, 0xA1, 0x05, 0x61, 0x78, 0x41, 0x07]).failures
                == ["device_signature: device_signature_invalid"])
        for broken: [UInt8] in [[], [0xF6], [0x83, 0xF6, 0xF6], odd + [0x00], [0xA0], [0xD8, 0x18, 0x41, 0x80]] {
            #expect(throws: MdocError.malformed) { try SessionTranscript(raw: broken) }
        }
        #expect(try SessionTranscript(wrapped: [0xD8, 0x18, 0x41, 0x80]).bytes == [0x80])
    }

    /// The DeviceResponse of a plan, as the envelope would hold it.
    private func decrypted(_ plan: Plan) throws -> [UInt8] {
        var plan = plan
        var response: [UInt8] = []
        plan.editResponse = { response = $0.encoded() }
        _ = try fixture.wallet.seal(plan)
        return response
    }

    @Test func `H07 a device that signed the transcript wrapped in tag 24 is refused`() throws {
        #expect(
            try failures { $0.deviceTranscript = Item.embedded($0.deviceTranscript).encoded() }
                == ["device_signature: device_signature_invalid"])
        // HPKE's info likewise.
        #expect(
            try failures { $0.info = Item.embedded($0.info).encoded() } == ["decryption: decryption_failed"])
    }

    @Test func `H09 the nonce is raw bytes: as text, or as text of its bytes, it is another session`() throws {
        let text = fixture.nonce.base64URL
        for nonce in [Item.text(text), .bytes(Array(text.utf8)), .bytes(Array(ByteText.hex(fixture.nonce.bytes).utf8))]
        {
            let handover: [Item] = [
                .text("AppleIdentityPresentment_1.0"), nonce, .text(fixture.identity.merchantIdentifier),
                .text(fixture.identity.teamIdentifier), .bytes(RecipientKey(fixture.key).hash),
            ]
            let transcript = Item.array([.null, .null, .array(handover)]).encoded()
            let failures = try failures {
                $0.info = transcript
                $0.infoHash = Hash.sha256(transcript)
                $0.deviceTranscript = transcript
            }
            #expect(failures == ["session_binding: session_mismatch"])
        }
    }

    @Test func `H10 a signature over less than the whole DeviceAuthentication is refused`() throws {
        let expected = ["device_signature: device_signature_invalid"]
        #expect(try failures { $0.deviceTranscript = Item.bytes(fixture.nonce.bytes).encoded() } == expected)
        let nameSpaces: [Item] = [
            .embedded([0xBF, 0xFF]), .embedded([0xB9, 0x00, 0x00]), .embedded(Item.record(["a": .map([])]).encoded()),
        ]
        for other in nameSpaces {
            #expect(try failures { $0.editDocument = { $0["deviceSigned"]?["nameSpaces"] = other } } == expected)
        }
        // Signed for another document type than the one presented.
        let type = fixture.definition.type
        let failures = try failures { plan in
            plan.presentedType = "org.iso.18013.5.1.mDL"
            plan.editDocument = { $0["docType"] = .text(type) }
        }
        #expect(failures == expected)
    }

    @Test func `H11 the device's own namespaces go into the signature as received`() throws {
        for bytes: [UInt8] in [[0xA0], [0xBF, 0xFF], [0xB9, 0x00, 0x00]] {
            #expect(try failures { $0.deviceNameSpaces = bytes }.isEmpty)
        }
        for bytes: [UInt8] in [[0x80], [0xF6], [], [0xA1, 0x61, 0x61, 0x80]] {
            #expect(try failures { $0.deviceNameSpaces = bytes } == ["device_response: evidence_malformed"])
        }
    }

    @Test func `H15 a point that is none of the curve never reaches a shared secret`() throws {
        let zero = [UInt8](repeating: 0, count: 64)
        let field: [UInt8] = ByteText.bytes(hex: "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")!
        var offCurve = fixture.wallet.merchant.key.publicBytes
        offCurve[64] ^= 1
        for point in [[0x04] + zero, [0x04] + field + field, offCurve] {
            #expect(try failures(params("pkEm", .bytes(point))) == ["decryption: decryption_failed"])
        }
        let whole = fixture.wallet.merchant.key.publicBytes
        let forms: [[UInt8]] = [
            [], [0x00], [0x04], Array(whole.prefix(64)), whole + [0x00], Array(whole.dropFirst()),
            [0x02] + whole[1...32], [0x06 | whole[64] & 1] + whole.dropFirst(), [0x05] + whole.dropFirst(),
        ]
        for point in forms {
            #expect(try failures(params("pkEm", .bytes(point))) == ["envelope: evidence_malformed"])
        }
    }

    @Test(arguments: [0, 1, 15, 16, 17])
    func `H16 a ciphertext too short to hold anything fails to decrypt`(_ length: Int) throws {
        let failures = try failures { plan in
            plan.editEnvelope = { $0["data"] = .bytes([UInt8](repeating: 7, count: length)) }
        }
        #expect(failures == ["decryption: decryption_failed"])
    }

    @Test func `H16 the data of another session, and a megabyte of anything, fail to decrypt`() throws {
        let stranger = try Fixture(.jp)
        var foreign: Item?
        _ = try stranger.verify { $0.editEnvelope = { foreign = $0["data"] } }
        let data = try #require(foreign)
        let megabyte = Item.bytes([UInt8](repeating: 0xA5, count: 1 << 20))
        for other in [data, megabyte] {
            #expect(try failures { $0.editEnvelope = { $0["data"] = other } } == ["decryption: decryption_failed"])
        }
    }

    @Test func `an infoHash that lies is a mismatch although the rest holds`() throws {
        let result = try fixture.verify { $0.infoHash = [UInt8](repeating: 0, count: 32) }
        #expect(result.failures == ["session_binding: session_mismatch"])
        #expect(result.report[.decryption] == .passed)
        #expect(result.report[.deviceSignature] == .passed)
        #expect(result.isRejected && result.claims.withValue { $0.isEmpty })
    }

    @Test func `every part of the envelope has its type`() throws {
        let expected = ["envelope: evidence_malformed"]
        for key in ["mode", "pkEm", "pkRHash", "infoHash"] {
            for value in [nil, Item.null, .text("0"), .array([]), .integer(-1), .boolean(true)] {
                #expect(try failures(params(key, value)) == expected)
            }
        }
        for (key, value) in [
            ("algorithm", Item?.none), ("algorithm", .bytes([1])), ("data", nil), ("data", .text("x")),
        ] {
            #expect(try failures { $0.editEnvelope = { $0[key] = value } } == expected)
        }
        for value in [Item.array([]), .null, .text("x")] {
            #expect(try failures { $0.editEnvelope = { $0["params"] = value } } == expected)
        }
        #expect(try failures { $0.editEnvelope = { $0["extra"] = .null } }.isEmpty)
    }
}
