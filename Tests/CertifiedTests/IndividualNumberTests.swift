import Foundation
import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// A マイナンバー in what a provider says is dropped, and counted without its value.
@Suite struct IndividualNumberTests {
    /// The check digit by the rule's own words, apart from the code under test: Pn counts from the lowest of the eleven
    /// digits, Qn is n+1 up to six and n-5 from seven on.
    static func number(_ eleven: String) -> String {
        let digits: [Int] = eleven.compactMap(\.wholeNumberValue)
        var sum = 0
        for n in 1...11 {
            let weight = n <= 6 ? n + 1 : n - 5
            sum += digits[11 - n] * weight
        }
        return eleven + (sum % 11 <= 1 ? "0" : String(11 - sum % 11))
    }

    @Test func `the check digit is the rule's`() {
        // The number that the government's own pages show as an example.
        #expect(Self.number("12345678901") == "123456789018")
        for eleven in ["00000000000", "99999999999", "10000000000", "20250401123", "86420975310", "00000000010"] {
            let number = Self.number(eleven)
            let digits = number.utf8.map { $0 - 0x30 }
            #expect(IndividualNumberFilter.isValid(digits))
            let valid = (0...9).filter { IndividualNumberFilter.isValid(digits.dropLast() + [UInt8($0)]) }
            #expect(valid.count == 1)
        }
    }

    @Test(arguments: [
        "123456789018", "1234 5678 9018", "1234-5678-9018", "１２３４５６７８９０１８", "１２３４　５６７８　９０１８", "1234‐5678‐9018",
        "1234–5678—9018", "1234−5678－9018", "1234ー5678ｰ9018", "1234\u{200B}5678\u{00A0}9018", "1234\u{FEFF}56789018",
        "個人番号:123456789018", "氏名 山田花子 1234 5678 9018 です", "1-2-3-4-5-6-7-8-9-0-1-8", "1234.5678.9018", "1234・5678・9018",
        "No.123456789018号", "١٢٣٤٥٦٧٨٩٠١٨", "𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗𝟎𝟏𝟖", "19710901 123456789018", "99123456789018", "1234/5678/9018",
        "1234\n5678\r\n9018", "1234_5678_9018",
    ])
    func `it is found in every writing`(text: String) {
        #expect(IndividualNumberFilter.isHit(text))
    }

    @Test(arguments: [
        "", "123456789012", "12345678901", "1234567890", "東京都千代田区霞が関一丁目２番３号", "100-0013", "03-1234-5678",
        "1971-09-01", "千代田区1-2-3-405", "あ123456い789018う", "123456年789018", "１２３４５６７８９０１９",
    ])
    func `other text stays`(text: String) {
        #expect(!IndividualNumberFilter.isHit(text))
    }

    @Test func `it is found inside lists, records, names and numbers`() {
        let hit = ClaimValue.text("1234 5678 9018")
        #expect(IndividualNumberFilter.isHit(.list([.text("a"), .list([hit])])))
        #expect(
            IndividualNumberFilter.isHit(
                .record([ClaimMember(name: "n", value: .record([ClaimMember(name: "m", value: hit)]))])))
        #expect(IndividualNumberFilter.isHit(.record([ClaimMember(name: "123456789018", value: .boolean(true))])))
        #expect(IndividualNumberFilter.isHit(.integer(123_456_789_018)))
        #expect(IndividualNumberFilter.isHit(.list([.text("1234"), .text("5678"), .text("9018")])))
        #expect(!IndividualNumberFilter.isHit(.list([.text("1234"), .text("5678")])))
        #expect(!IndividualNumberFilter.isHit(.boolean(true)))
        #expect(!IndividualNumberFilter.isHit(.image(mediaType: "image/png", data: Array("123456789018".utf8))))
    }

    private func conclude(_ name: String, document: String, required: [String] = []) async throws -> Conclusion {
        let stage = try Stage(
            "pocketsign",
            [
                .json(
                    #"""
                    {"verification": {"id": "v", "externalId": "ses_1", "result": "RESULT_OK"},
                     "certificateContent": {"commonName": "\#(name)", "address": "東京都"}}
                    """#)
            ],
            edit: {
                $0.replacingOccurrences(
                    of: "\"org.iso.23220.1.jp.mnc\": \"CARD_TYPE_JP_MNC\"",
                    with: "\"org.iso.23220.1.jp.mnc\": \"CARD_TYPE_JP_MNC\", \"org.iso.18013.5.1.mDL\": \"L\"")
            })
        let purpose = Stage.purpose(["name", "address.formatted"], required: required)
        let challenge = try await stage.begun(try Stage.request(purpose, documentType: document))
        return try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
    }

    @Test func `a claim of the card that holds one is dropped whole, and is an incident`() async throws {
        let conclusion = try await conclude("山田花子 1234-5678-9018", document: Stage.card)
        #expect(conclusion.claims == ["address.formatted": .text("東京都")])
        #expect(conclusion.incidents == [.individualNumberReceived])
        #expect(!"\(conclusion)".contains("9018"))
        // Where it was required, the rest does not satisfy the purpose.
        let rejected = try await conclude("山田花子 1234-5678-9018", document: Stage.card, required: ["name"])
        #expect(rejected.report?[.elements] == .failed(.elementMissing))
        #expect(rejected.incidents == [.individualNumberReceived])
        #expect(rejected.isRejected)
    }

    @Test func `twelve digits of a driving licence are its number`() async throws {
        let conclusion = try await conclude("123456789018", document: Stage.licence)
        #expect(conclusion.claims?["name"] == .text("123456789018"))
        #expect(conclusion.incidents == [])
    }
}
