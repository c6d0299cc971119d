import Synchronization
import SystemThreads
import VerificationCore

/// One thread that owns one connection and works off a bounded queue.
///
/// A writer takes whatever waits, runs it in one transaction with a savepoint for each job, and resumes the callers
/// only after COMMIT, when the write-ahead log is on the disk: one fsync serves many.
final class DatabaseThread: Sendable {
    enum Role { case writer, reader }

    /// Something to do, and whom to tell.
    struct Job: Sendable {
        let perform: @Sendable (Connection) -> StoreError?
        /// Whether it erased something, asked after it was performed.
        let erased: @Sendable () -> Bool
        let finish: @Sendable (StoreError?) -> Void
    }

    /// The most jobs of one transaction: more gain nothing (measured), and the first caller waits for the last.
    static let batch = 256

    private let inbox: Inbox<Job>
    private let ended = Ended()

    /// Hands the connection over to a thread of its own. `atEnd` runs once the connection is closed.
    init(
        _ connection: sending Connection, role: Role, queueLimit: Int, atEnd: @escaping @Sendable () -> Void = {}
    ) throws(StoreError) {
        let inbox = Inbox<Job>(limit: queueLimit)
        let ended = ended
        let owned = Owned(connection)
        self.inbox = inbox
        let started = SystemThread.start {
            owned.use { connection in
                switch role {
                case .writer: Writer(connection: connection).work(off: inbox)
                case .reader: read(inbox, with: connection)
                }
            }
            atEnd()
            ended.tell()
        }
        guard started else { throw .unavailable }
    }

    deinit { inbox.close() }

    /// Runs `body` on the thread; returns once its effect is durable and, where `erased` says so of its value, the
    /// log was emptied.
    func run<Value: Sendable>(
        erased: @escaping @Sendable (Value) -> Bool = { _ in false },
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let outcome: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            let shelf = Shelf<Value>()
            let job = Job { connection in
                do throws(StoreError) {
                    shelf.put(try body(connection))
                    return nil
                } catch {
                    return error
                }
            } erased: {
                shelf.look().map(erased) ?? false
            } finish: { error in
                if let error {
                    continuation.resume(returning: .failure(error))
                } else if let value = shelf.take() {
                    continuation.resume(returning: .success(value))
                } else {
                    continuation.resume(returning: .failure(.internal))
                }
            }
            switch inbox.offer(job) {
            case .taken: break
            case .full: continuation.resume(returning: .failure(.unavailable))
            case .closed: continuation.resume(returning: .failure(.closed))
            }
        }
        return try outcome.get()
    }

    /// Refuses new jobs, works off those that were accepted, closes the connection, and returns after that.
    func close() async {
        inbox.close()
        await ended.wait()
    }
}

/// Each read is one statement, so that no read transaction lasts and the log can always be emptied.
private func read(_ inbox: Inbox<DatabaseThread.Job>, with connection: Connection) {
    while let jobs = inbox.take(DatabaseThread.batch, waiting: nil) {
        for job in jobs { job.finish(job.perform(connection)) }
    }
}

/// Where a job's value waits for COMMIT.
private final class Shelf<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func put(_ new: Value) { value.withLock { $0 = new } }
    func look() -> Value? { value.withLock { $0 } }
    func take() -> Value? { value.withLock { $0.take() } }
}

/// A connection on its way to the thread that owns it.
///
/// Unchecked: `connection` came as `sending`, so nobody else holds it, and `use` is called once, by the one thread.
private final class Owned: @unchecked Sendable {
    private var connection: Connection?

    init(_ connection: sending Connection) {
        self.connection = connection
    }

    /// Lends the connection and closes it afterwards.
    func use(_ body: (Connection) -> Void) {
        if let connection { body(connection) }
        connection = nil
    }
}

/// Whether a thread has ended, and who waits for that.
private final class Ended: Sendable {
    private let state = Mutex<(over: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func tell() {
        let waiting = state.withLock { state in
            state.over = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let over = state.withLock { state in
                if !state.over { state.waiting.append(continuation) }
                return state.over
            }
            if over { continuation.resume() }
        }
    }
}
