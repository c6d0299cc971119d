import Synchronization
import Testing
import VerificationCore

@testable import Gateway

@Suite struct ClockTests {
    private final class Hands: Sendable {
        let wall = Mutex(Timestamp(seconds: 1_790_000_000))
        let steady = Mutex(Duration.seconds(100))

        func pass(_ seconds: Int64) {
            steady.withLock { $0 += .seconds(seconds) }
            wall.withLock { $0 = $0.advanced(by: .seconds(seconds)) }
        }

        func step(_ seconds: Int64) {
            wall.withLock { $0 = $0.advanced(by: .seconds(seconds)) }
        }
    }

    @Test(arguments: [-86_400, -3600, -61, 61, 3600, 86_400] as [Int64])
    func `S13 a step of the wall clock neither ends sessions nor lets them live for ever`(step: Int64) {
        let hands = Hands()
        let clock = SteadyClock(wall: { hands.wall.withLock { $0 } }, steady: { hands.steady.withLock { $0 } })
        let start = clock.now()
        hands.pass(10)
        hands.step(step)
        #expect(clock.isDisputed)
        #expect(clock.now() == start.advanced(by: .seconds(10)))
        hands.pass(10)
        #expect(clock.now() == start.advanced(by: .seconds(20)))
        hands.step(-step)
        #expect(!clock.isDisputed)
        #expect(clock.now() == start.advanced(by: .seconds(20)))
    }

    @Test(arguments: [-60, -1, 0, 1, 60] as [Int64])
    func `a small drift follows the wall clock`(step: Int64) {
        let hands = Hands()
        let clock = SteadyClock(wall: { hands.wall.withLock { $0 } }, steady: { hands.steady.withLock { $0 } })
        let start = clock.now()
        hands.step(step)
        #expect(!clock.isDisputed)
        #expect(clock.now() == start.advanced(by: .seconds(step)))
    }
}
