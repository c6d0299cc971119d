/// The documents that the gateway understands. The mapping from element to claim is data, keyed by document type,
/// namespace and element, because documents share namespaces and mean different things by one name.
public enum DocumentCatalog {
    /// Every known document.
    public static let documents: [DocumentDefinition] = [myNumberCard, drivingLicence]

    /// The definition of a document type, or `nil` where it is not supported: it is never read as another one.
    public static func definition(of documentType: String) -> DocumentDefinition? {
        documents.first { $0.type == documentType }
    }
}
