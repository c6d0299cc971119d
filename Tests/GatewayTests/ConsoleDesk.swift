import Foundation
import HTTPServer
import Testing

@testable import Gateway

/// Somebody at a browser: keeps cookies, and sends what a page's forms would.
final class ConsoleDesk {
    let rig: Rig
    var cookies: [String: String] = [:]
    var address = "127.0.0.1"

    init(_ rig: Rig) {
        self.rig = rig
    }

    func send(
        _ method: String, _ target: String, body: [UInt8] = [], headers: [(String, String)] = []
    ) async throws -> Reply {
        var fields = HTTPHeaders([("Host", "localhost")] + headers.map { (name: $0.0, value: $0.1) })
        if !cookies.isEmpty {
            fields.add("Cookie", cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; "))
        }
        let request = try #require(
            HTTPRequest(method: method, target: target, headers: fields, body: body, remoteAddress: address))
        let response = await rig.gateway.respond(to: request)
        for (name, value) in response.headers where name == "Set-Cookie" {
            let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = value.contains("Max-Age=0") ? nil : String(pair[1])
        }
        return try Reply(response)
    }

    func get(_ target: String, headers: [(String, String)] = []) async throws -> Reply {
        try await send("GET", target, headers: headers)
    }

    /// Sends a form as a browser does.
    func post(
        _ target: String, _ fields: [(String, String)], headers: [(String, String)] = []
    ) async throws -> Reply {
        let text = fields.map { Self.encoded($0.0) + "=" + Self.encoded($0.1) }.joined(separator: "&")
        return try await send(
            "POST", target, body: Array(text.utf8),
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "same-origin")]
                + headers)
    }

    func signIn(_ key: String) async throws -> Reply { try await post("/console/sign-in", [("key", key)]) }

    /// The token that the forms of a page carry.
    func token(_ page: Reply) throws -> String {
        let mark = #"name="csrf" value=""#
        let start = try #require(page.text.range(of: mark))
        return String(page.text[start.upperBound...].prefix { $0 != "\"" })
    }

    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            Character(Unicode.Scalar(byte)).isLetter && byte < 128 || (0x30...0x39).contains(byte)
                ? String(Unicode.Scalar(byte)) : String(format: "%%%02X", byte)
        }.joined()
    }
}
