/// The figures of all turns, as medians.
struct Report {
    let turns: [Overhead.Turn]

    func show() {
        print("\(Overhead.repeats) submissions of each way in a turn, one after another, \(turns.count) turns")
        for (index, name) in ["kept connections, idempotency keys", "a fresh TLS connection for each"].enumerated() {
            let direct = turns.map { $0.direct[index].times }
            let through = turns.map { $0.through[index].times }
            print("\(name):")
            for percent in [50, 99] {
                let pairs = zip(through, direct).map { (Self.percentile($0, percent), Self.percentile($1, percent)) }
                let ours = Self.median(pairs.map(\.0)), theirs = Self.median(pairs.map(\.1))
                let ratio = Self.hundredths(Self.median(pairs.map { $0 / $1 }))
                print("  p\(percent) through / direct: \(ratio)   (\(Int(ours)) us / \(Int(theirs)) us)")
            }
        }
        let whole = turns.map { $0.through[0].processor }
        print("the gateway's own processor time for a submission: \(Int(Self.median(whole))) us, of it")
        line("taking and reading the request", turns.map { $0.refused.processor }, whole)
        line("the call and its answer, sealing", turns.map { $0.memory.processor - $0.refused.processor }, whole)
        line("SQLite rather than memory", turns.map { $0.through[0].processor - $0.memory.processor }, whole)
        print("beside it, of the same whole:")
        line("a fresh TLS connection adds", turns.map { $0.through[1].processor - $0.through[0].processor }, whole)
        line("verified in-house, in memory", turns.map { $0.inHouse.processor }, whole)
    }

    private func line(_ name: String, _ part: [Double], _ whole: [Double]) {
        let share = Self.median(zip(part, whole).map { $0 / $1 })
        let padded = name + String(repeating: " ", count: 34 - name.count)
        print("  \(padded)\(Self.hundredths(share))   (\(Int(Self.median(part))) us)")
    }

    static func percentile(_ values: [Double], _ percent: Int) -> Double {
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }

    static func median(_ values: [Double]) -> Double { percentile(values, 50) }

    private static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
