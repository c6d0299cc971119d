import HTTPClient
import VerificationCore

@testable import Certified

/// The other side: it keeps what it was sent, and answers as a test says.
actor FakeProvider: OutboundSending, CustomReflectable {
    struct Seen: Sendable {
        var method: String
        var url: String
        var headers: [(name: String, value: String)]
        var body: String
        var connection: ConnectionPolicy
        var limits: OutboundLimits

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

        /// The form's fields, as a server decodes them.
        var form: [String: String] {
            var fields: [String: String] = [:]
            for pair in body.split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                fields[Self.decoded(parts[0])] = parts.count == 2 ? Self.decoded(parts[1]) : nil
            }
            return fields
        }

        static func decoded(_ text: Substring) -> String {
            var bytes: [UInt8] = []
            var rest = text.utf8[...]
            while let byte = rest.popFirst() {
                if byte == 0x25, let value = ByteText.bytes(hex: String(decoding: rest.prefix(2), as: UTF8.self)) {
                    bytes += value
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte == 0x2B ? 0x20 : byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// What it was sent is no part of what it was sent by.
    nonisolated var customMirror: Mirror { Mirror(reflecting: 0) }

    private(set) var seen: [Seen] = []
    private let delay: Duration
    private var respond: @Sendable (_ number: Int) -> Result<OutboundAnswer, OutboundFailure>

    init(
        delay: Duration = .zero,
        _ respond: @escaping @Sendable (_ number: Int) -> Result<OutboundAnswer, OutboundFailure>
    ) {
        self.delay = delay
        self.respond = respond
    }

    /// A token endpoint whose tokens are `token-1`, `token-2` and so on.
    static func tokens(_ rest: String = #""expires_in":3600"#, delay: Duration = .zero) -> FakeProvider {
        FakeProvider(delay: delay) { number in
            .success(
                .json(#"{"access_token":"token-\#(number)","token_type":"Bearer"\#(rest.isEmpty ? "" : ",")\#(rest)}"#))
        }
    }

    func answer(_ respond: @escaping @Sendable (_ number: Int) -> Result<OutboundAnswer, OutboundFailure>) {
        self.respond = respond
    }

    func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer {
        seen.append(
            Seen(
                method: request.method, url: request.url,
                headers: request.headers.map { field in (field.name, field.value.withValue { $0 }) },
                body: request.body?.withValue { String(decoding: $0, as: UTF8.self) } ?? "",
                connection: request.connection, limits: request.limits))
        let number = seen.count
        if delay > .zero { try? await Task.sleep(for: delay) }
        return try respond(number).get()
    }
}

extension OutboundAnswer {
    static func json(_ text: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> OutboundAnswer
    {
        OutboundAnswer(
            status: status, headers: OutboundHeaders(headers + [("Content-Type", "application/json")]),
            body: Sensitive(Array(text.utf8)))
    }
}

extension ProviderAccess {
    /// An API at `https://api.example.com/v2`.
    static func example(_ client: FakeProvider, credentials: [String: String] = [:]) -> ProviderAccess {
        ProviderAccess(
            endpoint: Endpoint(origin: "https://api.example.com", path: "/v2"),
            credentials: credentials.mapValues { Sensitive(Array($0.utf8)) }, variables: [:], tls: TLSSettings(),
            pool: "example", plaintext: .refused, proxy: nil, client: client)
    }
}

extension DraftRequest {
    static func example(
        _ method: HTTPMethod = .post, path: String = "/v2/verifications", query: String = "", body: String? = nil,
        reference: String? = nil
    ) -> DraftRequest {
        DraftRequest(
            method: method, origin: "https://api.example.com", path: path, query: query, headers: [],
            body: body.map { Sensitive(Array($0.utf8)) }, reference: reference)
    }

    func header(_ name: String) -> String? {
        let found = headers.filter { $0.name.lowercased() == name.lowercased() }
        return found.count == 1 ? found[0].value.withValue { $0 } : nil
    }
}
