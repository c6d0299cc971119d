import Foundation
import Testing

/// `client-probe`, a process of its own: with an environment of its own, and memory of its own.
enum Probe {
    struct Missing: Error {}

    /// Runs it to its end and returns the line it wrote; nothing may come on standard error.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let folders = [own, URL(fileURLWithPath: FileManager.default.currentDirectoryPath + "/.build/debug")]
        guard
            let program = folders.map({ $0.appendingPathComponent("client-probe") })
                .first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
        else { throw Missing() }
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                #expect(said.isEmpty)
                #expect(process.terminationStatus == 0)
                continuation.resume(returning: text.split(separator: "\n").first.map(String.init) ?? "")
            }
        }
    }
}
