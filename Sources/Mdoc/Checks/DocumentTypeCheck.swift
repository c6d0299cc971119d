import VerificationCore

extension Examination {
    /// `document_type`: equal in the request, the Document and the MobileSecurityObject, and allowed by the purpose
    /// (ISO/IEC 18013-5 section 9.3.1). DeviceAuthentication is over the Document's.
    mutating func checkDocumentType(_ document: UnverifiedDocument, _ object: MobileSecurityObject?) {
        guard isAllowed(document.documentType) else { return report.fail(.documentType, .documentTypeMismatch) }
        // Without a MobileSecurityObject half of the comparison is missing: neither a pass nor a failure.
        guard let object else { return }
        settle(.documentType, object.documentType == document.documentType ? nil : .documentTypeMismatch)
    }

    /// Whether the type is the one that was asked for, and one that the purpose allows.
    func isAllowed(_ type: String) -> Bool {
        type == expectedDocumentType ?? type && purpose.documentTypes.contains(type)
    }
}
