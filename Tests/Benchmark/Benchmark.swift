import Glibc

/// Full verifications a second on one core, beside the sum of OpenSSL's own primitives for the same work, and beside
/// itself without the cache of signers. The three take turns, so that a noisy machine is noisy to all of them, and
/// what is counted is the processor's time: time in which it ran something else is nobody's.
@main
struct Benchmark {
    /// Enough turns for a median that two loud neighbours cannot move.
    static let turns = 15
    /// About a fifth of a second a turn.
    static let repeats = 1000

    static func main() throws {
        let subject = try Subject()
        let floor = try OpenSSLFloor(subject.work)
        var times: [[Double]] = [[], [], []]
        for turn in 0...turns {
            let figures = try [
                processorTime { for _ in 0..<repeats { try floor.run() } },
                processorTime { for _ in 0..<repeats { try subject.verify(fresh: false) } },
                processorTime { for _ in 0..<repeats { try subject.verify(fresh: true) } },
            ]
            guard turn > 0 else { continue }
            for (index, figure) in figures.enumerated() { times[index].append(figure) }
        }
        let medians = times.map(median)
        let names = ["OpenSSL's primitives alone", "sekisho", "sekisho, no signer cached"]
        print("one envelope of \(subject.envelope.count) bytes, \(subject.work.hashed.count) hashes, \(turns) turns")
        for (name, time) in zip(names, medians) {
            let padded = name + String(repeating: " ", count: 28 - name.count)
            print("\(padded)\(tenths(time)) us  \(Int(1_000_000 / time)) a second")
        }
        // Turn by turn, so that both sides of a ratio met the same neighbours.
        print("ratio to OpenSSL's floor:   \(hundredths(median(zip(times[0], times[1]).map { $0 / $1 })))")
        print("ratio without the cache:    \(hundredths(median(zip(times[0], times[2]).map { $0 / $1 })))")
        print("what the cache gains:       \(hundredths(median(zip(times[2], times[1]).map { $0 / $1 })))")
    }

    /// What `body` takes of the processor, in microseconds a repeat.
    private static func processorTime(_ body: () throws -> Void) rethrows -> Double {
        let start = processorSeconds
        try body()
        return (processorSeconds - start) * 1e6 / Double(repeats)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    private static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
