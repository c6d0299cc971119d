import Foundation
import RawHTTP

/// The real sandbox in the folder of a gateway, spoken to over its control port.
final class RunningSandbox: Sendable {
    let port: UInt16
    let controlPort: UInt16
    private let process: Process

    /// Starts with the files in the gateway's folder; `processing` is how long beta and gamma work on a blob.
    init(beside gateway: RunningGateway, processing: Int = 100) async throws {
        let process = Process()
        process.executableURL = RunningGateway.Setup.find().products.appendingPathComponent("sekisho-sandbox")
        process.arguments = [
            "serve", "--directory", "var/demo/sandbox", "--port", "0", "--control-port", "0", "--processing",
            String(processing),
        ]
        process.currentDirectoryURL = gateway.folder
        let log = gateway.folder.appendingPathComponent("sandbox.log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        self.process = process
        for _ in 0..<400 {
            let text = try String(contentsOf: log, encoding: .utf8)
            if text.hasSuffix("}\n"),
                let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
                let port = json["port"] as? Int, let control = json["control_port"] as? Int
            {
                self.port = UInt16(port)
                controlPort = UInt16(control)
                return
            }
            guard process.isRunning else { throw RunningGateway.Failure(words: "no sandbox: " + text) }
            try await Task.sleep(for: .milliseconds(25))
        }
        throw RunningGateway.Failure(words: "the sandbox did not listen")
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Ends it as its owner would; the exit status.
    func stop() async throws -> Int32 {
        kill(process.processIdentifier, SIGTERM)
        for _ in 0..<400 where process.isRunning { try await Task.sleep(for: .milliseconds(25)) }
        return process.isRunning ? -1 : process.terminationStatus
    }

    /// One request to the control port; the body of the answer.
    @discardableResult
    func control(_ method: String, _ path: String, _ body: String? = nil) async throws -> String {
        let connection = try RawConnection(port: controlPort)
        var text = "\(method) /control/\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        _ = await connection.send(text + "\r\n" + (body ?? ""))
        var reader = RawReader(connection)
        guard let answer = await reader.next(), answer.status < 300 else {
            throw RunningGateway.Failure(words: "the sandbox refused \(method) \(path)")
        }
        return answer.text
    }

    /// Asks for a misbehaviour, as `"fault":"slow","milliseconds":300`.
    func order(_ provider: String, _ step: String, _ fault: String) async throws {
        try await control("POST", "faults", "{\"provider\":\"\(provider)\",\"step\":\"\(step)\",\(fault)}")
    }

    /// How many calls of a step reached a provider.
    func calls(_ provider: String, _ step: String) async throws -> Int {
        try await lines("calls").count { $0["provider"] as? String == provider && $0["step"] as? String == step }
    }

    /// The classes that a provider billed, in order.
    func charges(_ provider: String) async throws -> [String] {
        try await lines("charges").filter { $0["provider"] as? String == provider }.compactMap {
            $0["class"] as? String
        }
    }

    /// Everything that was billed, in order.
    func charges() async throws -> [[String: Any]] { try await lines("charges") }

    private func lines(_ path: String) async throws -> [[String: Any]] {
        try await control("GET", path).split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }
}
