import Cryptography
import Foundation
import Mdoc
import TestSupport
import Testing
import Trust
import VerificationCore

/// Answers that were accepted once, kept with all that is needed to judge them again (`Fixtures/README.md`): what
/// verified in one build verifies in the next, to the same claims.
struct GoldenAnswer: Codable, Sendable, CustomTestStringConvertible {
    var name: String
    var documentType: String
    var at: String
    var nonce: String
    var merchantIdentifier: String
    var teamIdentifier: String
    var key: Data
    var root: Data
    var envelope: Data
    var documentDigest: String
    var claims: [String: String]

    var testDescription: String { name }

    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/golden.json")

    static let all: [GoldenAnswer] = {
        let answers = (try? JSONDecoder().decode([GoldenAnswer].self, from: try Data(contentsOf: file))) ?? []
        Vectors.ran(answers.count, of: "golden answers")
        return answers
    }()

    func verify(at now: Timestamp? = nil, nonce other: Nonce? = nil) throws -> MdocResult {
        let instant = try #require(RFC3339.timestamp(at))
        let root = try TrustAnchor(certificate: Certificate(der: Array(root)), source: "golden")
        let signers = SignerVerifier(trust: try TrustStore(anchors: [root], at: instant), profile: .basic)
        let own = RecipientKey(try P256PrivateKey(Array(key)))
        let verifier = MdocVerifier(.init(recipientKeys: [own], signerVerifier: signers))
        let bytes = try #require(ByteText.bytes(hex: nonce))
        let asked = try #require(Nonce(bytes))
        return verifier.verify(
            envelope: Array(envelope), nonce: other ?? asked,
            walletIdentity: WalletIdentity(merchantIdentifier: merchantIdentifier, teamIdentifier: teamIdentifier),
            expectedDocumentType: documentType, purpose: .everything(of: [documentType]), at: now ?? instant)
    }

    /// A claim as the file has it: bytes of images by their digest.
    static func text(_ value: ClaimValue) -> String {
        switch value {
        case .text(let text): "text " + text
        case .integer(let number): "integer \(number)"
        case .boolean(let isTrue): "boolean \(isTrue)"
        case .image(let mediaType, let data): "image \(mediaType) \(ByteText.hex(Hash.sha256(data)))"
        case .list(let values): "list [" + values.map(text).joined(separator: ", ") + "]"
        case .record(let members):
            "record {" + members.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ") + "}"
        }
    }
}

@Suite struct GoldenDocumentsTests {
    @Test func `the golden answers are all there`() {
        #expect(GoldenAnswer.all.count >= 12)
        #expect(Set(GoldenAnswer.all.map(\.documentType)).count == 2)
    }

    @Test(arguments: GoldenAnswer.all)
    func `D09 what was accepted once is accepted again, with the same claims`(_ golden: GoldenAnswer) throws {
        let result = try golden.verify()
        #expect(result.isVerified, "\(result.failures)")
        let claims = result.claims.withValue { claims in
            Dictionary(uniqueKeysWithValues: claims.map { ($0.key.rawValue, GoldenAnswer.text($0.value)) })
        }
        // By scalars: String's own equality would forgive a normalisation.
        #expect(claims.mapValues { Array($0.unicodeScalars) } == golden.claims.mapValues { Array($0.unicodeScalars) })
        let digest = result.document?.withValue { $0.mobileSecurityObjectDigest }
        #expect(digest.map { ByteText.hex($0) } == golden.documentDigest)
    }

    @Test(arguments: GoldenAnswer.all)
    func `D09 an old answer is no good for another session, nor for ever`(_ golden: GoldenAnswer) throws {
        let other = try #require(Nonce([UInt8](repeating: 7, count: 32)))
        let elsewhere = try golden.verify(nonce: other)
        #expect(elsewhere.report[.sessionBinding] == .failed(.sessionMismatch))
        let later = try golden.verify(at: RFC3339.timestamp("2036-01-01T00:00:00Z"))
        #expect(later.report[.validity] == .failed(.documentExpired))
        for result in [elsewhere, later] {
            #expect(result.isRejected && result.claims.withValue { $0.isEmpty })
        }
    }
}
