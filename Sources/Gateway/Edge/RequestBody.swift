import Cryptography
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
            throw Problem(.requestMalformed, error.description)
        }
        let problems = JSONProblemList()
        let reader = JSONReader(node, problems: problems)
        guard reader.isObject() else { throw Problem(.requestInvalid, "the body must be an object") }
        let value = try read(reader)
        reader.rejectUnknownKeys()
        guard problems.problems.isEmpty else {
            throw Problem(.requestInvalid, problems.problems.map(\.description).joined(separator: "; "))
        }
        return value
    }

    /// The `Idempotency-Key` of a request, with the hash of its body.
    static func idempotency(
        _ request: HTTPRequest, client: Client, scope: String
    ) throws(Problem) -> (key: IdempotencyKey, bodyHash: [UInt8])? {
        guard let text = request.headers["Idempotency-Key"] else { return nil }
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard (1...maximumKeyLength).contains(text.utf8.count), isPrintable else {
            throw Problem(.requestInvalid, "Idempotency-Key must be 1 to 128 visible ASCII characters")
        }
        return (IdempotencyKey(client: client.id, scope: scope, key: text), Hash.sha256(request.body))
    }

    /// Longer than any UUID or ULID with a prefix, short enough to index.
    static let maximumKeyLength = 128

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
