import Foundation

/// The `openssl` command: it writes the key files of these tests while they run, so that no key is kept anywhere.
struct OpenSSLCommand {
    private let folder: URL

    static let isAvailable: Bool = {
        let found = (try? run(["version"], in: FileManager.default.temporaryDirectory)) != nil
        if !found { print("SKIPPED: key files: there is no openssl command") }
        return found
    }()

    /// A folder of its own, for the time of `body`.
    static func inFolder<Result>(_ body: (OpenSSLCommand) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(OpenSSLCommand(folder: folder))
    }

    /// Runs the command; its `-out` file, named `out` in the folder, is the result.
    func callAsFunction(_ arguments: String) throws -> [UInt8] {
        let out = folder.appendingPathComponent("out")
        try? FileManager.default.removeItem(at: out)
        try Self.run(arguments.split(separator: " ").map(String.init), in: folder)
        return Array(try Data(contentsOf: out))
    }

    /// Keeps bytes under a name in the folder.
    func write(_ bytes: [UInt8], as name: String) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }

    private static func run(_ arguments: [String], in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
