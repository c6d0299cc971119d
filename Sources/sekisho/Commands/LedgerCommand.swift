import Foundation
import Ledger
import SQLiteStore
import VerificationCore

/// `sekisho ledger verify DATABASE`: proves the chain, or names its first broken event. Exit 0 or 1.
struct LedgerCommand {
    static let usage = "usage: sekisho ledger verify DATABASE"
    /// Events read at once: a few megabytes.
    private static let page = 10_000

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
            let store = try LedgerReader(path: arguments[1])
            defer { Task { await store.close() } }
            var last: LedgerEvent?
            var count = 0
            while true {
                let events = try await store.ledger(from: (last?.sequence ?? 0) + 1, limit: page)
                guard !events.isEmpty else { break }
                if let broken = LedgerChain.verify(events, after: last) {
                    Terminal.complain("the chain breaks at event \(broken)")
                    return 1
                }
                count += events.count
                last = events.last
            }
            // Reports read rows beside the chain: they prove nothing unless they are what the events leave.
            if let wrong = try await store.firstDisagreement() {
                Terminal.complain("the chain holds, but what reports read of event \(wrong) is not what it says")
                return 1
            }
            print("\(count) events; the chain holds; head \(ByteText.hex(last?.hash ?? LedgerChain.genesis))")
            return 0
        } catch {
            Terminal.complain("\(error)")
            return 2
        }
    }
}
