import CSQLite
import VerificationCore

/// One row of an answer, readable until the statement steps on. A value of another type than asked for is damage.
struct Row: ~Copyable {
    let statement: OpaquePointer

    func integer(_ column: Int32) throws(StoreError) -> Int64 {
        guard let value = try integerOrNull(column) else { throw .corrupt }
        return value
    }

    func integerOrNull(_ column: Int32) throws(StoreError) -> Int64? {
        // The column is looked up once for its type and its value, which SQLite allows where, as here, one thread alone
        // has the connection: a report reads fourteen million of them.
        let value = sqlite3_column_value(statement, column)
        switch sqlite3_value_type(value) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return sqlite3_value_int64(value)
        default: throw .corrupt
        }
    }

    func text(_ column: Int32) throws(StoreError) -> String {
        guard let value = try textOrNull(column) else { throw .corrupt }
        return value
    }

    func textOrNull(_ column: Int32) throws(StoreError) -> String? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement, column) else { throw .unavailable }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .corrupt }
            return text
        default: throw .corrupt
        }
    }

    func blob(_ column: Int32) throws(StoreError) -> [UInt8] {
        guard let value = try blobOrNull(column) else { throw .corrupt }
        return value
    }

    func blobOrNull(_ column: Int32) throws(StoreError) -> [UInt8]? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, column))
            guard count > 0 else { return [] }
            guard let start = sqlite3_column_blob(statement, column) else { throw .unavailable }
            return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        default: throw .corrupt
        }
    }

    func time(_ column: Int32) throws(StoreError) -> Timestamp { Timestamp(milliseconds: try integer(column)) }

    func timeOrNull(_ column: Int32) throws(StoreError) -> Timestamp? {
        try integerOrNull(column).map { Timestamp(milliseconds: $0) }
    }

    /// A value of a closed set; a word that is not in it is damage.
    func word<Word: RawRepresentable>(_ column: Int32, _: Word.Type = Word.self) throws(StoreError) -> Word
    where Word.RawValue == String {
        guard let word = Word(rawValue: try text(column)) else { throw .corrupt }
        return word
    }

    func wordOrNull<Word: RawRepresentable>(_ column: Int32, _: Word.Type = Word.self) throws(StoreError) -> Word?
    where Word.RawValue == String {
        guard let text = try textOrNull(column) else { return nil }
        guard let word = Word(rawValue: text) else { throw .corrupt }
        return word
    }
}
