import Foundation
import Ledger
import SQLiteStore
import VerificationCore

/// `sekisho ledger verify DATABASE`: proves the chain, or names its first broken event. Exit 0 or 1.
struct LedgerCommand {
    static let usage = "usage: sekisho ledger verify DATABASE"

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
            let proof = try await ChainProof<LedgerEvent> { from, limit throws(StoreError) in
                try await store.ledger(from: from, limit: limit)
            }
            let proven: (count: Int, head: [UInt8])
            switch proof {
            case .holds(let count, let head): proven = (count, head)
            case .breaks(let event):
                Terminal.complain("the chain breaks at event \(event)")
                return 1
            }
            // Reports read rows beside the chain: they prove nothing unless they are what the events leave.
            if let wrong = try await store.firstDisagreement() {
                Terminal.complain("the chain holds, but what reports read of event \(wrong) is not what it says")
                return 1
            }
            print("\(proven.count) events; the chain holds; head \(ByteText.hex(proven.head))")
            return 0
        } catch {
            Terminal.complain("\(error)")
            return 2
        }
    }
}
