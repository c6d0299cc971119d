import Foundation
import RawHTTP
import Synchronization
import TestSupport

/// The real program in a folder of its own, spoken to over a socket: nothing of it is linked into the test.
///
/// Anybody may call it while somebody else stops and starts it: the port changes with each start.
final class RunningGateway: Sendable {
    /// What a folder needs: the real products and the development configuration.
    struct Setup {
        let products: URL
        let repository: URL

        static func find(file: String = #filePath) -> Setup {
            let repository = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let bundle = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
            return Setup(products: bundle, repository: repository)
        }
    }

    struct Answer: @unchecked Sendable {
        // The dictionary holds only what JSONSerialization made of an answer, and nothing changes it afterwards.
        let status: Int
        let contentType: String
        let text: String
        let json: [String: Any]
        var code: String? { json["code"] as? String }
        var id: String { json["id"] as? String ?? "" }
        var sessionStatus: String? { json["status"] as? String }
    }

    struct Failure: Error {
        let words: String
    }

    /// The month that it is now where the price book counts.
    static var month: String {
        let now = Date().addingTimeInterval(9 * 3600)
        return String(ISO8601DateFormatter().string(from: now).prefix(7))
    }

    let folder: URL
    private let setup = Setup.find()

    private struct State {
        var process: Process?
        var port: UInt16 = 0
        var logs: [URL] = []
    }

    private let state = Mutex(State())
    private var process: Process? { state.withLock { $0.process } }
    /// Where it listens, or listened last.
    var port: UInt16 { state.withLock { $0.port } }
    /// What it said, one file for each start.
    var logs: [URL] { state.withLock { $0.logs } }

    init(settings: [(String, String)] = []) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-" + UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("var/demo"), withIntermediateDirectories: true)
        var text = try String(
            contentsOf: setup.repository.appendingPathComponent("Config/development.json5"), encoding: .utf8)
        for (old, new) in [("port: 8480", "port: 0")] + settings {
            guard text.contains(old) else { throw Failure(words: "the configuration has no \(old)") }
            text = text.replacingOccurrences(of: old, with: new)
        }
        try text.write(to: folder.appendingPathComponent("config.json5"), atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("Config"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            at: setup.repository.appendingPathComponent("Config/providers"),
            to: folder.appendingPathComponent("Config/providers"))
        try FileManager.default.copyItem(
            at: setup.repository.appendingPathComponent("Config/prices.json5"),
            to: folder.appendingPathComponent("Config/prices.json5"))
        _ = try run("sekisho-wallet", ["issue", "--directory", "var/demo"])
        _ = try run("sekisho-sandbox", ["issue", "--directory", "var/demo/sandbox", "--wallet", "var/demo"])
    }

    /// Changes the configuration's text; a gateway that runs has to be told to read it again.
    func edit(_ old: String, _ new: String) throws {
        let file = folder.appendingPathComponent("config.json5")
        let text = try String(contentsOf: file, encoding: .utf8)
        guard text.contains(old) else { throw Failure(words: "the configuration has no \(old)") }
        try text.replacingOccurrences(of: old, with: new).write(to: file, atomically: true, encoding: .utf8)
    }

    /// Changes the text of the three providers' manifests.
    func editManifests(_ old: String, _ new: String) throws {
        for provider in ["alpha", "beta", "gamma"] {
            let file = folder.appendingPathComponent("Config/providers/\(provider).json5")
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains(old) else { throw Failure(words: "\(provider)'s manifest has no \(old)") }
            try text.replacingOccurrences(of: old, with: new).write(to: file, atomically: true, encoding: .utf8)
        }
    }

    deinit {
        if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs a product in the folder; what it printed, or a failure with its last words.
    func run(_ product: String, _ arguments: [String], input: String? = nil) throws -> (status: Int32, output: String) {
        try run(setup.products.appendingPathComponent(product), arguments, input: input)
    }

    /// Runs one of the repository's scripts.
    func tool(_ script: String, input: String) throws -> (status: Int32, output: String) {
        try run(setup.repository.appendingPathComponent(script), [], input: input)
    }

    private func run(
        _ executable: URL, _ arguments: [String], input: String?
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardInput = input == nil ? FileHandle.nullDevice : pipe
        try process.run()
        if let input {
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Starts the gateway and returns when it listens.
    func start() async throws {
        let log = folder.appendingPathComponent("gateway-\(logs.count).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let process = Process()
        process.executableURL = setup.products.appendingPathComponent("sekisho")
        process.arguments = ["serve", "config.json5"]
        process.currentDirectoryURL = folder
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        state.withLock { state in
            state.process = process
            state.logs.append(log)
        }
        let isListening = try await eventually(within: 60) {
            let text = try String(contentsOf: log, encoding: .utf8)
            if let line = text.split(separator: "\n").first(where: { $0.contains(#""listening""#) }),
                let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let port = json["port"] as? Int
            {
                state.withLock { $0.port = UInt16(port) }
                return true
            }
            guard process.isRunning else { throw Failure(words: "did not start: " + text) }
            return false
        }
        guard isListening else { throw Failure(words: "did not listen") }
    }

    /// Ends the process as the machine's owner would, or as a crash does; its exit status.
    func stop(_ signal: Int32 = SIGTERM) async throws -> Int32 {
        guard let process else { return 0 }
        kill(process.processIdentifier, signal)
        guard try await eventually(within: 60, { !process.isRunning }) else { throw Failure(words: "did not stop") }
        state.withLock { $0.process = nil }
        return process.terminationStatus
    }

    /// Resident memory in bytes; `RssAnon:` is the part that belongs to nobody's file.
    func residentBytes(_ kind: String = "VmRSS:") throws -> Int {
        guard let process else { return 0 }
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(kind) } ?? ""
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }

    /// One request on a connection of its own; `nil` where none came back whole.
    func attempt(
        _ method: String, _ path: String, body: String? = nil, headers: [(String, String)] = [],
        key: String = "demo-app-key"
    ) async -> Answer? {
        guard let connection = try? RawConnection(port: port) else { return nil }
        var text =
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\nConnection: close\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        _ = await connection.send(text + "\r\n" + (body ?? ""))
        var reader = RawReader(connection)
        guard let raw = await reader.next(patience: .seconds(60)) else { return nil }
        let json = try? JSONSerialization.jsonObject(with: Data(raw.body)) as? [String: Any]
        return Answer(
            status: raw.status, contentType: raw["content-type"] ?? "", text: raw.text, json: json ?? [:])
    }

    /// The same, where an answer must come.
    func call(
        _ method: String, _ path: String, body: String? = nil, headers: [(String, String)] = []
    ) async throws -> Answer {
        guard let answer = await attempt(method, path, body: body, headers: headers) else {
            throw Failure(words: "no answer to \(method) \(path)")
        }
        return answer
    }

    /// Opens a session and lets the wallet answer it; the session and the body to submit.
    func presented(
        _ options: [String] = [], body: String = #"{"purpose":"account-opening"}"#
    ) async throws -> (id: String, submission: String) {
        let session = try await call("POST", "/v1/sessions", body: body)
        guard session.status == 201 else { throw Failure(words: session.text) }
        let arguments = ["present", "--directory", "var/demo", "--request", "-"] + options
        let (status, output) = try run("sekisho-wallet", arguments, input: session.text)
        guard status == 0 else { throw Failure(words: "the wallet ended with \(status)") }
        return (session.id, output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What sqlite3 says of the store, from outside.
    func sql(_ statement: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = ["-readonly", "var/demo/sekisho.sqlite3", statement]
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(words: "sqlite3 refused: " + statement) }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Every byte that the program left in its folder, but for the wallet's own files.
    func traces() throws -> [(name: String, bytes: Data)] {
        let own = ["sekisho.sqlite3", "gateway-"]
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).filter { url in
            own.contains { url.lastPathComponent.hasPrefix($0) }
        }.compactMap { url in (try? Data(contentsOf: url)).map { (url.lastPathComponent, $0) } }
    }
}
