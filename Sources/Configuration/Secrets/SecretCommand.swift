import Foundation
import Glibc
import Synchronization

/// Runs the program that prints a secret: no shell, no input, no error output of ours, an end in time.
struct SecretCommand {
    let arguments: [String]
    let variables: [String: String]
    let timeout: Duration

    func output() throws(SecretProblem) -> [UInt8] {
        guard let program = arguments.first else { throw .commandNotStarted }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = Array(arguments.dropFirst())
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        // What the program complains of may quote the secret.
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        let collected = CollectedOutput()
        let ended = DispatchSemaphore(value: 0)
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty || !collected.append(data) {
                handle.readabilityHandler = nil
                ended.signal()
            }
        }
        process.terminationHandler = { _ in ended.signal() }
        defer { pipe.fileHandleForReading.readabilityHandler = nil }
        do { try process.run() } catch { throw .commandNotStarted }
        try wait(for: ended, of: process, collected)
        guard process.terminationReason == .exit, process.terminationStatus == 0 else { throw .commandFailed }
        return collected.bytes
    }

    /// Waits for two ends, of the output and of the program, in either order.
    private func wait(
        for ended: DispatchSemaphore, of process: Process, _ collected: CollectedOutput
    ) throws(SecretProblem) {
        let deadline = DispatchTime.now() + .milliseconds(Int(timeout / .milliseconds(1)))
        for _ in 0..<2 {
            let inTime = ended.wait(timeout: deadline) == .success
            if inTime, !collected.isTooLong { continue }
            // The program has a process group of its own (Foundation's Process makes one): its children end with it.
            if process.isRunning { kill(-process.processIdentifier, SIGKILL) }
            throw inTime ? .tooLong : .commandTimedOut
        }
    }
}

/// Output as it comes in, on another thread than the one that waits.
private final class CollectedOutput: Sendable {
    private let state = Mutex<[UInt8]>([])

    var bytes: [UInt8] { state.withLock { $0 } }
    var isTooLong: Bool { state.withLock { $0.count > SecretResolver.longestSecret } }

    /// Keeps more output; false once there is too much.
    func append(_ data: Data) -> Bool {
        state.withLock {
            $0.append(contentsOf: data)
            return $0.count <= SecretResolver.longestSecret
        }
    }
}
