import Foundation
import RawHTTP

/// The real nginx with `Config/nginx.conf`, its ports and names changed to this test's.
final class Edge {
    let securePort: UInt16
    /// A listener without TLS that only the test adds, so that raw bytes can be sent.
    let plainPort: UInt16
    let folder: URL
    private let process: Process

    static let nginx = executable("nginx")
    static let curl = executable("curl")
    static let openssl = executable("openssl")

    /// Whether everything is installed; says loudly what is not.
    static func isAvailable() -> Bool {
        let missing = [("nginx", nginx), ("curl", curl), ("openssl", openssl)].filter { $0.1 == nil }.map(\.0)
        if !missing.isEmpty { print("SKIPPED: the edge: \(missing.joined(separator: ", ")) not installed") }
        return missing.isEmpty
    }

    struct Failure: Error {
        let text: String
    }

    /// Starts nginx in front of a gateway's port; `change` edits the configuration further.
    init(gateway: UInt16, change: (String) -> String = { $0 }) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-edge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("tls"), withIntermediateDirectories: true)
        securePort = try Self.freePort()
        plainPort = try Self.freePort()
        guard let nginx = Self.nginx, let openssl = Self.openssl else { throw Failure(text: "not installed") }
        _ = try await Self.run(
            openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=gateway.example.jp", "-addext", "subjectAltName=DNS:gateway.example.jp",
                "-keyout", "tls/privkey.pem", "-out", "tls/fullchain.pem",
            ], in: folder)
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Config/nginx.conf")
        var text = try String(contentsOf: source, encoding: .utf8)
        for (old, new) in [
            ("server 127.0.0.1:8480", "server 127.0.0.1:\(gateway)"),
            ("listen 443 ssl http2 default_server;", "listen 127.0.0.1:\(securePort) ssl http2 default_server;"),
            ("listen 443 ssl http2;", "listen 127.0.0.1:\(securePort) ssl http2; listen 127.0.0.1:\(plainPort);"),
            (
                "    server {\n        listen 80 default_server;\n        return 308 https://$host$request_uri;\n    }\n",
                ""
            ),
        ] {
            guard text.contains(old) else { throw Failure(text: "Config/nginx.conf has no \(old)") }
            text = text.replacingOccurrences(of: old, with: new)
        }
        try change(text).write(to: folder.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
        process = Process()
        process.executableURL = nginx
        process.arguments = ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log", "-g", "daemon off;"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<200 {
            if (try? RawConnection(port: plainPort)) != nil { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        let log = try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)
        stop()
        throw Failure(text: "nginx did not start: \(log ?? "")")
    }

    /// Ends nginx and removes its files.
    func stop() {
        if process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs curl against the TLS side; its output.
    func curl(_ arguments: [String]) async throws -> String {
        guard let curl = Self.curl else { throw Failure(text: "not installed") }
        return try await Self.run(
            curl,
            [
                "-s", "-i", "--max-time", "20", "--cacert", "tls/fullchain.pem",
                "--resolve", "gateway.example.jp:\(securePort):127.0.0.1",
            ] + arguments, in: folder)
    }

    func url(_ path: String) -> String { "https://gateway.example.jp:\(securePort)\(path)" }

    private static func run(_ executable: URL, _ arguments: [String], in folder: URL) async throws -> String {
        let process = Process()
        let output = folder.appendingPathComponent("output-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        // Not `waitUntilExit`: the thread is needed by the handlers of the server under test.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }

    private static func executable(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/sbin"]
        return folders.map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func freePort() throws -> UInt16 { try RawConnection.freePort() }
}
