import JSONTree

/// One request of HTTP/1.1.
struct Request: Sendable {
    /// `GET`, `POST`, `DELETE`, …
    let method: String
    /// The target as it was sent: a signature may be over it.
    let target: String
    /// The fields, names in lower case.
    let headers: [(name: String, value: String)]
    /// The body's bytes.
    let body: [UInt8]
    /// Whether the client showed a certificate of ours.
    var hasClientCertificate = false

    /// The first value of a field; the name in lower case.
    subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The target without its query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// The segments of the path.
    var segments: [String] { path.split(separator: "/").map(String.init) }

    /// A parameter of the query.
    func query(_ name: String) -> String? {
        Form(String(target.drop { $0 != "?" }.dropFirst())).values[name]
    }

    /// The body as a form (`application/x-www-form-urlencoded`); `nil` where it says that it is something else.
    var form: Form? {
        guard self["content-type"]?.hasPrefix("application/x-www-form-urlencoded") == true else { return nil }
        return Form(String(decoding: body, as: UTF8.self))
    }

    /// The body as a JSON object; `nil` where it is none.
    var json: JSONNode? {
        guard self["content-type"]?.hasPrefix("application/json") == true,
            let node = try? JSONNode.parse(body, syntax: .json, limits: Request.jsonLimits), node.members != nil
        else { return nil }
        return node
    }

    /// Whether the connection may carry another request.
    var keepsAlive: Bool { self["connection"]?.lowercased() != "close" }

    // A blob with a portrait in base64, ten times over.
    private static let jsonLimits = JSONLimits(bytes: 8 << 20, depth: 16, values: 1000)
}

/// A form's fields; of two with one name the first counts.
struct Form: Sendable {
    let values: [String: String]

    init(_ text: String) {
        let pairs = text.split(separator: "&").map { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Form.decode(halves[0]), halves.count > 1 ? Form.decode(halves[1]) : "")
        }
        values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    static func decode(_ text: Substring) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let byte = UInt8(String(decoding: source[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(source[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
