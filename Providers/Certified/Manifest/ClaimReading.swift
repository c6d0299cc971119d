import JSONTree
import VerificationCore

/// Reads where the claims of an answer stand.
enum ClaimReading {
    private enum Format: String, CaseIterable {
        case text, boolean, integer, date, image, any
    }

    static func claims(_ reader: JSONReader) -> [ClaimSource] {
        reader.entries().flatMap { name, value -> [ClaimSource] in
            guard value.isClaim(name) else { return [] }
            let claim = ClaimName(name)
            if case .array = value.node.kind { return (value.elements() ?? []).compactMap { source($0, of: claim) } }
            return source(value, of: claim).map { [$0] } ?? []
        }
    }

    /// A pointer, or an object.
    private static func source(_ reader: JSONReader, of claim: ClaimName) -> ClaimSource? {
        if case .string = reader.node.kind {
            return reader.pointer().map {
                ClaimSource(
                    claim: claim, place: ValuePlace(pointer: $0), form: standardForm(of: claim),
                    values: [:], documents: nil)
            }
        }
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let list = reader.optionalPointer("in")
        var matches: [ValuePlace.Match] = []
        for (text, value) in reader.optionalObject("where")?.entries() ?? [] {
            guard let pointer = JSONPointer(text) else {
                value.report("must be named by a JSON Pointer within the record, such as \"/name\"")
                continue
            }
            if let scalar = value.scalar() { matches.append(ValuePlace.Match(pointer: pointer, value: scalar)) }
        }
        if (list == nil) != matches.isEmpty { reader.report("in and where go together") }
        let form = form(reader, of: claim)
        let values = values(reader.optionalObject("values"))
        guard let pointer = reader.required("at")?.pointer(), let form else { return nil }
        return ClaimSource(
            claim: claim, place: ValuePlace(list: list, matches: matches, pointer: pointer), form: form,
            values: values, documents: documents(reader.optional("documents")))
    }

    /// What a claim is where nothing is said: `age_over_NN` true or false, a portrait an image, anything else text.
    private static func standardForm(of claim: ClaimName) -> ClaimForm {
        if claim.ageThreshold != nil { return .boolean }
        switch claim.rawValue {
        case "portrait": return .image
        case "age_in_years": return .integer
        default: return .text
        }
    }

    private static func form(_ reader: JSONReader, of claim: ClaimName) -> ClaimForm? {
        guard let member = reader.optional("format") else {
            if reader.node["pattern"] != nil { reader.report("needs format: \"date\"", member: "pattern") }
            reader.leave(["pattern"])
            return standardForm(of: claim)
        }
        let pattern = reader.optional("pattern")
        guard let format: Format = member.enumeration() else { return nil }
        if format != .date, let pattern { pattern.report("needs format: \"date\"") }
        switch format {
        case .text: return .text
        case .boolean: return .boolean
        case .integer: return .integer
        case .image: return .image
        case .any: return .any
        case .date:
            let text = pattern.map { $0.string() } ?? "YYYY-MM-DD"
            guard let text else { return nil }
            guard let read = DatePattern(text) else {
                pattern?.report("must have YYYY, MM or M, and DD or D, each once, and text between them")
                return nil
            }
            return .date(read)
        }
    }

    private static func values(_ reader: JSONReader?) -> [String: ClaimValue] {
        var values: [String: ClaimValue] = [:]
        for (code, value) in reader?.entries() ?? [] {
            switch value.scalar() {
            case .text(let text): values[code] = .text(text)
            case .integer(let number): values[code] = .integer(number)
            case .boolean(let flag): values[code] = .boolean(flag)
            case .null: value.report("must be a string, a whole number, true or false")
            case nil: break
            }
        }
        if let reader, values.isEmpty { reader.report("must not be empty") }
        return values
    }

    private static func documents(_ reader: JSONReader?) -> Set<String>? {
        guard let reader, let elements = reader.elements() else { return nil }
        var types: Set<String> = []
        for element in elements {
            guard let type = element.string() else { continue }
            if DocumentCatalog.definition(of: type) == nil {
                element.reportUnknown(type, "known document type", among: DocumentCatalog.documents.map(\.type))
            }
            types.insert(type)
        }
        return types
    }
}
