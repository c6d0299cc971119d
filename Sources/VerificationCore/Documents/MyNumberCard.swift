extension DocumentCatalog {
    /// The My Number Card in a wallet (カード代替電磁的記録).
    ///
    /// `individual_number_unicode` is missing on purpose: see ``ForbiddenElements``. Names of elements: Apple,
    /// PKIdentityNationalIDCardDescriptor. The card has no expiry, no number to show, and no split of the name.
    public static let myNumberCard = DocumentDefinition(
        type: "org.iso.23220.1.jp.mnc", appleDocumentType: "jp-national-id-card", appleRegion: "JP",
        ageNamespace: iso,
        elements: [
            ElementDefinition(japan, "full_name_unicode", claim: "name", apple: ["givenName", "familyName"]),
            ElementDefinition(japan, "portrait", claim: "portrait", .image, apple: ["portrait"]),
            ElementDefinition(japan, "resident_address_unicode", claim: "address.formatted", apple: ["address"]),
            ElementDefinition(japan, "local_gov_code_unicode", claim: "local_gov_code", apple: ["address"]),
            ElementDefinition(iso, "birth_date", claim: "birthdate", .date, apple: ["dateOfBirth"]),
            ElementDefinition(japan, "birth_date_unicode", claim: "birthdate_text", apple: ["dateOfBirth"]),
            ElementDefinition(iso, "sex", claim: "gender", .sex, apple: ["sex"]),
            ElementDefinition(japan, "sex_unicode", claim: "gender_text", apple: ["sex"]),
            ElementDefinition(iso, "age_in_years", claim: "age_in_years", .ageInYears, apple: ["age"]),
        ])

    private static let japan = "org.iso.23220.1.jp"
    private static let iso = "org.iso.23220.1"
}
