import Foundation
import MonthKit
import SQLiteStore
import VerificationCore

/// The generated month in a folder.
struct MonthFiles: Sendable {
    /// Events read at once.
    private static let page = 10_000
    /// Events written at once. Few: SQLite keeps the pages that a transaction changes in a list in memory, and walks
    /// through it for each statement.
    private static let group = 100

    let folder: URL

    private var database: String { folder.appendingPathComponent("month.sqlite3").path }

    /// The database and the price book.
    func make(sessions: Int) async throws {
        let store = try SQLiteStore(path: database)
        let events = Traffic(sessions: sessions).events
        for start in stride(from: 0, to: events.count, by: Self.group) {
            try await store.append(Array(events[start..<min(start + Self.group, events.count)]))
        }
        await store.close()
        try Data(MonthPrices.text.utf8).write(to: folder.appendingPathComponent("book.json"))
        print("\(events.count) events of \(sessions) sessions")
    }

    /// The events of the database, one a line.
    func export() async throws {
        let reader = try LedgerReader(path: database)
        var text = ""
        var next: Int64 = 1
        while true {
            let events = try await reader.ledger(from: next, limit: Self.page)
            guard let last = events.last else { break }
            for event in events { text += event.line }
            next = last.sequence + 1
        }
        await reader.close()
        try Data(text.utf8).write(to: folder.appendingPathComponent("events.tsv"))
    }
}
