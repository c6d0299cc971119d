import Glibc

/// A bounded queue between any number of tasks and the one thread that works it off.
///
/// Unchecked: the mutable state is `items` and `isClosed`, and every access to either is made between `lock` and
/// `unlock` of the one mutex, which lives at a fixed address as POSIX asks and outlives all its users.
final class Inbox<Item: Sendable>: @unchecked Sendable {
    enum Offer { case taken, full, closed }

    private let limit: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var items: [Item] = []
    private var isClosed = false

    init(limit: Int) {
        self.limit = limit
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Puts an item in, unless the queue is full or closed.
    func offer(_ item: Item) -> Offer {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isClosed { return .closed }
        if items.count >= limit { return .full }
        items.append(item)
        pthread_cond_signal(condition)
        return .taken
    }

    /// Refuses all further items; what is in is still worked off.
    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for items and takes at most `count`; none after `seconds` without any; `nil` once closed and empty.
    func take(_ count: Int, waiting seconds: Int?) -> [Item]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        var deadline = timespec()
        if let seconds {
            clock_gettime(CLOCK_REALTIME, &deadline)
            deadline.tv_sec += seconds
        }
        while items.isEmpty {
            if isClosed { return nil }
            if seconds == nil {
                pthread_cond_wait(condition, mutex)
            } else if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
                return []
            }
        }
        let taken = Array(items.prefix(count))
        items.removeFirst(taken.count)
        return taken
    }
}
