import Billing
import CBOR
import Foundation
import JSONTree
import Mdoc
import Testing
import VerificationCore

@testable import Certified

/// The inputs that the fuzz targets begin with, and every one that ever crashed: here through all readers, in every run.
@Suite struct FuzzInputTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fuzz/Inputs")

    private static func inputs() throws -> [(name: String, bytes: [UInt8])] {
        try ["cbor-reader", "envelope", "device-response", "http-body", "provider-answer", "manifest", "invoice"]
            .flatMap {
                target in
                let place = folder.appendingPathComponent(target)
                return try FileManager.default.contentsOfDirectory(atPath: place.path).map {
                    (target + "/" + $0, Array(try Data(contentsOf: place.appendingPathComponent($0))))
                }
            }
    }

    @Test func `every kept input is refused by every reader, and none gives a claim`() throws {
        let inputs = try Self.inputs()
        #expect(inputs.count >= 30)
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

    @Test func `no kept manifest is taken, and no kept answer is a verdict`() throws {
        let step = try #require(FuzzManifest.manifest?.steps[.submit])
        let values = try #require(FuzzManifest.values)
        for (name, bytes) in try Self.inputs() where name.hasPrefix("manifest/") {
            let problems = JSONProblemList()
            _ = ManifestReading.manifest(bytes, problems: problems)
            #expect(!problems.problems.isEmpty, "\(name)")
        }
        let good = #"{"id":"v1","session":"ses_1","key":"k","final":true,"checks":[{"ok":true}],"state":"ok"}"#
        let kept = try Self.inputs().filter { $0.name.hasPrefix("provider-answer/") }
        for (name, bytes) in kept + [("good", [0] + Array(good.utf8))] {
            let answer = ProviderAnswer(
                status: [200, 201][Int(bytes[0])], contentTypes: ["application/json"],
                body: Sensitive(Array(bytes.dropFirst())))
            var verdict: Verdict?
            if let outcome = answer.outcome(among: step.outcomes), let tree = answer.tree {
                let reader = AnswerReader(
                    declaration: step.answer, outcome: outcome, values: values, tree: tree, vocabulary: Vocabulary(),
                    now: FuzzManifest.now)
                if (try? reader.memory(SessionMemory(nonceForm: .base64URL), requiresKept: true)) != nil {
                    switch outcome.meaning {
                    case .verified: verdict = try? reader.verified().verdict
                    case .rejected(let source): verdict = try? reader.rejected(source)
                    default: break
                    }
                }
            }
            #expect((verdict != nil) == (name == "good"), "\(name)")
        }
    }

    @Test func `no kept invoice is read, and each says in which line it fails`() throws {
        #expect(FuzzInvoice.formats.count == FuzzInvoice.texts.count)
        let kept = try Self.inputs().filter { $0.name.hasPrefix("invoice/") }
        #expect(kept.count >= 8)
        for (name, bytes) in kept {
            let format = try #require(FuzzInvoice.format(of: bytes))
            let problems = #expect(throws: InvoiceReader.Problems.self, "\(name)") {
                _ = try InvoiceReader.read(Array(bytes.dropFirst()), as: format)
            }
            #expect(problems?.list.allSatisfy { $0.line >= 1 } == true, "\(name)")
        }
    }
}
