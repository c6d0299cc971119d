import HTTPServer
import JSONTree
import VerificationCore

/// A request's JSON body, read into a tree that keeps duplicates and positions, then field by field.
enum RequestBody {
    /// Reads an object and hands it to `read`; unknown keys and every other fault come back in one problem.
    static func object<Value>(
        _ request: HTTPRequest, _ read: (JSONReader) throws(Problem) -> Value
    ) throws(Problem) -> Value {
        let type = request.headers["Content-Type"]?.lowercased().split(separator: ";").first.map(trimmed)
        guard type == "application/json" else { throw Problem(.unsupportedMediaType) }
        let node: JSONNode
        do {
            node = try JSONNode.parse(request.body, syntax: .json)
        } catch {
            throw Problem(.requestMalformed, shortened(error.description))
        }
        let problems = JSONProblemList()
        let reader = JSONReader(node, problems: problems)
        guard reader.isObject() else { throw Problem(.requestInvalid, "the body must be an object") }
        let value = try read(reader)
        reader.rejectUnknownKeys()
        guard problems.problems.isEmpty else {
            let faults = problems.problems.prefix(maximumFaults).map { shortened($0.description) }
            throw Problem(.requestInvalid, faults.joined(separator: "; "))
        }
        return value
    }

    /// The request by its `Idempotency-Key`, if it has one.
    static func idempotency(
        _ request: HTTPRequest, client: Client, scope: String, keys: SealingKeys
    ) throws(Problem) -> IdempotentRequest? {
        guard let text = request.headers["Idempotency-Key"] else { return nil }
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard (1...maximumKeyLength).contains(text.utf8.count), isPrintable else {
            throw Problem(.requestInvalid, "Idempotency-Key must be 1 to 128 visible ASCII characters")
        }
        return IdempotentRequest(key: text, body: request.body, client: client.id, scope: scope, keys: keys)
    }

    /// Nobody reads more of them, and an answer must not grow with what a request makes up.
    static let maximumFaults = 20
    /// Longer than any UUID or ULID with a prefix, short enough to index.
    static let maximumKeyLength = 128

    /// A fault names its place by the names of the body, which may be as long as the body.
    private static func shortened(_ text: String) -> String {
        let limit = 200
        return text.unicodeScalars.count <= limit ? text : String(text.unicodeScalars.prefix(limit)) + "…"
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
