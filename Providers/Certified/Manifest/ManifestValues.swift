import Configuration
import JSONTree
import VerificationCore

extension JSONReader {
    /// Notes the problem that a text names nothing known, with the nearest known name, never with the text.
    func reportUnknown(_ text: String, _ what: String, among known: [String]) {
        let nearest = NearestName.of(text, among: known.sorted())
        report("names no \(what)" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
    }

    /// A JSON Pointer.
    func pointer() -> JSONPointer? {
        guard let text = string() else { return nil }
        guard let pointer = JSONPointer(text) else {
            report("must be a JSON Pointer (RFC 6901): empty, or beginning with a slash")
            return nil
        }
        // Its value must never be copied out of an answer, so nothing may point at it.
        if pointer.tokens.contains(where: ForbiddenElements.identifiers.contains) {
            report("points at an individual number (マイナンバー), which is never read")
            return nil
        }
        return pointer
    }

    /// The pointer of a member that may be there.
    func optionalPointer(_ name: String) -> JSONPointer? { optional(name)?.pointer() }

    /// A scalar, with its type.
    func scalar() -> JSONScalar? {
        if let scalar = JSONScalar(node) { return scalar }
        report("must be a string, a whole number, true, false or null")
        return nil
    }

    /// A name that manifest and configuration use for one thing.
    func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let isGood =
            (1...64).contains(bytes.count)
            && bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        if !isGood { report("has a name that is not plain: lower-case letters, digits and '_'") }
        return isGood
    }

    /// One of the secrets that the manifest declares.
    func credential(_ name: String, among declared: Set<CredentialName>) -> CredentialName? {
        required(name)?.credential(among: declared)
    }

    /// One of the secrets that the manifest declares.
    func credential(among declared: Set<CredentialName>) -> CredentialName? {
        guard let text = string() else { return nil }
        if declared.contains(text) { return text }
        reportUnknown(text, "entry of this manifest's credentials", among: Array(declared))
        return nil
    }

    /// The name of a header field.
    func headerName(_ name: String) -> String? { required(name)?.headerName() }

    /// The name of a header field.
    func headerName() -> String? {
        guard let text = string() else { return nil }
        if HeaderField.isName(text) { return text }
        report("is not the name of a header field")
        return nil
    }

    /// A fixed text before a header's value.
    func prefix() -> String {
        guard let reader = optional("prefix"), let text = reader.string() else { return "" }
        if !HeaderField.isText(text) { reader.report("holds a character that a header field cannot hold") }
        return text
    }

    /// Where an instant stands: `{at, format}`.
    func timePlace() -> TimePlace? {
        guard isObject() else { return nil }
        defer { rejectUnknownKeys() }
        let pointer = required("at")?.pointer()
        guard let form = enumeration("format", as: TimeForm.self), let pointer else { return nil }
        return TimePlace(pointer: pointer, form: form)
    }
}

extension JSONScalar {
    /// The scalar that a value is; `nil` for lists, objects and numbers with a fraction.
    init?(_ node: JSONNode) {
        switch node.kind {
        case .null: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .number(let number):
            guard let value = number.integer else { return nil }
            self = .integer(value)
        case .string(let text): self = .text(text)
        case .array, .object: return nil
        }
    }

    /// How a code is compared: `null` is no code.
    var code: String? {
        switch self {
        case .null: nil
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}
