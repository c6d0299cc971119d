import Foundation
import Gateway
import Ledger
import SQLiteStore
import VerificationCore

/// `sekisho audit verify CONFIG|DATABASE`: proves the audit chain, or names its first broken event. Exit 0 or 1.
struct AuditCommand {
    static let usage = "usage: sekisho audit verify CONFIG|DATABASE"

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
            guard let database = try DatabaseArgument.database(at: arguments[1], now: SteadyClock().now()) else {
                Terminal.complain("the configuration keeps nothing: its store is in memory")
                return 2
            }
            return try await verify(database)
        } catch {
            Terminal.complain("\(error)")
            return 2
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
