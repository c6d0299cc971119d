/// What a request's head says once it can be read in one way only.
struct RequestHead: Sendable {
    var method: String
    var target: RequestTarget
    var headers: HTTPHeaders
    /// The declared length; `nil` where the body is chunked.
    var bodyLength: Int?
    /// What the body may be, where it may be larger than others'.
    var largeBody: Int?
    var isChunked: Bool { bodyLength == nil }
}

/// Refuses what two servers could read in two ways, and what is larger than it may be.
struct RequestGuard: Sendable {
    let limits: HTTPLimits

    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// The head, or the reason to close the connection.
    func examine(_ raw: RawHead) throws(RefusalError) -> RequestHead {
        guard raw.target.count <= limits.targetBytes else { throw .init(.targetTooLong) }
        guard raw.size <= limits.headerBytes, raw.fields.count <= limits.headerFields else {
            throw .init(.headersTooLarge)
        }
        guard raw.isExact else { throw .init(.badRequest(.lines)) }
        let isModern = Bytes.equal(raw.version, caseless: "HTTP/1.1")
        guard isModern || Bytes.equal(raw.version, caseless: "HTTP/1.0") else { throw .init(.unsupportedVersion) }
        try examineFields(raw.fields)
        try examineHost(raw, required: isModern)
        let length = try bodyLength(raw, isModern: isModern)
        try examineExpectation(raw)
        guard let target = RequestTarget(raw.target) else { throw .init(.badRequest(.target)) }
        let method = String(decoding: raw.method, as: UTF8.self)
        guard Self.methods.contains(method) else { throw .init(.unsupportedMethod) }
        let largeBody = limits.largeBody(method, target.path)
        if let length, length > largeBody ?? limits.bodyBytes { throw .init(.payloadTooLarge) }
        let headers = raw.fields.map { (name: Bytes.text($0.name), value: Bytes.text(Bytes.trimmed($0.value[...]))) }
        return RequestHead(
            method: method, target: target, headers: HTTPHeaders(headers), bodyLength: length, largeBody: largeBody)
    }

    private func examineFields(_ fields: [(name: [UInt8], value: [UInt8])]) throws(RefusalError) {
        for (name, value) in fields {
            guard !name.isEmpty, name.allSatisfy(Bytes.isToken) else { throw .init(.badRequest(.headerName)) }
            guard value.allSatisfy(Bytes.isFieldContent) else { throw .init(.badRequest(.headerValue)) }
        }
    }

    // RFC 9112 §3.2: exactly one, and 400 otherwise. HTTP/1.0 may come without.
    private func examineHost(_ raw: RawHead, required: Bool) throws(RefusalError) {
        let hosts = values(of: "host", in: raw)
        guard hosts.count == 1 || (hosts.isEmpty && !required) else { throw .init(.badRequest(.host)) }
        guard let host = hosts.first.map({ Bytes.trimmed($0[...]) }) else { return }
        guard !host.isEmpty, host.allSatisfy(Self.isHostByte) else { throw .init(.badRequest(.host)) }
    }

    // RFC 9112 §6.3. `Transfer-Encoding` is compared untrimmed, because libmicrohttpd does so.
    private func bodyLength(_ raw: RawHead, isModern: Bool) throws(RefusalError) -> Int? {
        let encodings = values(of: "transfer-encoding", in: raw)
        let lengths = values(of: "content-length", in: raw)
        guard encodings.isEmpty || lengths.isEmpty else { throw .init(.badRequest(.lengthAndEncoding)) }
        guard lengths.count <= 1 else { throw .init(.badRequest(.repeatedLength)) }
        if !encodings.isEmpty {
            guard isModern, encodings.count == 1, Bytes.equal(encodings[0], caseless: "chunked") else {
                throw .init(.badRequest(.transferEncoding))
            }
            return nil
        }
        guard let digits = lengths.first else { return 0 }
        guard !digits.isEmpty, digits.allSatisfy(Bytes.isDigit) else { throw .init(.badRequest(.invalidLength)) }
        // More digits than any limit has: the number cannot be held, and need not be.
        guard let length = Int(String(decoding: digits, as: UTF8.self)) else { throw .init(.payloadTooLarge) }
        return length
    }

    private func examineExpectation(_ raw: RawHead) throws(RefusalError) {
        let expectations = values(of: "expect", in: raw)
        guard expectations.allSatisfy({ Bytes.equal($0, caseless: "100-continue") }), expectations.count <= 1 else {
            throw .init(.unsupportedExpectation)
        }
    }

    private func values(of name: StaticString, in raw: RawHead) -> [[UInt8]] {
        raw.fields.filter { Bytes.equal($0.name, caseless: name) }.map(\.value)
    }

    /// A byte of `uri-host [ ":" port ]` (RFC 3986 §3.2.2).
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        // ! $ & ' ( ) * + , - . : ; = [ ] _ ~ %
        case 0x21, 0x24...0x2e, 0x3a, 0x3b, 0x3d, 0x5b, 0x5d, 0x5f, 0x7e: true
        default: false
        }
    }
}

/// A refusal on its way out.
struct RefusalError: Error {
    let refusal: HTTPRefusal

    init(_ refusal: HTTPRefusal) {
        self.refusal = refusal
    }
}
