import Glibc
import Synchronization

/// What one thread sets and another waits for.
final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }

    /// Holds a server's own thread until it is set, or for a minute where the test failed before.
    func hold() {
        var left = 12_000
        while !isSet, left > 0 {
            usleep(5000)
            left -= 1
        }
    }
}
