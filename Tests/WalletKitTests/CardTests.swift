import CBOR
import Testing

@testable import WalletKit

private let now = Moment(2026, 11, 30, 7)

@Suite struct `Cards and what is asked of them` {
    @Test(arguments: Portrait.allCases)
    func `a portrait is a JPEG of exactly its size`(portrait: Portrait) throws {
        let bytes = portrait.bytes
        #expect(bytes.count == portrait.count)
        #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF])
        #expect(bytes.suffix(2) == [0xFF, 0xD9])
        // Walks the segments up to the scan: each says its own length, and none may run over the end.
        var index = 2
        var frames = 0
        while bytes[index + 1] != 0xDA {
            #expect(bytes[index] == 0xFF)
            if bytes[index + 1] == 0xC0 { frames += 1 }
            index += 2 + Int(bytes[index + 2]) << 8 + Int(bytes[index + 3])
            try #require(index + 4 < bytes.count)
        }
        #expect(frames == 1)
    }

    @Test func `the Japanese card holds what breaks others`() throws {
        let card = try Card.sample(.jp, at: now)
        guard case .text(let name) = card["full_name_unicode", in: Card.Japan.namespace] else {
            Issue.record("no name")
            return
        }
        let scalars = name.unicodeScalars.map(\.value)
        #expect(scalars.contains(0x3000))
        #expect(scalars.contains(0xE0100))
        #expect(scalars.contains(0x20BB7))
        #expect(card["local_gov_code_unicode", in: Card.Japan.namespace] == .text("01101"))
        #expect(card["age_in_years", in: Card.Japan.isoNamespace] == .unsigned(42))
        let birthday = try Card.sample(.jp, at: Moment(2027, 2, 28))
        #expect(birthday["age_in_years", in: Card.Japan.isoNamespace] == .unsigned(42))
        let after = try Card.sample(.jp, at: Moment(2027, 3, 1))
        #expect(after["age_in_years", in: Card.Japan.isoNamespace] == .unsigned(43))
    }

    @Test func `one name brings what Apple's wallet brings, and nothing else`() throws {
        let card = try Card.sample(.jp, at: now)
        func select(_ names: String...) -> [String] {
            RequestedElements.select(names, from: card).map(\.identifier)
        }
        #expect(select("address") == ["resident_address_unicode", "local_gov_code_unicode"])
        #expect(select("dateOfBirth") == ["birth_date_unicode", "birth_date"])
        #expect(select("givenName", "familyName") == ["full_name_unicode"])
        #expect(select("sex") == ["sex_unicode", "sex"])
        #expect(select("age(atLeast:20)") == ["age_over_20"])
        #expect(select("age(atLeast: 25)") == ["age_in_years"])
        #expect(select("documentNumber") == ["individual_number_unicode"])
        #expect(select("documentExpirationDate", "nationality").isEmpty)
    }

    @Test func `the licence's AAMVA elements come with the standard's`() throws {
        let card = try Card.sample(.mdl, at: now)
        let selected = RequestedElements.select(["familyName", "sex", "drivingPrivileges"], from: card)
        #expect(
            selected.map(\.identifier) == [
                "family_name", "driving_privileges", "sex", "domestic_driving_privileges", "family_name_truncation",
            ])
        #expect(!selected.contains { $0.identifier == "sex" && $0.namespace == Card.Licence.aamvaNamespace })
    }

    @Test func `an item can be spelled shortest, widest and of indefinite length`() {
        let item: Item = .record(["b": .array([.unsigned(1), .integer(-2)]), "a": .bytes([1, 2, 3])])
        #expect(item.encoded() == [0xA2, 0x61, 0x62, 0x82, 1, 0x21, 0x61, 0x61, 0x43, 1, 2, 3])
        #expect(
            item.encoded(EncodingStyle(keyOrder: .lengthFirst)) == [
                0xA2, 0x61, 0x61, 0x43, 1, 2, 3, 0x61, 0x62, 0x82, 1, 0x21,
            ])
        #expect(
            item.encoded(EncodingStyle(indefinite: true)) == [
                0xBF, 0x61, 0x62, 0x9F, 1, 0x21, 0xFF, 0x61, 0x61, 0x5F, 0x41, 1, 0x42, 2, 3, 0xFF, 0xFF,
            ])
        #expect(Item.integer(-2).encoded(EncodingStyle(wide: true)) == [0x3B, 0, 0, 0, 0, 0, 0, 0, 1])
    }
}
