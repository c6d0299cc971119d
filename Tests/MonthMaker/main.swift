import Foundation
import MonthKit
import SQLiteStore

// Writes the generated month into a database, and beside it what `reckon.py` reckons it from: the events as they were
// stored, and the price book.
let arguments = CommandLine.arguments
guard arguments.count == 3, let sessions = Int(arguments[2]) else {
    print("usage: month-maker FOLDER SESSIONS")
    exit(64)
}
let folder = URL(fileURLWithPath: arguments[1])
do {
    let store = try SQLiteStore(path: folder.appendingPathComponent("month.sqlite3").path)
    let events = Traffic(sessions: sessions).events
    let page = 10_000
    for start in stride(from: 0, to: events.count, by: page) {
        try await store.append(Array(events[start..<min(start + page, events.count)]))
    }
    var text = ""
    for start in stride(from: 1, through: events.count, by: page) {
        for event in try await store.ledger(from: Int64(start), limit: page) { text += event.line }
    }
    try Data(text.utf8).write(to: folder.appendingPathComponent("events.tsv"))
    try Data(MonthPrices.text.utf8).write(to: folder.appendingPathComponent("book.json"))
    await store.close()
    print("\(events.count) events of \(sessions) sessions")
} catch {
    print("error: \(error)")
    exit(1)
}
