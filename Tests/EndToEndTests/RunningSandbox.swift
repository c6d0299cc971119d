import Foundation
import RawHTTP
import TestSupport

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
        var ports: (api: UInt16, control: UInt16)?
        _ = try await eventually(within: 60) {
            let text = try String(contentsOf: log, encoding: .utf8)
            if text.hasSuffix("}\n"),
                let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
                let port = json["port"] as? Int, let control = json["control_port"] as? Int
            {
                ports = (UInt16(port), UInt16(control))
                return true
            }
            guard process.isRunning else { throw RunningGateway.Failure(words: "no sandbox: " + text) }
            return false
        }
        guard let ports else { throw RunningGateway.Failure(words: "the sandbox did not listen") }
        port = ports.api
        controlPort = ports.control
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Ends it as its owner would; the exit status.
    func stop() async throws -> Int32 {
        kill(process.processIdentifier, SIGTERM)
        return try await eventually(within: 60) { !process.isRunning } ? process.terminationStatus : -1
    }

    /// One request to the control port; the body of the answer.
    @discardableResult
    func control(_ method: String, _ path: String, _ body: String? = nil) async throws -> String {
        let (status, text) = try await answer(method, path, body)
        guard status < 300 else {
            throw RunningGateway.Failure(words: "the sandbox refused \(method) \(path): \(text)")
        }
        return text
    }

    /// What the control port says to a request that it refuses.
    func refusal(_ method: String, _ path: String, _ body: String? = nil) async throws -> String {
        let (status, text) = try await answer(method, path, body)
        guard status >= 400 else { throw RunningGateway.Failure(words: "the sandbox took \(method) \(path)") }
        return text
    }

    private func answer(_ method: String, _ path: String, _ body: String?) async throws -> (status: Int, text: String) {
        let connection = try RawConnection(port: controlPort)
        var text = "\(method) /control/\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        _ = await connection.send(text + "\r\n" + (body ?? ""))
        var reader = RawReader(connection)
        guard let answer = await reader.next(patience: .seconds(30)) else {
            throw RunningGateway.Failure(words: "the sandbox does not answer \(method) \(path)")
        }
        return (answer.status, answer.text)
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

    /// Every call that reached a provider, and every webhook that left, in order.
    func calls() async throws -> [[String: Any]] { try await lines("calls") }

    private func lines(_ path: String) async throws -> [[String: Any]] {
        try await control("GET", path).split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }
}
