import Glibc
import Synchronization

/// The database's file and the lock that keeps a second gateway away from it.
///
/// The lock is an exclusive `flock` on a file beside the database (its name and `.lock`). It is not taken on the
/// database itself: POSIX drops all of a process's record locks on a file, SQLite's too, when it closes any descriptor
/// of that file. The kernel lets go of it when the process ends, however it ends; the file stays.
final class DatabaseFile: Sendable {
    /// The path without symbolic links, so that two names of one database meet at one lock.
    let path: String
    private let descriptor: Mutex<Int32?>

    /// Makes the file where there is none, readable by its owner only, and locks it.
    init(path: String) throws(StoreOpeningError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        guard file >= 0 else { throw StoreOpeningError(path, .unusable(errno)) }
        Glibc.close(file)
        guard let resolved = realpath(path, nil) else { throw StoreOpeningError(path, .unusable(errno)) }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        let lock = open(self.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        guard lock >= 0 else { throw StoreOpeningError(path, .unusable(errno)) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            Glibc.close(lock)
            throw StoreOpeningError(path, code == EWOULDBLOCK ? .locked : .unusable(code))
        }
        descriptor = Mutex(lock)
    }

    deinit { unlock() }

    /// Lets another gateway in.
    func unlock() {
        descriptor.withLock { descriptor in
            if let lock = descriptor.take() { Glibc.close(lock) }
        }
    }
}

/// Makes a file's bytes, or a directory's names, durable.
func synchronize(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { Glibc.close(file) }
    return fsync(file) == 0
}

/// The directory that a path lies in.
func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
