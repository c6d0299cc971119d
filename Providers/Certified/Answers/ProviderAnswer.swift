import JSONTree
import VerificationCore

/// An answer, or a notification's body, as far as it can be believed to be what it says.
struct ProviderAnswer {
    /// What an answer may cost to read: the body of an answer with a portrait is a tenth of it.
    static let limits = JSONLimits(bytes: 2 << 20, depth: 32, values: 100_000)

    /// The status; `nil` of a notification.
    let status: Int?
    /// The body's tree; `nil` where the body is not JSON, or does not say that it is.
    let tree: JSONNode?

    /// Reads an answer. The body is taken for JSON only where its type says so, and only in UTF-8 without a byte order
    /// mark, without a name twice in one object, and whole.
    init(status: Int, contentTypes: [String], body: Sensitive<[UInt8]>) {
        self.status = status
        tree =
            contentTypes.count == 1 && contentTypes.allSatisfy(ProviderAnswer.isJSON) ? ProviderAnswer.tree(body) : nil
    }

    /// Reads a notification, whose authenticity was proven over its bytes.
    init(notification body: Sensitive<[UInt8]>) {
        status = nil
        tree = ProviderAnswer.tree(body)
    }

    private static func tree(_ body: Sensitive<[UInt8]>) -> JSONNode? {
        body.withValue { try? JSONNode.parse($0, syntax: .json, limits: limits) }
    }

    /// `application/json`, or a type with the suffix `+json`; of parameters, `charset` may only be UTF-8.
    static func isJSON(_ contentType: String) -> Bool {
        let parts = contentType.split(separator: ";", omittingEmptySubsequences: false).map {
            $0.drop { $0 == " " || $0 == "\t" }.lowercased()
        }
        let type = parts[0].filter { $0 != " " && $0 != "\t" }
        guard type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json") else {
            return false
        }
        return parts.dropFirst().allSatisfy { parameter in
            guard parameter.hasPrefix("charset=") else { return true }
            let value = parameter.dropFirst(8).filter { $0 != "\"" && $0 != " " }
            return value == "utf-8" || value == "utf8"
        }
    }

    /// The first outcome that matches; `nil` where none does.
    func outcome(among outcomes: [OutcomeDeclaration]) -> OutcomeDeclaration? {
        outcomes.first { outcome in
            if let status, !outcome.statuses.contains(status) { return false }
            guard let condition = outcome.condition else { return true }
            // Of what cannot be read, nothing is true; not even that something is absent.
            guard let tree else { return false }
            return condition.holds(in: tree)
        }
    }
}

extension Condition {
    /// Whether a tree says so.
    func holds(in root: JSONNode) -> Bool {
        switch self {
        case .all(let conditions): conditions.allSatisfy { $0.holds(in: root) }
        case .any(let conditions): conditions.contains { $0.holds(in: root) }
        case .not(let condition): !condition.holds(in: root)
        case .isOneOf(let pointer, let scalars):
            pointer.value(in: root).flatMap(JSONScalar.init).map(scalars.contains) ?? false
        case .exists(let pointer): pointer.presentValue(in: root) != nil
        case .absent(let pointer): pointer.presentValue(in: root) == nil
        case .every(let pointer, let condition):
            pointer.value(in: root)?.elements.map { !$0.isEmpty && $0.allSatisfy(condition.holds) } ?? false
        case .some(let pointer, let condition):
            pointer.value(in: root)?.elements.map { $0.contains(where: condition.holds) } ?? false
        }
    }
}
