import Configuration
import Foundation
import Gateway
import JSONTree
import Ledger
import SQLiteStore
import VerificationCore

/// `sekisho audit verify CONFIG|DATABASE`: proves the audit chain, or names its first broken event. Exit 0 or 1.
struct AuditCommand {
    static let usage = "usage: sekisho audit verify CONFIG|DATABASE"
    /// What every database of SQLite's begins with; no configuration does.
    private static let databaseMark = Array("SQLite format 3\0".utf8)

    static func run(_ arguments: [String]) async -> Int32 {
        guard arguments.count == 2, arguments[0] == "verify" else {
            Terminal.complain(usage)
            return 64
        }
        guard FileManager.default.fileExists(atPath: arguments[1]) else {
            Terminal.complain("\(arguments[1]) does not exist")
            return 2
        }
        do {
            guard let database = try database(arguments[1]) else {
                Terminal.complain("the configuration keeps nothing: its store is in memory")
                return 2
            }
            return try await verify(database)
        } catch {
            Terminal.complain("\(error)")
            return 2
        }
    }

    /// The database at a path, or the one that a configuration names; `nil` for a store in memory.
    private static func database(_ path: String) throws -> String? {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        if try Array(file.read(upToCount: databaseMark.count) ?? Data()) == databaseMark { return path }
        let opened = try OpenedConfiguration.forCommand(path: path, at: SteadyClock().now())
        switch opened.configuration.store {
        case .sqlite(let path): return path
        case .memory: return nil
        }
    }

    private static func verify(_ database: String) async throws -> Int32 {
        let store = try LedgerReader(path: database)
        defer { Task { await store.close() } }
        let proof = try await ChainProof<AuditEvent> { from, limit throws(StoreError) in
            try await store.audit(from: from, limit: limit)
        }
        switch proof {
        case .holds(let count, let head):
            print("\(count) audit events; the chain holds; head \(ByteText.hex(head))")
            return 0
        case .breaks(let event):
            Terminal.complain("the chain breaks at event \(event)")
            return 1
        }
    }
}
