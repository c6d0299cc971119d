import Foundation
import Glibc

/// An address that we send something to. It is read strictly, because what two readers take for two hosts is the stuff
/// of attacks, and it can hold no user name and no password.
public struct WebAddress: Sendable, Hashable {
    /// The longest address.
    public static let longest = 2048

    /// The whole address, as it was written.
    public let text: String
    /// Whether it is `https`.
    public let isSecure: Bool
    /// The host, without brackets.
    public let host: String

    /// Reads `https://host[:port][/path][?query]`, or `http://`; `nil` for any other form.
    public init?(_ text: String) {
        guard text.utf8.count <= WebAddress.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.utf8.contains(where: { Array("\"<>\\^`{|}#".utf8).contains($0) })
        else { return nil }
        let scheme = ["https://", "http://"].first { text.hasPrefix($0) }
        guard let scheme else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@"), let host = WebAddress.host(String(authority)) else { return nil }
        self.text = text
        self.isSecure = scheme == "https://"
        self.host = host
    }

    /// Whether it can only be this machine.
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        var four = in_addr()
        return inet_pton(AF_INET, host, &four) == 1 && host.hasPrefix("127.")
    }

    private static func host(_ authority: String) -> String? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let address = String(authority[authority.index(after: authority.startIndex)..<end])
            var six = in6_addr()
            let port = authority[authority.index(after: end)...]
            guard inet_pton(AF_INET6, address, &six) == 1, port.isEmpty || isPort(port.dropFirst(), after: port.first)
            else { return nil }
            return address
        }
        let name = authority.prefix { $0 != ":" }
        let port = authority.dropFirst(name.count)
        let isName = name.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x2E
        }
        guard !name.isEmpty, isName, port.isEmpty || isPort(port.dropFirst(), after: port.first) else { return nil }
        return name.lowercased()
    }

    private static func isPort(_ digits: Substring, after colon: Character?) -> Bool {
        guard colon == ":", digits.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits)
        else { return false }
        return (1...65_535).contains(port)
    }

    /// Whether a text holds a user name or a password in the place where an address has its host. Such a text is a
    /// secret, wherever it stands.
    static func hasUser(_ text: String) -> Bool {
        guard let start = text.range(of: "://") else { return false }
        return text[start.upperBound...].prefix { !"/?#".contains($0) }.contains("@")
    }
}
