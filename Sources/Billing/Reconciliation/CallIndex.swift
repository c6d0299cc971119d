import VerificationCore

/// Finds the call of an invoice's line, and remembers which were found.
struct CallIndex {
    enum Match {
        /// A call that no line had before.
        case call(Int)
        /// Every call that fits was found by an earlier line.
        case taken(Int)
        case unknown
    }

    private let calls: [BilledCall]
    private var byOwn: [String: [Int]] = [:]
    private var byReference: [String: [Int]] = [:]
    private var taken: [Bool]

    init(_ calls: [BilledCall]) {
        self.calls = calls
        taken = Array(repeating: false, count: calls.count)
        for (place, call) in calls.enumerated() {
            for own in Set([call.attempt, call.session]) where !own.isEmpty { byOwn[own, default: []].append(place) }
            if let reference = call.reference { byReference[reference, default: []].append(place) }
        }
    }

    func isTaken(_ place: Int) -> Bool { taken[place] }

    mutating func take(for line: InvoiceLine) -> Match {
        // Our own reference is the surer one: two sessions may have been given one reference by a provider's mistake.
        let candidates =
            line.ownReference.flatMap { byOwn[$0] ?? byReference[$0] } ?? line.reference.flatMap { byReference[$0] }
            ?? []
        let fitting = candidates.filter { place in
            line.billableClass.map { $0 == calls[place].billableClass } ?? true
        }
        // A class that differs still names the call: then it is its amount that does.
        let pool = fitting.isEmpty ? candidates : fitting
        let free = pool.filter { !taken[$0] }
        // A call that we think was billed comes before one that may have been, and that before one that was not.
        guard let best = free.min(by: { rank($0, line) < rank($1, line) }) else {
            return pool.first.map { .taken($0) } ?? .unknown
        }
        // Once what was billed is found, a further line is it again, and not the calls beside it that cost nothing.
        if calls[best].standing == .notBilled, let billed = pool.first(where: { calls[$0].standing != .notBilled }) {
            return .taken(billed)
        }
        taken[best] = true
        return .call(best)
    }

    private func rank(_ place: Int, _ line: InvoiceLine) -> (Int, UInt64, Int) {
        let standing =
            switch calls[place].standing {
            case .billed: 0
            case .uncertain: 1
            case .notBilled: 2
            }
        let distance = calls[place].time.milliseconds.subtractingReportingOverflow(line.time.milliseconds)
        return (standing, distance.partialValue.magnitude, place)
    }
}
