import Foundation
import Ledger
import SQLiteStore
import VerificationCore

/// `sekisho backup CONFIG|DATABASE --to FILE`: copies the database beside the gateway that has it open, proves the copy's
/// chains, and says their heads. It changes nothing of the original.
struct BackupCommand {
    static let usage = """
        usage: sekisho backup CONFIG|DATABASE --to FILE

        Copies the database of a configuration, also while a gateway has it open, into FILE, which must not be there yet.
        What still waits is ended in the copy, so that a restored one redeems no nonce twice. Exit status: 0 the copy is
        whole and its chains hold, 1 it is not, 2 it could not be made, 64 a wrong call.

        """

    static func run(_ arguments: [String]) async -> Int32 {
        await execute(arguments, at: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))).tell()
    }

    /// What the command says to these arguments.
    static func execute(_ arguments: [String], at now: Timestamp) async -> CommandOutcome {
        if arguments == ["--help"] { return CommandOutcome(output: usage, status: 0) }
        do {
            let options = try CommandOptions(arguments, single: ["--to"])
            guard options.words.count == 1, let source = options.words.first else {
                throw UsageProblem("one configuration or database is needed")
            }
            guard let target = options["--to"], !target.isEmpty else { throw UsageProblem("--to is missing") }
            guard FileManager.default.fileExists(atPath: source) else {
                return CommandOutcome(complaints: "\(source) does not exist", status: 2)
            }
            guard let database = try DatabaseArgument.database(at: source, now: now) else {
                return CommandOutcome(
                    complaints: "there is nothing to copy: the configuration's store is in memory", status: 2)
            }
            return try await copy(database, to: target, at: now)
        } catch let problem as UsageProblem {
            return CommandOutcome(complaints: problem.words + "\n\n" + usage, status: 64)
        } catch {
            return CommandOutcome(complaints: "\(error)", status: 2)
        }
    }

    private static func copy(_ database: String, to target: String, at now: Timestamp) async throws -> CommandOutcome {
        // A foreign, newer or damaged file says so itself.
        await (try LedgerReader(path: database)).close()
        do throws(StoreError) {
            try await DatabaseCopy.make(of: database, to: target, at: now)
        } catch {
            return CommandOutcome(complaints: "\(target): \(words(error))", status: 2)
        }
        let copy = try LedgerReader(path: target)
        let ledger: ChainProof<LedgerEvent>
        let audit: ChainProof<AuditEvent>
        do {
            ledger = try await ChainProof<LedgerEvent> { from, limit throws(StoreError) in
                try await copy.ledger(from: from, limit: limit)
            }
            audit = try await ChainProof<AuditEvent> { from, limit throws(StoreError) in
                try await copy.audit(from: from, limit: limit)
            }
        } catch {
            await copy.close()
            throw error
        }
        await copy.close()
        switch (ledger, audit) {
        case (.holds(let events, let head), .holds(let audited, let auditHead)):
            return CommandOutcome(
                output: """
                    \(target)
                    \(events) events; the chain holds; head \(ByteText.hex(head))
                    \(audited) audit events; the chain holds; head \(ByteText.hex(auditHead))

                    """, status: 0)
        case (.breaks(let event), _):
            return CommandOutcome(
                complaints: "\(target): copied as it is, and the ledger's chain breaks at event \(event)", status: 1)
        case (_, .breaks(let event)):
            return CommandOutcome(
                complaints: "\(target): copied as it is, and the audit chain breaks at event \(event)", status: 1)
        }
    }

    private static func words(_ error: StoreError) -> String {
        switch error {
        case .alreadyExists: "is there already; a backup is never written over another"
        case .conflict: "cannot be made of a database in memory"
        case .unavailable: "cannot be written there, or the disk is full"
        case .corrupt: "the database is damaged: restore an earlier backup"
        case .notFound, .held, .closed, .internal: "could not be made (\(error.rawValue))"
        }
    }
}
