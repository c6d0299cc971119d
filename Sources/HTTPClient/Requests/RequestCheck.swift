import VerificationCore

/// What is refused before anything is sent, so that no value from a manifest or a provider can become more than a value.
enum RequestCheck {
    /// The methods there is a use for.
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    /// The fields that frame a message or choose a host, and those between a client and its proxy: the library writes
    /// them.
    private static let ownFields: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "accept-encoding", "upgrade", "te",
        "trailer", "keep-alive", "proxy-authorization", "proxy-connection", "http2-settings",
    ]
    /// Whether a byte may stand in a field's name (RFC 9110 section 5.6.2).
    private static let nameBytes = Set(
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    static func check(_ request: OutboundRequest) throws(OutboundFailure) -> CheckedAddress {
        guard methods.contains(request.method) else { throw refusal() }
        if request.body != nil && (request.method == "GET" || request.method == "HEAD") { throw refusal() }
        for field in request.headers {
            let name = field.name.lowercased()
            guard !name.isEmpty && name.utf8.allSatisfy(nameBytes.contains) && !ownFields.contains(name) else {
                throw refusal()
            }
            // RFC 9110 section 5.5, without obs-text: no control character but the tab, so no CR, LF or NUL.
            guard field.value.withValue({ $0.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 } }) else {
                throw refusal()
            }
        }
        return try address(of: request)
    }

    private static func address(of request: OutboundRequest) throws(OutboundFailure) -> CheckedAddress {
        // libcurl would read "https:///host" as "https://host".
        guard request.url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !request.url.contains(":///"),
            !request.url.utf8.contains(UInt8(ascii: "#")),
            let address = CheckedAddress(request.url), let host = address.host, !host.isEmpty
        else { throw refusal() }
        switch address.scheme {
        case "https": return address
        case "http":
            switch request.plaintext {
            case .refused: throw refusal()
            case .loopback:
                guard Loopback.isName(host) else { throw refusal() }
            case .signedContent:
                guard request.method == "GET" && request.headers.isEmpty && request.tls.clientCertificate == nil else {
                    throw refusal()
                }
            }
            return address
        default: throw refusal()
        }
    }

    private static func refusal(line: Int = #line) -> OutboundFailure {
        OutboundFailure(.requestRefused, wasSent: false, line: line)
    }
}

/// This machine, as a name in an address and as the other end of a connection.
enum Loopback {
    /// Whether a host in an address is this machine by its writing. (What a name resolves to is checked again.)
    static func isName(_ host: String) -> Bool {
        host.lowercased() == "localhost" || host == "[::1]" || isIPv4(host)
    }

    /// Whether a connection's other end is this machine.
    static func isAddress(_ address: String) -> Bool {
        address == "::1" || isIPv4(address)
    }

    private static func isIPv4(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
