import Billing
import Foundation
import MonthKit
import SQLiteStore
import Usage
import VerificationCore

extension Traffic {
    static let month = BillingMonth("2026-11")!
}

/// The month in a database, made once for all tests that read it.
struct GeneratedMonth: Sendable {
    let folder: TemporaryFolder
    let store: SQLiteStore
    let book: PriceBook

    /// A month that a debug build reckons in seconds; `SEKISHO_MONTH_SESSIONS=92000` makes a hundred thousand attempts.
    static let sessions = ProcessInfo.processInfo.environment["SEKISHO_MONTH_SESSIONS"].flatMap { Int($0) } ?? 2_000

    /// Events written at once. Few: SQLite keeps the pages that a transaction changes in a list in memory, and walks
    /// through it for each statement.
    private static let group = 100

    private static let made = Task { try await GeneratedMonth() }
    static func shared() async throws -> GeneratedMonth { try await made.value }

    private init() async throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.file("month.sqlite"))
        book = try PriceBook.read(Array(MonthPrices.text.utf8))
        let events = Traffic(sessions: Self.sessions).events
        for start in stride(from: 0, to: events.count, by: Self.group) {
            try await store.append(Array(events[start..<min(start + Self.group, events.count)]))
        }
    }
}

/// A folder that goes with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }
}

/// Runs a program and gives its status and what it said.
func run(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}
