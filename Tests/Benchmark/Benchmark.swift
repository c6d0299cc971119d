/// Full verifications a second on one core, beside the sum of OpenSSL's own primitives for the same work, and beside
/// itself without the cache of signers. The three take turns, so that a noisy machine is noisy to all of them.
@main
struct Benchmark {
    /// Enough turns for a median that two loud neighbours cannot move.
    static let turns = 15
    /// About a fifth of a second a turn.
    static let repeats = 1000

    static func main() throws {
        let subject = try Subject()
        let floor = try OpenSSLFloor(subject.work)
        let clock = ContinuousClock()
        var times: [[Double]] = [[], [], []]
        for turn in 0...turns {
            let figures = try [
                clock.measure { for _ in 0..<repeats { try floor.run() } },
                clock.measure { for _ in 0..<repeats { try subject.verify(fresh: false) } },
                clock.measure { for _ in 0..<repeats { try subject.verify(fresh: true) } },
            ]
            guard turn > 0 else { continue }
            for (index, figure) in figures.enumerated() { times[index].append(microseconds(figure)) }
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

    private static func microseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return (Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(repeats)
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    private static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
