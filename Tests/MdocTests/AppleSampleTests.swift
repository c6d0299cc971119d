import Cryptography
import TestSupport
import Testing
import VerificationCore

@testable import Mdoc

@Suite(.enabled(if: AppleSample.isAvailable))
struct AppleSampleTests {
    @Test func `the sample verifies with every check that can be made`() throws {
        let result = try AppleSample.verify(envelope: AppleSample.hex("hpke_envelope.cbor"), nonce: AppleSample.nonce())
        #expect(result.isVerified)
        for check in CheckName.inHouse {
            #expect(result.report[check] == (check == .revocation ? .notChecked : .passed), "\(check.rawValue)")
        }
        #expect(result.incidents.isEmpty)
    }

    @Test func `the sample gives all its claims, as they were issued`() throws {
        let result = try AppleSample.verify(envelope: AppleSample.hex("hpke_envelope.cbor"), nonce: AppleSample.nonce())
        let texts: [String: String] = [
            "given_name": "Jane", "family_name": "Doe", "birthdate": "1976-04-01", "expiry_date": "2022-01-30",
            "document_number": "TEST1234567", "address.street_address": "123 Test Street",
            "address.locality": "Test City", "address.region": "Test State", "address.postal_code": "11111",
            "address.country": "TS", "issuing_authority": "Test Department of Testing Services",
            "issuing_country": "", "issuing_jurisdiction": "", "un_distinguishing_sign": "",
            "given_name_truncation": "N", "family_name_truncation": "N", "aka_family_name": "Doe",
            "aka_given_name": "Jane",
        ]
        for (claim, text) in texts { #expect(result.claim(claim) == .text(text), "\(claim)") }
        #expect(result.claim("age_in_years") == .integer(42))
        #expect(result.claim("age_over_21") == .boolean(true))
        #expect(result.claim("age_over_42") == .boolean(true))
        #expect(result.claim("age_over_43") == .boolean(false))
        guard case .image(let mediaType, let data) = result.claim("portrait") else {
            Issue.record("no portrait")
            return
        }
        #expect(mediaType == "image/jpeg")
        #expect(data.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]))
        guard case .list(let privileges) = result.claim("driving_privileges"), case .record(let first) = privileges[0]
        else {
            Issue.record("no driving privileges")
            return
        }
        #expect(first.contains(ClaimMember(name: "vehicle_category_code", value: .text("A"))))
        #expect(first.contains(ClaimMember(name: "expiry_date", value: .text("2122-01-30"))))
        #expect(result.claim("domestic_driving_privileges") != nil)
    }

    @Test func `the document's facts name its signer and the digest of its MobileSecurityObject`() throws {
        let result = try AppleSample.verify(envelope: AppleSample.hex("hpke_envelope.cbor"), nonce: AppleSample.nonce())
        let facts = try #require(result.document).withValue { $0 }
        #expect(facts.type == "org.iso.18013.5.1.mDL")
        #expect(facts.signer?.fingerprint.count == 32)
        #expect(facts.mobileSecurityObjectDigest?.count == 32)
        #expect(facts.issuingAuthority == "Test Department of Testing Services")
        #expect(try #require(facts.validFrom) <= AppleSample.now)
    }

    @Test func `H02 the recipient's hash is over the uncompressed point, as Apple's file says`() throws {
        let key = try P256PrivateKey(Vectors.bytes("apple/sample/merchant_encryption.key"))
        #expect(
            try key.publicKey.uncompressed == AppleSample.hex("merchant_encryption_uncompressed_public_key.txt"))
        let envelope = try AppleEnvelope(AppleSample.hex("hpke_envelope.cbor"))
        #expect(envelope.recipientKeyHash.elementsEqual(RecipientKey(key).hash))
        #expect(try envelope.ephemeralKey.elementsEqual(AppleSample.hex("pkem.txt")))
    }

    @Test func `the transcript built from nonce, merchant and team is Apple's, byte for byte`() throws {
        let envelope = try AppleEnvelope(AppleSample.hex("hpke_envelope.cbor"))
        let transcript = try SessionTranscript(
            appleInApp: AppleSample.nonce(), walletIdentity: AppleSample.identity,
            recipientKeyHash: envelope.recipientKeyHash)
        #expect(try transcript.bytes == AppleSample.hex("session_transcript.txt"))
        #expect(try Hash.sha256(transcript.bytes) == AppleSample.hex("info_hash.txt"))
        #expect(try envelope.infoHash.elementsEqual(AppleSample.hex("info_hash.txt")))
    }

    @Test func `H07 DeviceAuthentication holds the transcript unwrapped, as Apple's intermediates say`() throws {
        let text = try Vectors.text("apple/sample/device_signature_validation.txt")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Data to sign ") })
        let toBeSigned = try #require(ByteText.bytes(hex: line.dropFirst("Data to sign ".count)))
        let rebuilt = try DeviceAuthentication.bytes(
            transcript: AppleSample.transcript(), documentType: "org.iso.18013.5.1.mDL",
            nameSpacesBytes: [0xD8, 0x18, 0x41, 0xA0])
        #expect(toBeSigned.suffix(rebuilt.count).elementsEqual(rebuilt))
        #expect(toBeSigned.prefix(toBeSigned.count - rebuilt.count).suffix(2) == [0x58, UInt8(rebuilt.count)])
    }

    @Test func `C24 every prefix of the envelope is malformed, and nothing is judged beyond it`() throws {
        let envelope = try AppleSample.hex("hpke_envelope.cbor")
        let nonce = try AppleSample.nonce()
        let verifier = try AppleSample.verifier()
        for length in 0..<envelope.count {
            let prefix = Array(envelope.prefix(length))
            let result = try AppleSample.verify(envelope: prefix, nonce: nonce, with: verifier)
            #expect(result.failures == ["envelope: evidence_malformed"], "\(length)")
            #expect(result.isRejected)
        }
        Vectors.ran(envelope.count, of: "apple sample envelope prefixes")
    }

    @Test func `C24 every prefix of the plaintext is malformed, and says nothing of the person`() throws {
        let plaintext = try AppleSample.hex("plaintext_topics.cbor")
        let configuration = MdocVerifier.Configuration(recipientKeys: [], signerVerifier: nil)
        for length in 0..<plaintext.count {
            var examination = Examination(
                configuration, purpose: .everything(), expected: nil, now: AppleSample.now)
            examination.examine(plaintext: Array(plaintext.prefix(length)))
            let result = examination.result(required: .inHouse(revocation: false))
            #expect(result.failures == ["device_response: evidence_malformed"], "\(length)")
            #expect(result.claims.withValue { $0.isEmpty } && result.document == nil)
        }
        Vectors.ran(plaintext.count, of: "apple sample plaintext prefixes")
    }

    @Test func `H16 no flipped byte of the ciphertext gets past decryption`() throws {
        let bytes = try AppleSample.hex("hpke_envelope.cbor")
        let nonce = try AppleSample.nonce()
        let verifier = try AppleSample.verifier()
        let data = try AppleEnvelope(bytes).ciphertext
        // Every byte of the ends, where length and tag are, and a sample of the middle.
        let positions =
            Array(data.indices.prefix(64)) + stride(from: data.startIndex, to: data.endIndex, by: 97)
            + Array(data.indices.suffix(32))
        for position in positions {
            var changed = bytes
            changed[position] ^= 0x01
            let result = try AppleSample.verify(envelope: changed, nonce: nonce, with: verifier)
            #expect(result.failures == ["decryption: decryption_failed"])
            #expect(result.claims.withValue { $0.isEmpty })
        }
        Vectors.ran(positions.count, of: "apple sample flipped ciphertext bytes")
    }

    @Test func `an expired document is rejected at the exact second`() throws {
        let envelope = try AppleSample.hex("hpke_envelope.cbor")
        let nonce = try AppleSample.nonce()
        let verifier = try AppleSample.verifier()
        let sample = try AppleSample.verify(envelope: envelope, nonce: nonce, with: verifier)
        let end = try #require(sample.document?.withValue { $0.validUntil })
        for (offset, verified) in [(0, true), (1, false)] {
            let result = verifier.verify(
                envelope: envelope, nonce: nonce, walletIdentity: AppleSample.identity, expectedDocumentType: nil,
                purpose: .everything(), at: Timestamp(milliseconds: end.milliseconds + Int64(offset)))
            #expect((result.report[.validity] == .passed) == verified)
            #expect((result.report[.validity] == .failed(.documentExpired)) == !verified)
        }
    }
}
