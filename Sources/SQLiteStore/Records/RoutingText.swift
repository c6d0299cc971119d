import JSONTree
import VerificationCore

/// A routing note in a column, as compact JSON. What a note does not have is left out.
enum RoutingText {
    private static let rule = "rule"
    private static let passedOver = "passed_over"
    private static let fallbacks = "fallbacks"
    private static let shadow = "shadow"

    /// The text; `nil` for a note without content.
    static func write(_ routing: Routing) -> String? {
        guard routing != Routing() else { return nil }
        var members: [(String, JSONValue)] = []
        if let name = routing.rule { members.append((rule, .string(name))) }
        if !routing.passedOver.isEmpty {
            let pairs = routing.passedOver.map { passed in
                JSONValue.array([.string(passed.verifier.rawValue), .string(passed.reason.rawValue)])
            }
            members.append((passedOver, .array(pairs)))
        }
        if !routing.fallbacks.isEmpty {
            members.append((fallbacks, .array(routing.fallbacks.map { .string($0.rawValue) })))
        }
        if let verifier = routing.shadow { members.append((shadow, .string(verifier.rawValue))) }
        return JSONValue.object(members).text
    }

    /// Reads a note. What it does not know is damage: a fallback that is dropped is a fallback that is not made.
    static func read(_ text: String) throws(StoreError) -> Routing {
        var routing = Routing()
        guard let members = try parse(text).members else { throw .corrupt }
        for member in members {
            switch member.name {
            case rule: routing.rule = try string(member.value)
            case shadow: routing.shadow = VerifierID(try string(member.value))
            case fallbacks:
                for element in try elements(member.value) {
                    routing.fallbacks.append(VerifierID(try string(element)))
                }
            case passedOver:
                for element in try elements(member.value) {
                    let pair = try elements(element)
                    guard pair.count == 2, let reason = OutageReason(rawValue: try string(pair[1])) else {
                        throw .corrupt
                    }
                    routing.passedOver.append(Routing.PassedOver(VerifierID(try string(pair[0])), reason))
                }
            default: throw .corrupt
            }
        }
        return routing
    }

    private static func parse(_ text: String) throws(StoreError) -> JSONNode {
        do throws(JSONProblems) {
            return try JSONNode.parse(Array(text.utf8), syntax: .json)
        } catch {
            throw .corrupt
        }
    }

    private static func string(_ node: JSONNode) throws(StoreError) -> String {
        guard let text = node.string else { throw .corrupt }
        return text
    }

    private static func elements(_ node: JSONNode) throws(StoreError) -> [JSONNode] {
        guard let elements = node.elements else { throw .corrupt }
        return elements
    }
}
