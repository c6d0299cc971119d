import Glibc
import Synchronization
public import VerificationCore

/// Where the gateway reads the time.
public protocol GatewayClock: Sendable {
    /// The time that sessions live by.
    func now() -> Timestamp
    /// Seconds that only go forward, for measuring.
    func monotonic() -> Duration
    /// Whether wall clock and monotonic clock disagree by more than ``SteadyClock/bound``.
    var isDisputed: Bool { get }
}

/// The wall clock as long as the monotonic clock agrees with it; otherwise the monotonic clock from the last start.
///
/// A step of the wall clock thus neither kills the sessions in flight nor makes them live for ever. While the two
/// disagree, `isDisputed` pauses everything that destroys or closes something. A restart takes the wall clock's word.
public final class SteadyClock: GatewayClock {
    /// How far the clocks may drift apart: more than any slewing does in a day, less than a session's lifetime.
    public static let bound = Duration.seconds(60)

    private let wall: @Sendable () -> Timestamp
    private let steady: @Sendable () -> Duration
    private let wallAtStart: Timestamp
    private let steadyAtStart: Duration

    /// A clock on the system's clocks.
    public convenience init() {
        self.init(wall: { SteadyClock.read(CLOCK_REALTIME).wall }, steady: { SteadyClock.read(CLOCK_BOOTTIME).steady })
    }

    /// A clock on given clocks.
    public init(wall: @escaping @Sendable () -> Timestamp, steady: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.steady = steady
        self.wallAtStart = wall()
        self.steadyAtStart = steady()
    }

    /// The time that sessions live by.
    public func now() -> Timestamp {
        let (told, expected) = readings()
        return Self.agree(told, expected) ? told : expected
    }

    /// The monotonic clock.
    public func monotonic() -> Duration { steady() }

    /// Whether the wall clock has left the monotonic clock.
    public var isDisputed: Bool {
        let (told, expected) = readings()
        return !Self.agree(told, expected)
    }

    private func readings() -> (told: Timestamp, expected: Timestamp) {
        (wall(), wallAtStart.advanced(by: steady() - steadyAtStart))
    }

    private static func agree(_ told: Timestamp, _ expected: Timestamp) -> Bool {
        let difference = told.duration(since: expected)
        return difference <= bound && difference >= .zero - bound
    }

    private static func read(_ clock: clockid_t) -> (wall: Timestamp, steady: Duration) {
        var time = timespec()
        clock_gettime(clock, &time)
        let milliseconds = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        return (
            Timestamp(milliseconds: milliseconds), .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        )
    }
}
