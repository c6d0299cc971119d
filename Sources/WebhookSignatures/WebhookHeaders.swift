/// The header fields of a webhook, looked up as a signature needs them: each once, of bounded length, in plain ASCII.
public struct WebhookHeaders: Sendable {
    /// The most bytes of a value: a signature of ours is 47 bytes, and a sender rotates a few secrets at most.
    public static let longestValue = 4096

    private let fields: [(name: String, value: String)]

    /// Fields in their order, names as they came.
    public init(_ fields: [(name: String, value: String)]) {
        self.fields = fields
    }

    /// The value of the one field of a name, whatever the case of its letters, without white space around it.
    public func value(of name: String) throws(WebhookError) -> String {
        let wanted = WebhookHeaders.folded(name)
        var found: String?
        for field in fields where WebhookHeaders.folded(field.name) == wanted {
            guard found == nil else { throw .headerDuplicated }
            found = field.value
        }
        guard let found else { throw .headerMissing }
        guard found.utf8.count <= WebhookHeaders.longestValue else { throw .headerMalformed }
        // RFC 9110 §5.5: white space around a value is not part of it.
        let bytes = Array(found.utf8)
        let start = bytes.drop(while: WebhookHeaders.isBlank)
        guard let last = start.lastIndex(where: { !WebhookHeaders.isBlank($0) }) else { throw .headerMissing }
        let value = start[...last]
        guard value.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .headerMalformed }
        return String(decoding: value, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// ASCII letters alone are folded (RFC 9110 §5.1): no other character has a case in a field's name.
    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
