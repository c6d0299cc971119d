import Glibc
import SQLiteStore

/// Brings a database through three steps and dies, by SIGKILL, before statement `dyingAt` of the whole.
func migrate(_ path: String, dyingAt: Int) {
    var count = 0
    do {
        let connection = try Connection(path: path, access: .readWrite)
        try connection.run("PRAGMA journal_mode = WAL")
        try Migrations(steps: migrationSteps).apply(to: connection, path: path) { _, _ in
            if count == dyingAt { kill(getpid(), SIGKILL) }
            count += 1
        }
        say("DONE \(count)")
    } catch {
        say("ERROR \(error)")
    }
}

/// Brings a database of ours up to date and dies, by SIGKILL, before statement `dyingAt` of the whole.
func upgrade(_ path: String, dyingAt: Int) {
    var count = 0
    do {
        let connection = try Connection(path: path, access: .readWrite)
        try connection.run("PRAGMA journal_mode = WAL")
        try Migrations.current.apply(to: connection, path: path) { _, _ in
            if count == dyingAt { kill(getpid(), SIGKILL) }
            count += 1
        }
        say("DONE")
    } catch {
        say("ERROR \(error)")
    }
}

/// Three steps that change the same table; the middle one moves rows, so that half of it would show.
let migrationSteps = [
    Migration(statements: [
        "CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT", "INSERT INTO a VALUES (1), (2), (3)",
    ]),
    Migration(statements: [
        "CREATE TABLE b (x INTEGER PRIMARY KEY) STRICT", "INSERT INTO b SELECT x + 10 FROM a", "DROP TABLE a",
        "ALTER TABLE b RENAME TO a",
    ]),
    Migration(statements: ["ALTER TABLE a ADD COLUMN y INTEGER NOT NULL DEFAULT 7"]),
]
