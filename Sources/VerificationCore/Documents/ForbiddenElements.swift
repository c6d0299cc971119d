/// What can neither be requested nor kept, whatever a configuration says.
///
/// 番号法 (the My Number Act) sections 15 and 20 forbid collecting a マイナンバー outside its permitted purposes, and
/// consent does not
/// cure it. Apple's `documentNumber` *is* that number for the Japanese card.
public enum ForbiddenElements {
    /// Identifiers of data elements that hold a マイナンバー. They are refused in every namespace and every document.
    public static let identifiers: Set<String> = [
        "individual_number", "individual_number_unicode", "individual_number_latin1",
    ]

    /// Names under which claims or wallet elements would ask for it, of the Japanese card.
    public static let japaneseCardNames: Set<String> = [
        "documentNumber", "document-number", "document_number", "jp-individual-number", "individualNumber",
        "individual_number", "individual_number_unicode",
    ]

    /// Whether an element holds a マイナンバー: its value must never be copied out of the evidence.
    public static func contains(elementIdentifier: String) -> Bool { identifiers.contains(elementIdentifier) }

    /// Whether a claim or a wallet element of a document may not be asked for.
    public static func forbidsRequesting(_ name: String, of documentType: String) -> Bool {
        identifiers.contains(name)
            || (documentType == DocumentCatalog.myNumberCard.type && japaneseCardNames.contains(name))
    }
}
