import Foundation
import Glibc
import JSONTree

/// A gateway of its own process, whose processor time can be read.
final class GatewayProcess {
    let base: String
    private let process: Process

    /// Starts one and returns when it listens.
    init(program: URL, configuration: URL) throws {
        let log = configuration.appendingPathExtension("log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        process = Process()
        process.executableURL = program
        process.arguments = ["serve", configuration.lastPathComponent]
        process.currentDirectoryURL = configuration.deletingLastPathComponent()
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        for _ in 0..<300 {
            usleep(50_000)
            let text = try String(contentsOf: log, encoding: .utf8)
            for line in text.split(separator: "\n") {
                guard let node = try? JSONNode.parse(Array(line.utf8), syntax: .json),
                    node["message"]?.string == "listening", case .number(let port)? = node["port"]?.kind
                else { continue }
                base = "http://127.0.0.1:\(port.text)"
                return
            }
            guard process.isRunning else { throw Failure(words: "the gateway did not start: \(text)") }
        }
        process.terminate()
        throw Failure(words: "the gateway did not listen in time")
    }

    /// What it took of the processor so far, all threads, user and system, in microseconds.
    func processorTime() throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process.processIdentifier, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw Failure(words: "the gateway's processor time cannot be read")
        }
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
