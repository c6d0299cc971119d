import Foundation

/// A program of the machine, asked for a second opinion.
enum Tool {
    static func available(_ name: String) -> Bool {
        if (try? run(name, ["version"])) != nil { return true }
        print("SKIPPED: \(name) is not installed: its second opinion on keys and certificates is missing")
        return false
    }

    static func run(_ name: String, _ arguments: [String], input: [UInt8] = []) throws -> (output: String, code: Int32)
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let output = Pipe()
        let source = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = source
        try process.run()
        source.fileHandleForWriting.write(Data(input))
        try source.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if process.terminationStatus == 127 { throw CocoaError(.fileNoSuchFile) }
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }
}

/// A temporary folder that goes with its last user.
final class Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("wallet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
