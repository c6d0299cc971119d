import HTTPServer
import JSONTree
import VerificationCore

/// `GET /v1/shadow`: how often each pair of verifiers agreed.
struct ReadShadow: Sendable {
    /// Days that are counted where nobody says which.
    static let usualDays: Int64 = 7
    private static let secondsOfDay: Int64 = 86_400

    let sessions: SessionService

    private struct Pair: Hashable, Comparable {
        let primary: String
        let shadow: String
        static func < (left: Pair, right: Pair) -> Bool {
            (left.primary, left.shadow) < (right.primary, right.shadow)
        }
    }

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        _ = try request.client(.operator)
        var query = QueryReader(request.http.query)
        let today = sessions.clock.now().milliseconds / 1000 / Self.secondsOfDay
        let until = try query.date("until") ?? CivilDate(daysSinceEpoch: today + 1)
        let from = try query.date("from") ?? CivilDate(daysSinceEpoch: until.daysSinceEpoch - Self.usualDays)
        try query.rejectUnknown(known: "from, until")
        guard from < until else { throw Problem(.requestInvalid, "from must lie before until, which is not counted") }
        let counts = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.shadowCounts(from: from, until: until)
        }
        let pairs = Dictionary(grouping: counts) {
            Pair(primary: $0.primary.rawValue, shadow: $0.shadow.rawValue)
        }
        return Answer(
            .json(
                200,
                .object([
                    ("from", .string(from.description)), ("until", .string(until.description)),
                    ("pairs", .array(pairs.sorted { $0.key < $1.key }.map { pair($0.key, $0.value) })),
                ])))
    }

    private func pair(_ pair: Pair, _ counts: [ShadowCount]) -> JSONValue {
        let subjects = Dictionary(grouping: counts, by: \.subject)
        let rendered = subjects.sorted { $0.key < $1.key }.map { subject, counts in
            var sums: [ShadowCount.Outcome: Int] = [:]
            for count in counts { sums[count.outcome, default: 0] += count.count }
            let outcomes = ShadowCount.Outcome.allCases.map { ($0.rawValue, JSONValue.integer(sums[$0] ?? 0)) }
            return JSONValue.object(
                [("subject", .string(subject))] + outcomes + [("agreement_permille", Self.agreement(sums))])
        }
        return .object([
            ("primary", .string(pair.primary)), ("shadow", .string(pair.shadow)), ("subjects", .array(rendered)),
        ])
    }

    /// How many of a thousand comparisons agreed; a shadow that came to no verdict compares nothing.
    static func agreement(_ sums: [ShadowCount.Outcome: Int]) -> JSONValue {
        let compared = ShadowCount.Outcome.allCases.filter { $0 != .failed }.reduce(0) { $0 + (sums[$1] ?? 0) }
        return compared == 0 ? .null : .integer((sums[.agree] ?? 0) * 1000 / compared)
    }
}
