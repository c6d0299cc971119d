import Foundation
import Testing

/// A generated month, told by the programs themselves, beside a second reckoning. `script/reckon` does it at full size.
@Suite(.serialized, .enabled { isPythonThere() }) struct ReckoningTests {
    /// What a debug build tells and Python reckons in half a minute.
    private static let sessions = "600"

    @Test func `a month agrees to the yen with a second reckoning: table, CSV, JSON, over HTTP and on the page`() throws
    {
        let (status, output) = try reckon("month.py")
        #expect(status == 0, "\(output)")
        let faults = try #require(output.firstMatch(of: /FAULTS ([0-9]+) of ([0-9]+)/), "\(output)")
        #expect(faults.output.1 == "0" && (Int(faults.output.2) ?? 0) > 10_000)
        #expect(output.contains("HTTP and command are the same 9 times"))
        #expect(output.contains("PAGE ") && !output.contains("PAGE 0"))
    }

    @Test func `an invoice of the month with one fault of each kind gives exactly those, in every encoding`() throws {
        let (status, output) = try reckon("invoice.py")
        #expect(status == 0, "\(output)")
        #expect(output.contains("clean: "))
        let kinds = [
            "amount_differs", "duplicate_at_theirs", "month_differs", "ours_only", "theirs_only", "uncertain_resolved",
            "unpriced_at_ours",
        ]
        for encoding in ["utf-8", "utf-8-sig", "cp932"] {
            #expect(output.contains("faulty in \(encoding): exactly \(kinds.joined(separator: ", "))"), "\(output)")
        }
        #expect(output.contains("refused: UTF-8 for Windows-31J, and Windows-31J for UTF-8"))
    }

    private func reckon(_ script: String) throws -> (status: Int32, output: String) {
        let setup = RunningGateway.Setup.find()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [
            setup.repository.appendingPathComponent("Tests/Reckoning/" + script).path, setup.products.path,
            Self.sessions,
        ]
        process.currentDirectoryURL = setup.repository
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

private let python = "/usr/bin/python3"

private func isPythonThere() -> Bool {
    let found = FileManager.default.isExecutableFile(atPath: python)
    if !found { print("SKIPPED: \(python) is absent: nobody else reckons the month") }
    return found
}
