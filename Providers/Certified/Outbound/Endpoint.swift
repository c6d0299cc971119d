import JSONTree

/// Where an API begins: an origin and a path without a slash at its end.
struct Endpoint: Sendable, Hashable {
    /// Scheme, host and port, such as `https://api.example.com`.
    var origin: String
    /// Such as `/v2`, or empty.
    var path: String
}

extension Endpoint {
    /// Whether it is `http`, which goes to this machine only.
    var isPlaintext: Bool { origin.hasPrefix("http://") }

    /// Reads `https://host[:port][/path]` without userinfo, query or fragment; `nil` for anything else.
    init?(_ text: String) {
        let isPlaintext = text.hasPrefix("http://")
        guard isPlaintext || text.hasPrefix("https://"), text.utf8.count <= Endpoint.longest,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.utf8.contains(where: { "?#@\\".utf8.contains($0) })
        else { return nil }
        let rest = text.dropFirst(isPlaintext ? 7 : 8)
        let authority = rest.prefix { $0 != "/" }
        guard let (host, port) = Endpoint.split(String(authority)), !host.isEmpty,
            port.map({ UInt16($0) != nil && $0.utf8.first != 0x2B }) ?? true
        else { return nil }
        var path = String(rest.dropFirst(authority.count))
        while path.hasSuffix("/") { path.removeLast() }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard segments.allSatisfy({ $0 != "." && $0 != ".." && PercentEncoding.isSegment(String($0)) }) else {
            return nil
        }
        self.init(origin: (isPlaintext ? "http://" : "https://") + authority, path: path)
    }

    /// The longest endpoint.
    static let longest = 1000

    /// Whether the host is this machine, as it is written.
    var isLoopback: Bool {
        let authority = origin.drop { $0 != "/" }.dropFirst(2)
        guard let host = Endpoint.split(String(authority))?.host else { return false }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return host.lowercased() == "localhost" || host == "[::1]" || isIPv4
    }

    private static func split(_ authority: String) -> (host: String, port: String?)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let host = String(authority[...end])
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            return (host, rest.isEmpty ? nil : String(rest.dropFirst()))
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, HeaderField.isHost(parts[0]) else { return nil }
        return (parts[0], parts.count == 2 ? parts[1] : nil)
    }

    /// Reads an endpoint, and notes what else stands there.
    static func read(_ reader: JSONReader) -> Endpoint? {
        guard let text = reader.string() else { return nil }
        if let endpoint = Endpoint(text) { return endpoint }
        reader.report("must be an address such as \"https://api.example.com/v2\", without a query")
        return nil
    }
}

extension HeaderField {
    /// Whether a text is a host's name or an IPv4 address.
    static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D || $0 == 0x2E
                    || $0 == 0x5F
            }
    }
}
