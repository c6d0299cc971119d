import CBOR
import Foundation
import JSONTree
import Mdoc
import Testing
import VerificationCore

/// The inputs that the fuzz targets begin with, and every one that ever crashed: here through all readers, in every run.
@Suite struct FuzzInputTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fuzz/Inputs")

    private static func inputs() throws -> [(name: String, bytes: [UInt8])] {
        try ["cbor-reader", "envelope", "device-response", "http-body"].flatMap { target in
            let place = folder.appendingPathComponent(target)
            return try FileManager.default.contentsOfDirectory(atPath: place.path).map {
                (target + "/" + $0, Array(try Data(contentsOf: place.appendingPathComponent($0))))
            }
        }
    }

    @Test func `every kept input is refused by every reader, and none gives a claim`() throws {
        let inputs = try Self.inputs()
        #expect(inputs.count >= 13)
        let verifier = MdocVerifier(MdocVerifier.Configuration(recipientKeys: [], signerVerifier: nil))
        let purpose = Purpose(
            id: PurposeID("fuzz"), documentTypes: DocumentCatalog.documents.map(\.type), claims: [],
            requiredClaims: [], retention: .zero, relyingPartyRetention: .none)
        let identity = WalletIdentity(merchantIdentifier: "merchant.fuzz", teamIdentifier: "TEAM")
        let nonce = try #require(Nonce([1, 2, 3]))
        let transcript = try SessionTranscript(raw: [0x83, 0xF6, 0xF6, 0xF6])
        let now = Timestamp(seconds: 1_790_000_000)
        for (name, bytes) in inputs {
            if name.hasPrefix("cbor-reader/") {
                #expect(throws: CBORError.self, "\(name)") {
                    let document = try CBORDocument(bytes)
                    var item = document.root
                    while item.tagNumber == 24 { item = try item.embedded().root }
                }
            }
            if name.hasPrefix("http-body/") {
                #expect(throws: JSONProblems.self, "\(name)") { try JSONNode.parse(bytes, syntax: .json) }
            }
            let opened = verifier.verify(
                envelope: bytes, nonce: nonce, walletIdentity: identity, expectedDocumentType: nil, purpose: purpose,
                at: now)
            let read = verifier.verify(
                deviceResponse: bytes, transcript: transcript, expectedDocumentType: nil, purpose: purpose, at: now)
            #expect(opened.report[.envelope] == .failed(.evidenceMalformed), "\(name)")
            #expect(!read.report.failures.isEmpty, "\(name)")
            #expect(opened.claims.withValue { $0.isEmpty } && read.claims.withValue { $0.isEmpty }, "\(name)")
        }
    }
}
