import Glibc

/// A place on this machine that takes webhooks without TLS.
struct PlainURL: Sendable, Hashable {
    let port: UInt16
    let path: String

    /// How long it may take to answer.
    private static let patience = 10

    /// Reads `http://127.0.0.1:PORT/PATH`, also with `localhost`; nothing else is for a sandbox to call.
    init?(_ text: String) {
        guard let host = ["http://127.0.0.1:", "http://localhost:"].first(where: { text.hasPrefix($0) }) else {
            return nil
        }
        let rest = text.dropFirst(host.count)
        guard let port = UInt16(rest.prefix { $0 != "/" }) else { return nil }
        self.port = port
        path = String(rest.drop { $0 != "/" })
    }

    /// Posts a body; the status of the answer, or `nil` where none came.
    func post(_ body: [UInt8], headers: [(String, String)]) -> Int? {
        guard let socket = Sockets.connect(port: port) else { return nil }
        defer { _ = close(socket) }
        Sockets.limit(socket, seconds: Self.patience)
        let stream = PlainStream(socket)
        var head = "POST \(path.isEmpty ? "/" : path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        guard stream.write(Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body) else { return nil }
        let words = String(decoding: stream.read().prefix(64), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) : nil
    }
}
