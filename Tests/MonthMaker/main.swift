import Foundation

// Writes the generated month into a database, with the price book beside it; and, without a number of sessions, the events
// of the database as `reckon.py` reads them.
let arguments = CommandLine.arguments
guard (2...3).contains(arguments.count) else {
    print("usage: month-maker FOLDER [SESSIONS]")
    exit(64)
}
let files = MonthFiles(folder: URL(fileURLWithPath: arguments[1]))
do {
    if arguments.count == 3 {
        guard let sessions = Int(arguments[2]) else { exit(64) }
        try await files.make(sessions: sessions)
    } else {
        try await files.export()
    }
} catch {
    print("error: \(error)")
    exit(1)
}
