import JSONTree
import VerificationCore

/// Reads the claims of a purpose against what its documents offer.
struct PurposeClaims {
    /// The definitions of the purpose's document types.
    let documents: [DocumentDefinition]

    func read(_ list: JSONReader?) -> Set<ClaimName> {
        guard let list else { return [] }
        if list.node.elements?.isEmpty == true { list.report("must not be empty") }
        var claims: Set<ClaimName> = []
        for (text, reader) in list.uniqueStrings() {
            let claim = ClaimName(text)
            if IndividualNumber.isMeant(by: text, of: documents) {
                reader.report("asks for the individual number (マイナンバー), which can never be asked for")
            } else if documents.isEmpty || documents.contains(where: { $0.offers(claim) }) {
                claims.insert(claim)
            } else {
                reader.reportUnknown(text, "claim of the purpose's documents", among: offered)
            }
        }
        return claims
    }

    func readRequired(_ list: JSONReader?, among allowed: Set<ClaimName>) -> Set<ClaimName> {
        guard let list else { return [] }
        var claims: Set<ClaimName> = []
        for (text, reader) in list.uniqueStrings() {
            let claim = ClaimName(text)
            if IndividualNumber.isMeant(by: text, of: documents) {
                reader.report("asks for the individual number (マイナンバー), which can never be asked for")
            } else if !allowed.contains(claim) {
                reader.reportUnknown(text, "entry of this purpose's claims", among: allowed.map(\.rawValue))
            } else if !documents.allSatisfy({ $0.offers(claim) }) {
                reader.report("is no claim of every document of this purpose, so it cannot be required")
            } else {
                claims.insert(claim)
            }
        }
        return claims
    }

    private var offered: [String] { Set(documents.flatMap { $0.elements.map(\.claim.rawValue) }).sorted() }
}

/// The spellings by which somebody could ask for a マイナンバー. The catalogue has no such claim, so each is refused
/// anyway; this is for saying why, and for a purpose whose other document does have a document number.
enum IndividualNumber {
    static func isMeant(by text: String, of documents: [DocumentDefinition]) -> Bool {
        let letters = folded(text)
        if names.contains(where: letters.contains) { return true }
        return documents.contains { document in
            ForbiddenElements.forbidsRequesting(text, of: document.type)
                || document.type == DocumentCatalog.myNumberCard.type
                    && ForbiddenElements.japaneseCardNames.contains { folded($0) == letters }
        }
    }

    private static let names = ["individualnumber", "mynumber", "マイナンバー", "個人番号"]

    /// Letters and digits alone, in lower case; full-width ones as their usual forms.
    private static func folded(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isFullWidth = (0xFF01...0xFF5E).contains(scalar.value)
            let usual = isFullWidth ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
            if usual.properties.isAlphabetic || usual.properties.numericType != nil || usual == "ー" {
                scalars.append(contentsOf: usual.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return String(scalars)
    }
}
