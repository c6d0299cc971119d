import Configuration
import Foundation
import VerificationCore

/// The database that a word of a call names: itself, or through the configuration that keeps its data there.
enum DatabaseArgument {
    /// What every database of SQLite's begins with; no configuration does.
    private static let mark = Array("SQLite format 3\0".utf8)

    /// The database at a path, or the one that a configuration names; `nil` for a store in memory. No secret is needed.
    static func database(at path: String, now: Timestamp) throws -> String? {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        if try Array(file.read(upToCount: mark.count) ?? Data()) == mark { return path }
        let loader = ConfigurationLoader(kinds: VerifierKinds.checkers)
        switch try loader.recall(try ConfigurationLoader.text(path: path), at: now).store {
        case .sqlite(let path): return path
        case .memory: return nil
        }
    }
}
