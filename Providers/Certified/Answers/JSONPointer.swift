import JSONTree

/// A place in a JSON text (RFC 6901).
struct JSONPointer: Sendable, Hashable {
    /// The longest pointer: no API nests so deep.
    static let longest = 512

    /// The names and indices, their escapes resolved.
    let tokens: [String]

    /// The whole text, or a place below it; `nil` where the syntax of RFC 6901 is broken.
    init?(_ text: String) {
        guard text.utf8.count <= JSONPointer.longest else { return nil }
        if text.isEmpty {
            tokens = []
            return
        }
        guard text.utf8.first == 0x2F else { return nil }
        var tokens: [String] = []
        for part in text.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false) {
            guard let token = JSONPointer.unescaped(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// The pointer as it is written.
    var text: String {
        tokens.map { token in
            "/"
                + token.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        }.joined()
    }

    /// The value at the place; `nil` where there is none. An index has no sign and no leading zero, and `-` names
    /// nothing that exists.
    func value(in root: JSONNode) -> JSONNode? {
        var node = root
        for token in tokens {
            if let elements = node.elements {
                guard let index = JSONPointer.index(token), index < elements.count else { return nil }
                node = elements[index]
            } else {
                guard let member = node[token] else { return nil }
                node = member
            }
        }
        return node
    }

    /// The value at the place; `nil` also where it is null.
    func presentValue(in root: JSONNode) -> JSONNode? {
        guard let node = value(in: root) else { return nil }
        if case .null = node.kind { return nil }
        return node
    }

    /// `~1` is `/` and `~0` is `~`; a `~` before anything else is a mistake.
    private static func unescaped(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in part {
            if isEscaped {
                guard byte == 0x30 || byte == 0x31 else { return nil }
                bytes.append(byte == 0x30 ? 0x7E : 0x2F)
                isEscaped = false
            } else if byte == 0x7E {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return isEscaped ? nil : String(decoding: bytes, as: UTF8.self)
    }

    private static func index(_ token: String) -> Int? {
        let digits = token.utf8
        guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        return Int(token)
    }
}
