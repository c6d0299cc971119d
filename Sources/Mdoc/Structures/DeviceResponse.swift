public import CBOR

/// DeviceResponse (ISO/IEC 18013-5 section 8.3.2.1.2.2).
public struct DeviceResponse: Sendable {
    /// The version that the wallet answers with.
    public static let version = "1.0"
    /// The status of a response that holds what it could hold.
    public static let ok: UInt64 = 0

    /// The one document, where there is exactly one and it can be read.
    public let document: UnverifiedDocument?
    /// Whether version, status and the number of documents are as they must be, and the document can be read.
    public let isSound: Bool

    /// Reads as much of a DeviceResponse as can be read: a wrong version or status does not hide what else is wrong.
    public init(_ map: CBORItem) {
        let version = map["version"].flatMap { try? $0.text() }
        let status = map["status"].flatMap { try? $0.unsigned() }
        let documents = map["documents"].flatMap { $0.kind == .array ? Array($0.items) : nil } ?? []
        document = documents.count == 1 ? documents.first.flatMap { try? UnverifiedDocument($0) } : nil
        isSound = version == DeviceResponse.version && status == DeviceResponse.ok && document != nil
    }
}
