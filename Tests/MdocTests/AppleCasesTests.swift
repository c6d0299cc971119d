import Foundation
import Mdoc
import TestSupport
import Testing
import VerificationCore

/// Apple's sample, changed one thing at a time.
struct AppleCase: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let envelopeHex: String
    let nonceHex: String
    let merchantIdentifier: String
    let teamIdentifier: String
    let expect: String
    let failedCheck: String?
    let reasons: [String]

    var testDescription: String { name }

    static let all: [AppleCase] = {
        struct File: Decodable { let cases: [AppleCase] }
        guard Vectors.available("apple/cases.json"), let bytes = try? Vectors.bytes("apple/cases.json") else {
            return []
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let cases = (try? decoder.decode(File.self, from: Data(bytes)))?.cases ?? []
        Vectors.ran(cases.count, of: "apple cases")
        return cases
    }()
}

@Suite(.enabled(if: AppleSample.isAvailable))
struct AppleCasesTests {
    @Test func `the cases are all there`() {
        #expect(AppleCase.all.count >= 45)
    }

    @Test(arguments: AppleCase.all)
    func `each case gives its verdict, its failed check and one of its reasons`(_ vector: AppleCase) throws {
        let result = try AppleSample.verify(
            envelope: #require(ByteText.bytes(hex: vector.envelopeHex)),
            nonce: AppleSample.nonce(hex: vector.nonceHex),
            identity: WalletIdentity(
                merchantIdentifier: vector.merchantIdentifier, teamIdentifier: vector.teamIdentifier))
        #expect(result.isVerified == (vector.expect == "verified"), "\(result.failures)")
        #expect(result.isRejected == (vector.expect == "rejected"))
        if let failed = vector.failedCheck {
            let check = try #require(CheckName(rawValue: failed))
            let reason = try #require(result.report[check].reason, "\(result.failures)")
            #expect(vector.reasons.contains(reason.rawValue))
            #expect(result.claims.withValue { $0.isEmpty })
        } else {
            #expect(result.failures.isEmpty)
        }
    }
}
