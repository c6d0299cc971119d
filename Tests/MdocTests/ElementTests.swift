import Mdoc
import Testing
import VerificationCore
import WalletKit

/// What becomes of elements: dates (T03, T12, T13), names (group 6), and what was not asked for.
@Suite struct ElementTests {
    let japan: Fixture
    let licence: Fixture

    init() throws {
        japan = try Fixture.japan.get()
        licence = try Fixture.licence.get()
    }

    private func birthdate(_ value: Item) throws -> ClaimValue? {
        let result = try japan.verify(japan.purpose(requiring: ["name"])) {
            $0.card["birth_date", in: Card.Japan.isoNamespace] = value
        }
        #expect(result.isVerified, "\(result.failures)")
        return result.claim("birthdate")
    }

    @Test func `T03 a birth date is read as full-date, text, date-time, days or map`() throws {
        let expected = ClaimValue.text("1984-02-29")
        #expect(try birthdate(.tag(1004, .text("1984-02-29"))) == expected)
        #expect(try birthdate(.text("1984-02-29")) == expected)
        #expect(try birthdate(.tag(0, .text("1984-02-29T00:00:00Z"))) == expected)
        #expect(try birthdate(.tag(100, .integer(5172))) == expected)
        #expect(try birthdate(.record(["birth_date": .tag(1004, .text("1984-02-29"))])) == expected)
    }

    @Test(arguments: [
        Item.tag(1, .unsigned(446_860_800)), .unsigned(19_840_229), .null, .array([]), .map([]), .tag(9999, .text("x")),
        .bytes([1]), .boolean(true), .tag(100, .integer(.max)), .tag(1004, .unsigned(5)),
    ])
    func `T03 what cannot be told for a date is no claim, and is missing where it is required`(_ value: Item) throws {
        #expect(try birthdate(value) == nil)
        let result = try japan.verify { $0.card["birth_date", in: Card.Japan.isoNamespace] = value }
        #expect(result.failures == ["elements: element_missing"])
    }

    @Test(arguments: [
        "1985-00-00", "1985-07-00", "1985", "1985-XX-XX", "0000-00-00", "2023-02-29", "2024-02-29", "", "昭和60年",
    ])
    func `T12 an incomplete or impossible date is kept as it was issued, and never the first of January`(
        _ text: String
    ) throws {
        #expect(try birthdate(.tag(1004, .text(text))) == .text(text))
        #expect(try birthdate(.text(text)) == .text(text))
    }

    @Test func `T12 digits that a mask hides are not shown as known`() throws {
        let masked: Item = .record([
            "birth_date": .tag(1004, .text("1985-01-01")), "approximate_mask": .text("00001111"),
        ])
        #expect(try birthdate(masked) == .text("1985-00-00"))
        let exact: Item = .record([
            "birth_date": .tag(1004, .text("1985-01-01")), "approximate_mask": .text("00000000"),
        ])
        #expect(try birthdate(exact) == .text("1985-01-01"))
    }

    @Test(arguments: ["2000-01-01T23:59:59Z", "2000-01-01T00:00:00+09:00", "2000-01-01T00:00:00-08:00"])
    func `T13 a date is never moved by a time zone`(_ text: String) throws {
        #expect(try birthdate(.tag(0, .text(text))) == .text("2000-01-01"))
    }

    @Test func `N04 text is kept exactly: half width, full width, non-BMP and variation selectors`() throws {
        let names = [
            "ﾔﾏﾀﾞ ﾀﾛｳ", "ヤマダ\u{3000}タロウ", "葛\u{E0100}城 𠮷乃", "e\u{301}", "é", "髙﨑", "\u{3000}", "山田\n太郎", "",
        ]
        for name in names {
            let result = try japan.verify { $0.card["full_name_unicode", in: Card.Japan.namespace] = .text(name) }
            #expect(result.isVerified)
            guard case .text(let text) = result.claim("name") else {
                Issue.record("no name")
                continue
            }
            // By scalars: Swift's own equality would take é for e and an accent.
            #expect(Array(text.unicodeScalars) == Array(name.unicodeScalars))
        }
    }

    @Test func `N06 zero, false and empty text are values and not absences`() throws {
        let purpose = licence.purpose(
            ["gender", "age_over_18", "issuing_jurisdiction", "organ_donor", "issuing_country"],
            requiring: ["gender", "age_over_18", "issuing_country", "organ_donor"])
        let result = try licence.verify(purpose) { plan in
            plan.card["sex", in: Card.Licence.namespace] = .unsigned(0)
            plan.card["age_over_18", in: Card.Licence.namespace] = .boolean(false)
            plan.card["issuing_country", in: Card.Licence.namespace] = .text("")
            plan.card["organ_donor", in: Card.Licence.aamvaNamespace] = .unsigned(0)
            plan.disclosed = plan.card.elements.filter { element in
                ["sex", "age_over_18", "issuing_country", "organ_donor"].contains(element.identifier)
                    && !(element.identifier == "sex" && element.namespace == Card.Licence.aamvaNamespace)
            }
        }
        #expect(result.isVerified, "\(result.failures)")
        #expect(result.claim("gender") == .text("not_known"))
        #expect(result.claim("age_over_18") == .boolean(false))
        #expect(result.claim("issuing_country") == .text(""))
        #expect(result.claim("organ_donor") == .integer(0))
    }

    @Test(arguments: [
        (1, ClaimValue.text("male")), (2, .text("female")), (9, .text("not_applicable")), (3, .integer(3)),
    ])
    func `N12 sex is ISO 5218's table, and an unknown code stays a code`(_ code: Int, _ value: ClaimValue) throws {
        let result = try japan.verify { $0.card["sex", in: Card.Japan.isoNamespace] = .unsigned(UInt64(code)) }
        #expect(result.claim("gender") == value)
        #expect(result.claim("gender_text") == .text("女"))
    }

    @Test func `N10 an unknown document type is never read as one that is known`() throws {
        let result = try japan.verify { plan in
            plan.presentedType = "org.iso.23220.photoid.1"
            plan.issuedType = "org.iso.23220.photoid.1"
        }
        #expect(result.failures == ["document_type: document_type_mismatch"])
        #expect(result.claims.withValue { $0.isEmpty })
    }

    @Test func `N10 a マイナンバー that arrives is dropped, and reported without its value`() throws {
        let result = try japan.verify { plan in
            plan.disclosed += plan.card.elements.filter { $0.identifier == "individual_number_unicode" }
        }
        #expect(result.isVerified)
        #expect(result.incidents == [.individualNumberReceived])
        var dumped = ""
        dump(result, to: &dumped)
        result.claims.withValue { _ = dump($0, to: &dumped) }
        result.document?.withValue { _ = dump($0, to: &dumped) }
        #expect(!dumped.contains(Card.Japan.individualNumber))
    }

    @Test func `N10 a マイナンバー is reported in whatever namespace, document or part it arrives`() throws {
        let foreign = try licence.verify { plan in
            plan.card.elements.append(
                Card.Element(Card.Licence.namespace, "individual_number_unicode", .text(Card.Japan.individualNumber)))
            plan.disclosed += plan.card.elements.suffix(1)
        }
        #expect(foreign.incidents == [.individualNumberReceived])
        let number: Item = .record(["individual_number_unicode": .text(Card.Japan.individualNumber)])
        let device = try japan.verify { plan in
            plan.deviceNameSpaces = Item.record([Card.Japan.namespace: number]).encoded()
        }
        #expect(device.isVerified, "\(device.failures)")
        #expect(device.incidents == [.individualNumberReceived])
    }

    @Test func `N10 no configuration can ask for a マイナンバー`() {
        let card = DocumentCatalog.myNumberCard
        for name in ["documentNumber", "individual_number_unicode", "document_number", "jp-individual-number"] {
            #expect(ForbiddenElements.forbidsRequesting(name, of: card.type))
            #expect(!card.offers(ClaimName(name)))
            #expect(card.appleElements(for: [ClaimName(name)]).isEmpty)
        }
        #expect(!ForbiddenElements.forbidsRequesting("document_number", of: DocumentCatalog.drivingLicence.type))
        #expect(!card.elements.contains { ForbiddenElements.contains(elementIdentifier: $0.name.identifier) })
    }

    @Test func `what the purpose does not allow is dropped; only a surprise is an incident`() throws {
        // The address brings local_gov_code along: no surprise.
        let expected = try japan.verify(japan.purpose(["name", "address.formatted"]))
        #expect(expected.isVerified)
        #expect(expected.claim("local_gov_code") == nil)
        #expect(expected.incidents.isEmpty)
        let surprise = try japan.verify(japan.purpose(["name"])) { plan in
            plan.disclosed += plan.card.elements.filter { $0.identifier == "portrait" }
        }
        #expect(surprise.isVerified)
        #expect(surprise.claim("portrait") == nil)
        #expect(surprise.incidents == [.unrequestedElementReceived])
    }

    @Test func `H11 what the device asserts by itself is never a claim`() throws {
        let asserted: Item = .record([Card.Japan.namespace: .record(["full_name_unicode": .text("偽名")])])
        let beside = try japan.verify { $0.deviceNameSpaces = asserted.encoded() }
        #expect(beside.isVerified, "\(beside.failures)")
        #expect(beside.claim("name") != .text("偽名"))
        let instead = try japan.verify { plan in
            plan.deviceNameSpaces = asserted.encoded()
            plan.disclosed.removeAll { $0.identifier == "full_name_unicode" }
        }
        #expect(instead.failures == ["elements: element_missing"])
    }

    @Test(arguments: [(18, true), (41, true), (42, true), (43, false), (99, false)])
    func `an age in years answers for every threshold`(_ threshold: Int, _ value: Bool) throws {
        let claim = ClaimName("age_over_\(threshold)")
        let result = try japan.verify(japan.purpose([claim])) { plan in
            plan.card["age_in_years", in: Card.Japan.isoNamespace] = .unsigned(42)
            plan.disclosed = plan.card.elements.filter { $0.identifier == "age_in_years" }
        }
        #expect(result.isVerified)
        #expect(result.claims.withValue { $0 } == [claim: .boolean(value)])
        #expect(result.incidents.isEmpty)
    }

    @Test func `a signed threshold counts before the age, and nonsense is neither`() throws {
        let purpose = japan.purpose(["age_over_20", "age_in_years"], requiring: ["age_over_20"])
        let both = try japan.verify(purpose) { plan in
            plan.card["age_over_20", in: Card.Japan.isoNamespace] = .boolean(false)
            plan.disclosed = plan.card.elements.filter { $0.identifier.hasPrefix("age_") }
        }
        #expect(both.claim("age_over_20") == .boolean(false))
        for nonsense: Item in [.text("42"), .unsigned(1000), .integer(-1), .null] {
            let result = try japan.verify(purpose) { plan in
                plan.card["age_in_years", in: Card.Japan.isoNamespace] = nonsense
                plan.card["age_over_20", in: Card.Japan.isoNamespace] = .text("true")
                plan.disclosed = plan.card.elements.filter { $0.identifier.hasPrefix("age_") }
            }
            #expect(result.failures == ["elements: element_missing"])
        }
    }

    @Test func `an image's media type is found from its bytes`() throws {
        let heads: [(String, [UInt8])] = [
            ("image/jpeg", [0xFF, 0xD8, 0xFF, 0xE0]), ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            ("image/jp2", [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
            ("image/jp2", [0xFF, 0x4F, 0xFF, 0x51]), ("image/webp", Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBP".utf8)),
            ("application/octet-stream", [0x00]), ("application/octet-stream", Array("GIF89a".utf8)),
        ]
        for (mediaType, head) in heads {
            let result = try japan.verify { $0.card["portrait", in: Card.Japan.namespace] = .bytes(head) }
            #expect(result.claim("portrait") == .image(mediaType: mediaType, data: head))
        }
    }

    @Test func `the wallet is asked for just what the claims need`() {
        #expect(
            DocumentCatalog.myNumberCard.appleElements(
                for: ["name", "birthdate", "address.formatted", "portrait", "age_over_20"])
                == ["givenName", "familyName", "portrait", "address", "dateOfBirth", "age(atLeast:20)"])
        #expect(
            DocumentCatalog.drivingLicence.appleElements(for: ["family_name", "issuing_country", "address.locality"])
                == ["familyName", "address", "issuingAuthority"])
        #expect(DocumentCatalog.definition(of: "org.iso.23220.photoid.1") == nil)
    }
}
