import JSONTree
import VerificationCore

extension ConfigurationReading {
    func purposes(purgeAfter: Duration) -> [PurposeID: PurposeDeclaration] {
        let methods = legalMethods()
        var purposes: [PurposeID: PurposeDeclaration] = [:]
        for (name, reader) in named("purposes") {
            purposes[PurposeID(name)] = purpose(name, reader, methods, purgeAfter: purgeAfter)
        }
        return purposes
    }

    private func purpose(
        _ name: String, _ reader: JSONReader, _ methods: [String: LegalMethodTable], purgeAfter: Duration
    ) -> PurposeDeclaration? {
        defer { reader.rejectUnknownKeys() }
        let description = reader.optional("description")?.words()
        let documents = documentTypes(reader)
        let claims = PurposeClaims(documents: documents.compactMap(DocumentCatalog.definition(of:)))
        let allowed = claims.read(reader.required("claims"))
        let required = claims.readRequired(reader.required("required_claims"), among: allowed)
        let requiresCertification = reader.optionalBoolean("require_certification") ?? false
        let regimes = reader.optional("regimes").map(regimes)
        let method = purposeMethod(reader, among: methods)
        let framework = trustFramework(reader)
        let party = reader.required("relying_party_retention").flatMap(relyingPartyRetention)
        let keep = reader.required("retention")
        let kept = keep.flatMap { retention($0, relyingParty: party, purgeAfter: purgeAfter) }
        guard let kept, let party else { return nil }
        let purpose = Purpose(
            id: PurposeID(name), documentTypes: documents, claims: allowed, requiredClaims: required,
            retention: kept.afterVerdict, relyingPartyRetention: party, legalMethod: method.method,
            trustFramework: framework, regimes: regimes, legalMethods: method.table, eventRetention: kept.afterEvent)
        return PurposeDeclaration(
            purpose: purpose, description: description, requiresCertification: requiresCertification)
    }

    private func documentTypes(_ reader: JSONReader) -> [String] {
        guard let list = reader.required("document_types") else { return [] }
        let strings = list.uniqueStrings()
        if list.node.elements?.isEmpty == true { list.report("must not be empty; the first one is the default") }
        for (text, reader) in strings where DocumentCatalog.definition(of: text) == nil {
            reader.reportUnknown(text, "known document type", among: DocumentCatalog.documents.map(\.type))
        }
        return strings.map(\.text)
    }

    private func regimes(_ list: JSONReader) -> Set<String> {
        let strings = list.uniqueStrings()
        if list.node.elements?.isEmpty == true {
            list.report("must not be empty: leave it out where any regime will do")
        }
        for (_, reader) in strings { _ = reader.words(limit: 64) }
        return Set(strings.map(\.text))
    }

    private func relyingPartyRetention(_ reader: JSONReader) -> RelyingPartyRetention? {
        switch reader.string() {
        case nil: return nil
        case "none": return RelyingPartyRetention.none
        case "unbounded": return .unbounded
        case .some(let text):
            let day = DurationText.days(1)
            if text.hasSuffix("d"), let duration = DurationText.duration(text) {
                let days = Int64(duration / day)
                if SessionRanges.relyingPartyDays.contains(days) { return .days(Int(days)) }
            }
            reader.report("must be \"none\", \"unbounded\", or whole days such as \"30d\"")
            return nil
        }
    }

    private func trustFramework(_ reader: JSONReader) -> String? {
        guard let member = reader.optional("trust_framework"), let text = member.string(limit: 64) else { return nil }
        let isPlain = text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D
        }
        guard isPlain, !text.isEmpty else {
            member.report("must be an identifier of OpenID Identity Assurance, such as \"jp_aml\"")
            return nil
        }
        return text
    }
}
