import Foundation
import Glibc
import Synchronization

/// A receiver of webhooks: takes everything, answers 204, remembers what came.
final class Mailbox: Sendable {
    struct Letter {
        var headers: [String: String]
        var body: [UInt8]
    }

    let port: UInt16
    private let listener: Int32
    private let letters = Mutex<[Letter]>([])
    private let isClosed = Mutex(false)
    private let connected = Mutex(0)

    /// How many connections came, whatever they said.
    var connections: Int { connected.withLock { $0 } }

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        guard status else { throw TLSClient.Failure() }
        listener = socket
        port = UInt16(bigEndian: address.sin_port)
        Thread { [self] in serve() }.start()
    }

    deinit {
        close()
    }

    func close() {
        isClosed.withLock { isClosed in
            if !isClosed { shutdown(listener, Int32(SHUT_RDWR)) }
            isClosed = true
        }
    }

    /// The letters, once there are so many or the time is over.
    func letters(_ count: Int, milliseconds: Int = 30_000) async throws -> [Letter] {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while letters.withLock({ $0.count }) < count, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(5))
        }
        return letters.withLock { $0 }
    }

    private func serve() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            connected.withLock { $0 += 1 }
            if let letter = Self.read(client) { letters.withLock { $0.append(letter) } }
            let answer = Array("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".utf8)
            _ = answer.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, 0x4000) }
            _ = Glibc.close(client)
        }
        _ = Glibc.close(listener)
    }

    private static func read(_ client: Int32) -> Letter? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let range = text.range(of: "\r\n\r\n") {
                let lines = text[..<range.lowerBound].split(separator: "\r\n").dropFirst()
                let headers = Dictionary(
                    lines.map { line in
                        let parts = line.split(separator: ":", maxSplits: 1)
                        return (parts[0].lowercased(), String(parts[1].drop { $0 == " " }))
                    }, uniquingKeysWith: { first, _ in first })
                let body = Array(text[range.upperBound...].utf8)
                if body.count >= Int(headers["content-length"] ?? "0") ?? 0 {
                    return Letter(headers: headers, body: body)
                }
            }
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }
}
