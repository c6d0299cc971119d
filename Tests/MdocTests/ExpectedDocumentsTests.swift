import CBOR
import Cryptography
import Foundation
import TestSupport
import Testing
import Trust
import VerificationCore

@testable import Mdoc

/// What an independent implementation found in a document of another vendor.
struct ExpectedDocument: Decodable, Sendable, CustomTestStringConvertible {
    struct Signer: Decodable, Sendable {
        let subject: String
        let notBefore: String
        let notAfter: String
    }
    struct Digests: Decodable, Sendable {
        let items: Int
        let matching: Int
    }
    struct Validity: Decodable, Sendable {
        let signed: String
        let validFrom: String
        let validUntil: String
    }

    let file: String
    let docType: String?
    let signer: Signer?
    let issuerSignature: String
    let digests: Digests
    let validity: Validity
    let deviceSignature: String

    var testDescription: String { file }
    var isIssuerSignedOnly: Bool { docType == nil }

    static let all: [ExpectedDocument] = {
        struct File: Decodable { let documents: [ExpectedDocument] }
        guard Vectors.available("expected.json"), let bytes = try? Vectors.bytes("expected.json") else { return [] }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let documents = (try? decoder.decode(File.self, from: Data(bytes)))?.documents ?? []
        Vectors.ran(documents.count, of: "expected documents")
        return documents
    }()

    func bytes() throws -> [UInt8] {
        file.hasSuffix(".hex") ? try #require(ByteText.bytes(hex: Vectors.text(file))) : try Vectors.bytes(file)
    }

    /// The transcript beside the file; an arbitrary one where there is none.
    func transcript() throws -> SessionTranscript {
        let folder = file.split(separator: "/").dropLast().joined(separator: "/")
        if let raw = try? Vectors.bytes(folder + "/session_transcript.cbor") { return try SessionTranscript(raw: raw) }
        if let wrapped = try? Vectors.text(folder + "/session_transcript_bytes.hex") {
            return try SessionTranscript(wrapped: #require(ByteText.bytes(hex: wrapped)))
        }
        return try SessionTranscript(raw: [0x83, 0xF6, 0xF6, 0xF6])
    }

    func time(_ text: String) throws -> Timestamp { try #require(RFC3339.timestamp(text)) }

    /// A day into the document's validity.
    func judgedAt() throws -> Timestamp { try time(validity.validFrom).advanced(by: .seconds(86_400)) }

    /// The outcome of `validity` within the window: it also wants the document signed within the signer's dates.
    func validityOutcome() throws -> CheckOutcome {
        guard let signer else { return .passed }
        let signed = try time(validity.signed)
        let inDates = try time(signer.notBefore) <= signed && signed <= time(signer.notAfter)
        return inDates ? .passed : .failed(.validityInconsistent)
    }
}

@Suite(.enabled(if: Vectors.available("expected.json")))
struct ExpectedDocumentsTests {
    static let annexRoot = "iso18013-5/annex_d/iaca.der"

    static func verifier(at now: Timestamp) throws -> MdocVerifier {
        let root = try Certificate(der: Vectors.bytes(annexRoot))
        let store = try TrustStore(anchors: [TrustAnchor(certificate: root, source: annexRoot)], at: now)
        return MdocVerifier(
            .init(recipientKeys: [], signerVerifier: SignerVerifier(trust: store, profile: .basic)))
    }

    @Test func `the documents are all there`() {
        #expect(ExpectedDocument.all.count >= 9)
    }

    @Test(arguments: ExpectedDocument.all.filter { !$0.isIssuerSignedOnly })
    func `each DeviceResponse gives check by check what stands in the file`(_ expected: ExpectedDocument) throws {
        let now = try expected.judgedAt()
        let type = try #require(expected.docType)
        let bytes = try expected.bytes()
        let rootTime = RFC3339.timestamp("2020-12-01T00:00:00Z")!
        let result = try Self.verifier(at: rootTime).verify(
            deviceResponse: bytes, transcript: expected.transcript(), expectedDocumentType: type,
            purpose: .everything(of: [type]), at: now)
        let report = result.report
        for check in [CheckName.envelope, .recipientKey, .sessionBinding, .decryption, .revocation] {
            #expect(report[check] == .notChecked)
        }
        #expect(report[.deviceResponse] == .passed)
        #expect(report[.documentType] == .passed)
        #expect((report[.issuerCertificate] == .passed) == expected.file.contains("annex_d"))
        #expect((report[.issuerSignature] == .passed) == (expected.issuerSignature == "passed"))
        #expect((report[.issuerSignature].reason != nil) == (expected.issuerSignature == "failed"))
        #expect(try report[.validity] == expected.validityOutcome())
        let matches = expected.digests.items == expected.digests.matching
        #expect(report[.digests] == (matches ? .passed : .failed(.digestMismatch)))
        switch expected.deviceSignature {
        case "passed": #expect(report[.deviceSignature] == .passed)
        case "failed: device_mac": #expect(report[.deviceSignature] == .failed(.deviceSignatureInvalid))
        default: #expect(report[.deviceSignature] == .failed(.deviceSignatureInvalid), "no transcript: none can hold")
        }
        #expect(result.isRejected)
        #expect(result.claims.withValue { $0.isEmpty })
        try compareFacts(result, expected)
        let document = try #require(DeviceResponse(CBORDocument(bytes).root).document)
        try compareDigests(document.issuerSigned, expected)
    }

    @Test(arguments: ExpectedDocument.all.filter(\.isIssuerSignedOnly))
    func `each IssuerSigned gives check by check what stands in the file`(_ expected: ExpectedDocument) throws {
        let now = try expected.judgedAt()
        let issuerSigned = try IssuerSigned(CBORDocument(expected.bytes()).root)
        let object = try #require(issuerSigned.mobileSecurityObject)
        var examination = Examination(
            try Self.verifier(at: RFC3339.timestamp("2020-12-01T00:00:00Z")!).configuration,
            purpose: .everything(), expected: nil, now: now)
        examination.checkIssuer(issuerSigned, documentType: object.documentType)
        examination.checkValidity(object.validityInfo)
        examination.checkDigests(issuerSigned, object)
        #expect(examination.report[.issuerCertificate].reason != nil)
        #expect((examination.report[.issuerSignature] == .passed) == (expected.issuerSignature == "passed"))
        #expect(try examination.report[.validity] == expected.validityOutcome())
        #expect(examination.report[.digests] == .passed)
        try compareDigests(issuerSigned, expected)
    }

    @Test(arguments: ExpectedDocument.all.filter { !$0.isIssuerSignedOnly })
    func `each document has run out a millisecond after its validUntil`(_ expected: ExpectedDocument) throws {
        let end = try expected.time(expected.validity.validUntil)
        let result = try Self.verifier(at: RFC3339.timestamp("2020-12-01T00:00:00Z")!).verify(
            deviceResponse: expected.bytes(), transcript: expected.transcript(), expectedDocumentType: nil,
            purpose: .everything(of: [#require(expected.docType)]), at: Timestamp(milliseconds: end.milliseconds + 1))
        #expect(result.report[.validity] == .failed(.documentExpired))
    }

    private func compareFacts(_ result: MdocResult, _ expected: ExpectedDocument) throws {
        let facts = try #require(result.document).withValue { $0 }
        #expect(try facts.signed == expected.time(expected.validity.signed))
        #expect(try facts.validFrom == expected.time(expected.validity.validFrom))
        #expect(try facts.validUntil == expected.time(expected.validity.validUntil))
        #expect((facts.signer == nil) == (expected.signer == nil))
        guard let signer = expected.signer else { return }
        // The order of the parts of a name is a matter of taste of whoever prints it.
        #expect(Set(facts.signer?.subject.split(separator: ",") ?? []) == Set(signer.subject.split(separator: ",")))
        #expect(try facts.signer?.notAfter == expected.time(signer.notAfter))
    }

    private func compareDigests(_ issuerSigned: IssuerSigned, _ expected: ExpectedDocument) throws {
        let object = try #require(issuerSigned.mobileSecurityObject)
        let count = try DigestCount(issuerSigned.items, object.valueDigests, #require(object.digestAlgorithm))
        #expect(count.items == expected.digests.items)
        #expect(count.matching == expected.digests.matching)
    }
}

@Suite(.enabled(if: Vectors.available("apple/device-mock-2025")))
struct DeveloperProfileTests {
    static let now = RFC3339.timestamp("2026-01-01T00:00:00Z")!

    private func verify(_ mode: VerificationMode) throws -> MdocResult {
        try AppleSample.verifier(mode: mode).verify(
            deviceResponse: Vectors.bytes("apple/device-mock-2025/device_response.cbor"),
            transcript: SessionTranscript(raw: Vectors.bytes("apple/device-mock-2025/session_transcript.cbor")),
            expectedDocumentType: "org.iso.18013.5.1.mDL", purpose: .everything(), at: Self.now)
    }

    @Test func `a developer-profile response is rejected cleanly: no issuer, no trust`() throws {
        let result = try verify(.live)
        #expect(result.isRejected)
        #expect(
            result.failures == [
                "issuer_certificate: issuer_certificate_missing", "issuer_signature: issuer_signature_invalid",
            ])
        #expect(result.report[.deviceSignature] == .passed)
        #expect(result.claims.withValue { $0.isEmpty })
    }

    @Test func `simulator mode accepts a developer-profile response, and says what it did not check`() throws {
        let result = try verify(.simulator)
        #expect(result.isVerified)
        for check in [CheckName.issuerCertificate, .issuerSignature, .deviceSignature, .revocation] {
            #expect(result.report[check] == .notChecked)
        }
        for check in [CheckName.deviceResponse, .documentType, .validity, .digests, .elements] {
            #expect(result.report[check] == .passed)
        }
        #expect(result.claim("family_name") == .text("Garcia"))
        #expect(result.claim("issue_date") == .text("2003-02-10"))
    }

    @Test func `simulator mode still judges all that needs no signature`() throws {
        let verifier = try AppleSample.verifier(mode: .simulator)
        let result = try verifier.verify(
            deviceResponse: Vectors.bytes("apple/device-mock-2025/device_response.cbor"),
            transcript: SessionTranscript(raw: Vectors.bytes("apple/device-mock-2025/session_transcript.cbor")),
            expectedDocumentType: DocumentCatalog.myNumberCard.type,
            purpose: .everything(requiring: [ClaimName("local_gov_code")]),
            at: RFC3339.timestamp("2060-01-01T00:00:00Z")!)
        #expect(result.isRejected)
        #expect(
            result.failures == ["document_type: document_type_mismatch", "validity: document_expired"])
    }
}
