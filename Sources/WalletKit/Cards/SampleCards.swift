extension Card {
    /// The names of Japan's document.
    public enum Japan {
        /// The document type.
        public static let documentType = "org.iso.23220.1.jp.mnc"
        /// Japan's own namespace.
        public static let namespace = "org.iso.23220.1.jp"
        /// ISO/IEC 23220's namespace.
        public static let isoNamespace = "org.iso.23220.1"
        /// A My Number with a right check digit (the usual sample number); nobody's.
        public static let individualNumber = "123456789018"
    }

    /// The names of the driving licence.
    public enum Licence {
        /// The document type.
        public static let documentType = "org.iso.18013.5.1.mDL"
        /// ISO/IEC 18013-5's namespace.
        public static let namespace = "org.iso.18013.5.1"
        /// AAMVA's namespace.
        public static let aamvaNamespace = "org.iso.18013.5.1.aamva"
    }

    /// A card of this kind with a new device key.
    public static func sample(
        _ kind: Kind, at now: Moment, portrait: Portrait = .small, deviceKind: KeyKind = .p256,
        randomness: Randomness = .system
    ) throws(WalletError) -> Card {
        let key = try PrivateKey(deviceKind, randomness: randomness)
        switch kind {
        case .jp:
            return Card(documentType: Japan.documentType, elements: japan(portrait, at: now), deviceKey: key)
        case .mdl:
            return Card(documentType: Licence.documentType, elements: licence(portrait, at: now), deviceKey: key)
        }
    }

    /// The holder of the My Number Card, with what breaks others: U+3000 between the names, 𠮷 (outside the BMP),
    /// 葛 with the variation selector U+E0100, a municipality's code that begins with zero (札幌市中央区).
    private static func japan(_ portrait: Portrait, at now: Moment) -> [Element] {
        let japan = Japan.namespace
        let iso = Japan.isoNamespace
        return [
            Element(japan, "full_name_unicode", .text("葛\u{E0100}城\u{3000}𠮷乃")),
            Element(japan, "resident_address_unicode", .text("北海道札幌市中央区北一条西２丁目１番地\u{3000}関所荘２０３")),
            Element(japan, "local_gov_code_unicode", .text("01101")),
            Element(japan, "individual_number_unicode", .text(Japan.individualNumber)),
            Element(japan, "portrait", .bytes(portrait.bytes)),
            Element(japan, "sex_unicode", .text("女")),
            Element(japan, "birth_date_unicode", .text("1984年2月29日")),
            Element(iso, "birth_date", .tag(1004, .text("1984-02-29"))),
            Element(iso, "sex", .unsigned(2)),
            Element(iso, "age_in_years", .unsigned(age("1984-02-29", at: now))),
            Element(iso, "age_over_18", .boolean(true)),
            Element(iso, "age_over_20", .boolean(true)),
            Element(iso, "age_over_65", .boolean(false)),
        ]
    }

    private static func licence(_ portrait: Portrait, at now: Moment) -> [Element] {
        let iso = Licence.namespace
        let aamva = Licence.aamvaNamespace
        let categories: [Item] = [
            .record([
                "vehicle_category_code": .text("B"), "issue_date": .tag(1004, .text("2019-03-01")),
                "expiry_date": .tag(1004, .text("2029-03-01")),
            ])
        ]
        let domestic: [Item] = [
            .record([
                "domestic_vehicle_class": .record([
                    "domestic_vehicle_class_code": .text("C"),
                    "domestic_vehicle_class_description": .text("Single vehicle under 26,001 pounds"),
                ])
            ])
        ]
        return [
            Element(iso, "family_name", .text("O\u{2019}Connor-Müller")),
            Element(iso, "given_name", .text("Zoë")),
            Element(iso, "birth_date", .tag(1004, .text("1990-07-14"))),
            Element(iso, "issue_date", .tag(0, .text("2024-03-01T00:00:00Z"))),
            Element(iso, "expiry_date", .tag(1004, .text("2029-03-01"))),
            Element(iso, "issuing_country", .text("JP")),
            Element(iso, "issuing_authority", .text("Sekisho Test Issuer")),
            Element(iso, "document_number", .text("D0123456")),
            Element(iso, "portrait", .bytes(portrait.bytes)),
            Element(iso, "driving_privileges", .array(categories)),
            Element(iso, "un_distinguishing_sign", .text("J")),
            Element(iso, "sex", .unsigned(2)),
            Element(iso, "age_in_years", .unsigned(age("1990-07-14", at: now))),
            Element(iso, "age_over_18", .boolean(true)),
            Element(iso, "age_over_21", .boolean(true)),
            Element(iso, "resident_address", .text("1 Gate Street")),
            Element(iso, "resident_city", .text("Hakone")),
            Element(iso, "resident_state", .text("Kanagawa")),
            Element(iso, "resident_postal_code", .text("02500")),
            Element(iso, "resident_country", .text("JP")),
            Element(aamva, "domestic_driving_privileges", .array(domestic)),
            Element(aamva, "given_name_truncation", .text("N")),
            Element(aamva, "family_name_truncation", .text("N")),
            Element(aamva, "DHS_compliance", .text("F")),
            Element(aamva, "organ_donor", .unsigned(1)),
            Element(aamva, "sex", .unsigned(2)),
        ]
    }

    /// Whole years from a birthday to the day of `now`; one born on 29 February ages on 1 March here.
    private static func age(_ birthday: String, at now: Moment) -> UInt64 {
        let years = (Int(now.day.prefix(4)) ?? 0) - (Int(birthday.prefix(4)) ?? 0)
        return UInt64(max(0, now.day.dropFirst(4) < birthday.dropFirst(4) ? years - 1 : years))
    }
}
