import CCurl
import Glibc

/// The client's thread: starts transfers, moves them along, and ends them. Lives and dies on that thread.
final class Loop {
    private let engine: Engine
    private let watcher: Int32
    private var pools: [PoolKey: Pool] = [:]
    /// Which pool a watched socket belongs to.
    private var owners: [Int32: Pool] = [:]
    private var active: [ObjectIdentifier: Transfer] = [:]
    private var queue: [Submission] = []
    /// No deadline of anything that is out or waits passes before this.
    private var nextDeadline: ContinuousClock.Instant?

    /// How long a pool's connections are kept after its last request.
    private static let poolIdle: Duration = .seconds(90)
    /// How many sockets are looked at between two looks at the inbox.
    private static let batch = 64
    /// The longest sleep, in milliseconds: pools that are no longer used are looked for as often.
    private static let longestSleep: Int = 10_000

    init(engine: Engine, watcher: Int32) {
        self.engine = engine
        self.watcher = watcher
    }

    func run() {
        var sockets = [Int32](repeating: 0, count: Self.batch)
        var actions = [Int32](repeating: 0, count: Self.batch)
        while true {
            let (submissions, cancellations, isClosing) = engine.collect()
            if isClosing {
                close(refusing: submissions)
                return
            }
            for submission in submissions { enqueue(submission) }
            for cancellation in cancellations { cancel(cancellation) }
            enforceDeadlines()
            startWaiting()
            for pool in pools.values where pool.isDue { pool.tick() }
            collectEnded()
            startWaiting()
            dropIdlePools()
            let count = sekisho_wait(watcher, sleep(), &sockets, &actions, Int32(Self.batch))
            for index in 0..<Int(count) {
                owners[sockets[index]]?.act(on: sockets[index], actions[index])
            }
            collectEnded()
        }
    }

    /// How long there is nothing to do, in milliseconds.
    private func sleep() -> Int32 {
        var milliseconds = Self.longestSleep
        for pool in pools.values {
            if let wait = pool.wait { milliseconds = min(milliseconds, wait) }
        }
        if let nextDeadline {
            milliseconds = min(milliseconds, (nextDeadline - .now).milliseconds)
        }
        return Int32(max(0, milliseconds))
    }

    private func enqueue(_ submission: Submission) {
        // The cancellation may have come first.
        if submission.cancellation.isSet { return refuse(submission, .cancelled) }
        queue.append(submission)
        notice(submission.deadline)
    }

    private func notice(_ deadline: ContinuousClock.Instant) {
        nextDeadline = nextDeadline.map { min($0, deadline) } ?? deadline
    }

    private func startWaiting() {
        guard !queue.isEmpty && active.count < engine.maximumConcurrent else { return }
        var taken = 0
        while taken < queue.count && active.count < engine.maximumConcurrent {
            start(queue[taken])
            taken += 1
        }
        queue.removeFirst(taken)
    }

    private func start(_ submission: Submission) {
        if submission.cancellation.isSet { return refuse(submission, .cancelled) }
        if submission.deadline <= .now { return refuse(submission, .timedOutBeforeSending) }
        guard let pool = pool(for: PoolKey(submission.request)), let transfer = Transfer(submission, in: pool) else {
            return refuse(submission, .noResources)
        }
        guard pool.add(transfer) else { return refuse(submission, .noResources) }
        active[ObjectIdentifier(submission.cancellation)] = transfer
    }

    private func refuse(
        _ submission: Submission, _ code: OutboundFailure.Code, file: StaticString = #fileID, line: Int = #line
    ) {
        engine.release()
        submission.fail(code, file: file, line: line)
    }

    private func pool(for key: PoolKey) -> Pool? {
        if let pool = pools[key] { return pool }
        let pool = Pool(connections: engine.maximumConcurrent) { [unowned self] pool, socket, interest in
            watch(socket, interest, for: pool)
        }
        pools[key] = pool
        return pool
    }

    private func watch(_ socket: Int32, _ interest: Pool.Interest?, for pool: Pool) {
        guard let interest else {
            owners[socket] = nil
            sekisho_unwatch(watcher, socket)
            return
        }
        owners[socket] = pool
        // Where the kernel refuses, the request ends at its deadline.
        _ = sekisho_watch(watcher, socket, interest.reads ? 1 : 0, interest.writes ? 1 : 0)
    }

    private func collectEnded() {
        for pool in pools.values {
            while let (transfer, code) = pool.nextEnded() {
                active[ObjectIdentifier(transfer.submission.cancellation)] = nil
                engine.release()
                transfer.submission.finish(transfer.result(code))
            }
        }
    }

    private func cancel(_ cancellation: Cancellation) {
        if let index = queue.firstIndex(where: { $0.cancellation === cancellation }) {
            return refuse(queue.remove(at: index), .cancelled)
        }
        guard let transfer = active[ObjectIdentifier(cancellation)] else { return }
        // What may have billed is waited for.
        if transfer.wasSent && transfer.submission.request.connection == .fresh { return }
        abort(transfer, .cancelled)
    }

    /// Takes a transfer out wherever it is.
    private func abort(
        _ transfer: Transfer, _ code: OutboundFailure.Code, file: StaticString = #fileID, line: Int = #line
    ) {
        transfer.pool.remove(transfer)
        active[ObjectIdentifier(transfer.submission.cancellation)] = nil
        engine.release()
        transfer.submission.finish(.failure(transfer.failure(code, file: file, line: line)))
    }

    // Ours and not libcurl's, whose own clock does not run while a request waits for a connection to multiplex on.
    private func enforceDeadlines() {
        let now = ContinuousClock.now
        guard let due = nextDeadline, due <= now else { return }
        nextDeadline = nil
        for submission in queue where submission.deadline <= now { refuse(submission, .timedOutBeforeSending) }
        queue.removeAll { $0.deadline <= now }
        for transfer in active.values where transfer.submission.deadline <= now {
            abort(transfer, transfer.wasSent ? .timedOut : .timedOutBeforeSending)
        }
        for submission in queue { notice(submission.deadline) }
        for transfer in active.values { notice(transfer.submission.deadline) }
    }

    private func dropIdlePools() {
        let now = ContinuousClock.now
        for (key, pool) in pools where pool.isEmpty && now - pool.lastUse > Self.poolIdle {
            pool.close()
            pools[key] = nil
        }
    }

    private func close(refusing submissions: [Submission]) {
        for submission in submissions + queue { refuse(submission, .closed) }
        queue = []
        for transfer in active.values { abort(transfer, .closed) }
        for pool in pools.values { pool.close() }
        pools = [:]
        _ = Glibc.close(watcher)
        engine.end()
    }
}

extension Duration {
    /// Whole milliseconds, rounded up.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int(
            clamping: seconds.multipliedReportingOverflow(by: 1000).overflow ? Int64.max : seconds * 1000 + fraction)
    }
}
