import JSONTree
import VerificationCore

/// What an answer says of the person, as far as the purpose allows and nothing forbids.
struct ClaimExtraction {
    private(set) var claims: ClaimSet = [:]
    private(set) var incidents: [Incident] = []
    let request: VerificationRequest
    private let definition: DocumentDefinition?

    /// Reads every claim that the manifest has a source for.
    init(_ sources: [ClaimSource], from root: JSONNode, for request: VerificationRequest) throws(UnreadableAnswer) {
        self.request = request
        definition = DocumentCatalog.definition(of: request.documentType)
        var age: Int64?
        var seen: Set<ClaimName> = []
        for source in sources where source.documents?.contains(request.documentType) ?? true {
            guard !seen.contains(source.claim), let value = try ClaimValues.value(of: source, in: root) else {
                continue
            }
            seen.insert(source.claim)
            if case .integer(let years) = value, source.claim.rawValue == "age_in_years" { age = years }
            keep(source.claim, value)
        }
        if let age, (0...150).contains(age) { deriveAges(from: age) }
    }

    private mutating func keep(_ claim: ClaimName, _ value: ClaimValue) {
        // Before anything else: such a value is looked at by nobody.
        guard !ForbiddenElements.forbidsRequesting(claim.rawValue, of: request.documentType) else {
            note(.individualNumberReceived)
            return
        }
        if request.documentType == DocumentCatalog.myNumberCard.type, IndividualNumberFilter.isHit(value) {
            note(.individualNumberReceived)
            return
        }
        guard request.purpose.claims.contains(claim) else {
            if !isBrought(claim) { note(.unrequestedElementReceived) }
            return
        }
        claims[claim] = value
    }

    /// Whether the wallet brings it with what was asked for, so that its arrival is no surprise.
    private func isBrought(_ claim: ClaimName) -> Bool {
        guard let definition else { return false }
        let requested = definition.appleElements(for: request.purpose.claims)
        return definition.elements.contains { $0.claim == claim && definition.brings($0, with: requested) }
    }

    /// The age answers for every threshold that the issuer did not sign.
    private mutating func deriveAges(from age: Int64) {
        for claim in request.purpose.claims where claims[claim] == nil {
            guard let threshold = claim.ageThreshold else { continue }
            claims[claim] = .boolean(age >= Int64(threshold))
        }
    }

    private mutating func note(_ incident: Incident) {
        if !incidents.contains(incident) { incidents.append(incident) }
    }

    /// Whether everything that the purpose requires is there.
    var isComplete: Bool { request.purpose.requiredClaims.allSatisfy { claims[$0] != nil } }
}

extension [ClaimSource] {
    /// What a request's purpose requires and no source of the answer is for, in order.
    func unsaid(of request: VerificationRequest) -> [ClaimName] {
        let said = Set(filter { $0.documents?.contains(request.documentType) ?? true }.map(\.claim))
        let hasAge = said.contains(ClaimName("age_in_years"))
        return request.purpose.requiredClaims.filter { !said.contains($0) && !($0.ageThreshold != nil && hasAge) }
            .sorted()
    }
}

/// Reads single claims.
enum ClaimValues {
    /// The deepest nesting of a claim that is taken as it stands: what is sealed nests no deeper.
    static let deepest = 8

    /// The value that a source has; `nil` where there is none or it is null.
    static func value(of source: ClaimSource, in root: JSONNode) throws(UnreadableAnswer) -> ClaimValue? {
        guard let node = try node(source.place, in: root) else { return nil }
        if !source.values.isEmpty {
            guard let code = JSONScalar(node)?.code, let value = source.values[code] else {
                throw UnreadableAnswer("a claim has a value that the manifest does not name", at: source.claim.rawValue)
            }
            return value
        }
        guard let value = value(node, as: source.form) else {
            throw UnreadableAnswer("a claim is not written as the manifest declares", at: source.claim.rawValue)
        }
        return value
    }

    private static func node(_ place: ValuePlace, in root: JSONNode) throws(UnreadableAnswer) -> JSONNode? {
        guard let list = place.list else { return place.pointer.presentValue(in: root) }
        guard let records = list.presentValue(in: root) else { return nil }
        guard let elements = records.elements else {
            throw UnreadableAnswer("a list of claims is no list", at: list.text)
        }
        let matching = elements.filter { record in
            place.matches.allSatisfy { match in
                match.pointer.value(in: record).flatMap(JSONScalar.init) == match.value
            }
        }
        // Two records of one name would be two values: nobody could say which is the person's.
        guard matching.count <= 1 else { throw UnreadableAnswer("a claim stands in a list twice", at: list.text) }
        return matching.first.flatMap { place.pointer.presentValue(in: $0) }
    }

    private static func value(_ node: JSONNode, as form: ClaimForm) -> ClaimValue? {
        switch form {
        case .text: return node.string.map(ClaimValue.text)
        case .boolean: return node.boolean.map(ClaimValue.boolean)
        case .integer: return AnswerValues.integer(node).map(ClaimValue.integer)
        case .date(let pattern): return node.string.flatMap(pattern.text).map(ClaimValue.text)
        case .image: return node.string.flatMap(image)
        case .any: return any(node, depth: 0)
        }
    }

    /// An image of a known kind: anything else could be something that nobody meant to keep.
    private static func image(_ text: String) -> ClaimValue? {
        var digits = text[...]
        if text.hasPrefix("data:") {
            guard let comma = text.firstIndex(of: ","), text[..<comma].hasSuffix(";base64") else { return nil }
            digits = text[text.index(after: comma)...]
        }
        guard let data = ByteText.bytes(base64: digits), let type = ImageKind.mediaType(of: data) else { return nil }
        return .image(mediaType: type, data: data)
    }

    /// A value as it stands. A number with a fraction stays text, digit for digit; null is left out.
    private static func any(_ node: JSONNode, depth: Int) -> ClaimValue? {
        guard depth < deepest else { return nil }
        switch node.kind {
        case .null: return nil
        case .boolean(let flag): return .boolean(flag)
        case .number(let number): return number.integer.map { .integer($0) } ?? .text(number.text)
        case .string(let text): return .text(text)
        case .array(let elements):
            var values: [ClaimValue] = []
            for element in elements {
                if case .null = element.kind { continue }
                guard let value = any(element, depth: depth + 1) else { return nil }
                values.append(value)
            }
            return .list(values)
        case .object(let members):
            var values: [ClaimMember] = []
            for member in members {
                if case .null = member.value.kind { continue }
                if ForbiddenElements.contains(elementIdentifier: member.name) { continue }
                guard let value = any(member.value, depth: depth + 1) else { return nil }
                values.append(ClaimMember(name: member.name, value: value))
            }
            return .record(values)
        }
    }
}

/// What an image is, by its first bytes.
enum ImageKind {
    /// The media type; `nil` of what is no image that documents hold.
    static func mediaType(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) { return "image/jp2" }
        if bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return "image/jp2" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return nil
    }
}
