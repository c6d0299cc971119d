import Foundation
import Synchronization
import TestSupport

/// A process of the test's own that works on a database until it ends or is killed.
final class Crasher: Sendable {
    private let identifier: pid_t
    private let output = Pipe()
    private let heard = Mutex(Data())

    init(_ arguments: [String]) throws {
        // Beside the test bundle, as every product of one build is.
        let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var folder = URL(fileURLWithPath: here).deletingLastPathComponent()
        if !FileManager.default.fileExists(atPath: folder.appendingPathComponent("store-crasher").path) {
            folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        }
        let process = Process()
        process.executableURL = folder.appendingPathComponent("store-crasher")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        identifier = process.processIdentifier
    }

    /// Kills it as a power switch would, so long after its first word, and returns every whole line that it had said.
    ///
    /// How long it takes to start is the machine's affair and not what a test is about.
    func kill(after duration: Duration) async throws -> [String] {
        // The pipe is emptied meanwhile: a full one would stop the worker.
        async let said = finish()
        _ = try await eventually(within: 60, every: .milliseconds(2)) { heard.withLock { !$0.isEmpty } }
        try await Task.sleep(for: duration)
        kill()
        return try await said
    }

    /// Kills it at once.
    func kill() { Foundation.kill(identifier, SIGKILL) }

    /// Waits for its end and returns every whole line that it said.
    func finish() async throws -> [String] {
        try await onThread { [self] in
            while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
                heard.withLock { $0 += data }
            }
        }
        _ = try await eventually(every: .milliseconds(2)) { [identifier] in Foundation.kill(identifier, 0) != 0 }
        return Self.lines(heard.withLock { $0 })
    }

    /// Waits for its first line.
    func firstLine() async throws -> String {
        let data = try await onThread { [output] in output.fileHandleForReading.availableData }
        return Self.lines(data).first ?? ""
    }

    private static func lines(_ data: Data) -> [String] {
        var lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        lines.removeLast()
        return lines.map(String.init)
    }
}

/// Runs what blocks on a thread of its own: the cooperative pool of two would stand still.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
