public import VerificationCore

/// Reads what commands need to know of a database, also while a gateway has it open: it takes no lock and changes
/// nothing.
public final class StoreReader: Sendable {
    private let thread: DatabaseThread

    /// Opens a database that is there; a foreign or newer one is refused as ``SQLiteStore`` refuses it.
    public init(path: String) throws(StoreOpeningError) {
        thread = try DatabaseThread(reading: path)
    }

    /// A small value kept by name.
    public func setting(_ name: String) async throws(StoreError) -> [UInt8]? {
        try await thread.run { connection throws(StoreError) in try SQLiteStore.setting(name, connection) }
    }

    /// How many sessions are still open, by verifier, status and configuration version.
    public func pinned() async throws(StoreError) -> [PinnedSessions] {
        try await thread.run { connection throws(StoreError) in try SQLiteStore.pinned(connection) }
    }

    /// The names of the keys that something in the store is sealed with.
    public func sealingKeyNames() async throws(StoreError) -> Set<String> {
        try await thread.run { connection throws(StoreError) in try SQLiteStore.sealingKeyNames(connection) }
    }

    /// How many sessions are in each state.
    public func counts() async throws(StoreError) -> [SessionStatus: Int] {
        try await thread.run { connection throws(StoreError) in try SQLiteStore.counts(connection) }
    }

    /// Lets go of the database.
    public func close() async { await thread.close() }
}

extension DatabaseThread {
    /// The most reads that wait for a command's reader.
    private static let commandQueue = 16

    /// A thread that reads a database which is there, beside whoever writes it.
    convenience init(reading path: String) throws(StoreOpeningError) {
        let checked = try StoreOpeningError.translating(path) { () throws(StoreError) in
            try Connection(path: path, access: .readOnly)
        }
        try Migrations.current.check(checked, path: path)
        do throws(StoreError) {
            try self.init(
                try Connection(path: path, access: .readOnly), role: .reader, queueLimit: Self.commandQueue)
        } catch {
            throw StoreOpeningError(path, .refused)
        }
    }
}
