import VerificationCore

/// Why a database could not be opened. It says the path, and nothing of what is in the file.
public struct StoreOpeningError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of problem.
    public enum Problem: Sendable, Hashable {
        /// Another gateway has the database open.
        case locked
        /// The file is another program's database.
        case foreign
        /// A newer version of this program wrote it.
        case newerSchema(found: Int, known: Int)
        /// An older version wrote it, and what only reads does not bring it up to date.
        case olderSchema(found: Int, known: Int)
        /// The file is damaged, or no database at all.
        case corrupt
        /// The system refused, with the error's number.
        case unusable(Int32)
        /// SQLite refused: the disk is full, or no write-ahead log can be kept there, as on a network file system.
        case refused
    }

    /// The path.
    public let path: String
    /// The problem.
    public let problem: Problem

    init(_ path: String, _ problem: Problem) {
        self.path = path
        self.problem = problem
    }

    /// Runs a step of opening, and says of its failure what it means for the operator.
    static func translating<Value>(
        _ path: String, _ step: () throws(StoreError) -> Value
    ) throws(StoreOpeningError) -> Value {
        do throws(StoreError) {
            return try step()
        } catch {
            switch error {
            case .corrupt: throw StoreOpeningError(path, .corrupt)
            case .notFound, .alreadyExists, .conflict, .held, .unavailable, .closed, .internal:
                throw StoreOpeningError(path, .refused)
            }
        }
    }

    /// A sentence for the operator.
    public var description: String {
        switch problem {
        case .locked: "\(path): another gateway has this database open (it holds \(path).lock)"
        case .foreign: "\(path): this file is not a database of Sekisho's"
        case .newerSchema(let found, let known):
            "\(path): a newer version wrote this database (schema \(found), this version knows \(known))"
        case .olderSchema(let found, let known):
            "\(path): an older version wrote this database (schema \(found), this version reads \(known)); "
                + "start the gateway on it once"
        case .corrupt: "\(path): this file is damaged or no database; restore a backup"
        case .unusable(let code): "\(path): the file cannot be used (error \(code))"
        case .refused: "\(path): SQLite cannot write here (full disk, or a file system without shared memory)"
        }
    }
}
