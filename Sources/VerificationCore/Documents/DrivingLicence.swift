extension DocumentCatalog {
    /// The mobile driving licence of ISO/IEC 18013-5 section 7.2.1, with AAMVA's namespace.
    public static let drivingLicence = DocumentDefinition(
        type: "org.iso.18013.5.1.mDL", appleDocumentType: "us-drivers-license", appleRegion: nil, ageNamespace: iso,
        elements: identity + address + issuing + privileges + traits)

    private static let iso = "org.iso.18013.5.1"
    private static let aamva = "org.iso.18013.5.1.aamva"

    private static let identity = [
        ElementDefinition(iso, "given_name", claim: "given_name", apple: ["givenName"]),
        ElementDefinition(aamva, "given_name_truncation", claim: "given_name_truncation", apple: ["givenName"]),
        ElementDefinition(aamva, "aka_given_name", claim: "aka_given_name", apple: ["givenName"]),
        ElementDefinition(aamva, "name_suffix", claim: "name_suffix", apple: ["givenName"]),
        ElementDefinition(aamva, "aka_suffix", claim: "aka_suffix", apple: ["givenName"]),
        ElementDefinition(iso, "family_name", claim: "family_name", apple: ["familyName"]),
        ElementDefinition(aamva, "family_name_truncation", claim: "family_name_truncation", apple: ["familyName"]),
        ElementDefinition(aamva, "aka_family_name", claim: "aka_family_name", apple: ["familyName"]),
        ElementDefinition(iso, "portrait", claim: "portrait", .image, apple: ["portrait"]),
        ElementDefinition(iso, "birth_date", claim: "birthdate", .date, apple: ["dateOfBirth"]),
        ElementDefinition(iso, "age_in_years", claim: "age_in_years", .ageInYears, apple: ["age"]),
    ]

    private static let address = [
        ElementDefinition(iso, "resident_address", claim: "address.street_address", apple: ["address"]),
        ElementDefinition(iso, "resident_city", claim: "address.locality", apple: ["address"]),
        ElementDefinition(iso, "resident_state", claim: "address.region", apple: ["address"]),
        ElementDefinition(iso, "resident_postal_code", claim: "address.postal_code", apple: ["address"]),
        ElementDefinition(iso, "resident_country", claim: "address.country", apple: ["address"]),
        ElementDefinition(aamva, "resident_county", claim: "address.county", apple: ["address"]),
    ]

    private static let issuing = [
        ElementDefinition(iso, "issuing_authority", claim: "issuing_authority", apple: ["issuingAuthority"]),
        ElementDefinition(iso, "issuing_country", claim: "issuing_country", apple: ["issuingAuthority"]),
        ElementDefinition(iso, "issuing_jurisdiction", claim: "issuing_jurisdiction", apple: ["issuingAuthority"]),
        ElementDefinition(
            iso, "un_distinguishing_sign", claim: "un_distinguishing_sign", apple: ["issuingAuthority"]),
        ElementDefinition(iso, "document_number", claim: "document_number", apple: ["documentNumber"]),
        ElementDefinition(iso, "issue_date", claim: "issue_date", .date, apple: ["documentIssueDate"]),
        // Apple's page names it so; its developer profile of 2025 sends `issue_date`.
        ElementDefinition(iso, "document_issue_date", claim: "issue_date", .date, apple: ["documentIssueDate"]),
        ElementDefinition(iso, "expiry_date", claim: "expiry_date", .date, apple: ["documentExpirationDate"]),
    ]

    private static let privileges = [
        ElementDefinition(iso, "driving_privileges", claim: "driving_privileges", apple: ["drivingPrivileges"]),
        ElementDefinition(
            aamva, "domestic_driving_privileges", claim: "domestic_driving_privileges", apple: ["drivingPrivileges"]),
        ElementDefinition(
            aamva, "DHS_compliance", claim: "dhs_compliance", apple: ["documentDHSComplianceStatus"]),
    ]

    private static let traits = [
        ElementDefinition(iso, "sex", claim: "gender", .sex, apple: ["sex"]),
        ElementDefinition(aamva, "sex", claim: "gender", .sex, apple: ["sex"]),
        ElementDefinition(iso, "height", claim: "height", apple: ["height"]),
        ElementDefinition(iso, "weight", claim: "weight", apple: ["weight"]),
        ElementDefinition(aamva, "weight_range", claim: "weight_range", apple: ["weight"]),
        ElementDefinition(iso, "eye_colour", claim: "eye_colour", apple: ["eyeColor"]),
        ElementDefinition(iso, "hair_colour", claim: "hair_colour", apple: ["hairColor"]),
        ElementDefinition(aamva, "organ_donor", claim: "organ_donor", apple: ["organDonorStatus"]),
        ElementDefinition(aamva, "veteran", claim: "veteran", apple: ["veteranStatus"]),
    ]
}
