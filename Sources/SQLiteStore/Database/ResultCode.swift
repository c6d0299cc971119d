import CSQLite
import VerificationCore

extension StoreError {
    /// What an extended result code of SQLite means. No message of SQLite's is kept: it could quote a bound value.
    init(resultCode: Int32) {
        switch resultCode {
        case SQLITE_CONSTRAINT | 8 << 8, SQLITE_CONSTRAINT | 6 << 8, SQLITE_CONSTRAINT | 10 << 8:
            self = .alreadyExists  // SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _ROWID
        default:
            switch resultCode & 0xFF {
            // A full disk, a failed read or write, a file system gone read-only, no memory, another process's lock.
            case SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_NOMEM, SQLITE_BUSY, SQLITE_LOCKED,
                SQLITE_CANTOPEN:
                self = .unavailable
            case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
            default: self = .internal
            }
        }
    }
}
