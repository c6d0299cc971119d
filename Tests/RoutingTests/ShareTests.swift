import Routing
import Testing
import VerificationCore

/// Shares over many sessions: what each target gets, and who moves when a weight changes.
@Suite struct ShareTests {
    private static let sessions = 20_000

    private static func table(_ weights: [(String, Int)], rule: String = "share", shadow: Int? = nil) -> RoutingTable {
        RoutingTable(rules: [
            RoutingRule(
                name: rule, targets: weights.map { WeightedTarget(VerifierID($0.0), weight: $0.1) },
                shadow: shadow.map { ShadowShare(verifier: VerifierID("shadow"), percent: $0) })
        ])
    }

    private static func request(_ number: Int) -> RoutingRequest {
        RoutingRequest(
            session: SessionID("ses_\(number)"), purpose: PurposeID("kyc"), documentType: "d", client: ClientID("app"),
            at: Timestamp(seconds: 0))
    }

    private static func picks(
        _ table: RoutingTable, without: Set<String> = [], of sessions: Int = sessions
    ) -> [String] {
        (0..<sessions).map { number in
            let decision = table.decide(request(number)) { without.contains($0.rawValue) ? .circuitOpen : nil }
            return decision.verifier?.rawValue ?? "nobody"
        }
    }

    private static func share(_ name: String, of picks: [String]) -> Double {
        Double(picks.count { $0 == name }) / Double(picks.count)
    }

    static let weights: [[(String, Int)]] = [
        [("a", 90), ("b", 10)], [("a", 1), ("b", 1)], [("a", 50), ("b", 30), ("c", 20)], [("a", 999), ("b", 1)],
        [("a", 7)], [("a", 100), ("b", 0)],
    ]

    @Test(arguments: weights) func `each verifier gets its weight's share`(weights: [(String, Int)]) {
        let picks = Self.picks(Self.table(weights))
        let sum = weights.reduce(0) { $0 + $1.1 }
        for (name, weight) in weights {
            let share = Double(weight) / Double(sum)
            // Five standard deviations of a share drawn so often.
            let bound = 5 * (share * (1 - share) / Double(Self.sessions)).squareRoot()
            #expect(abs(Self.share(name, of: picks) - share) <= bound, "\(name): \(Self.share(name, of: picks))")
        }
    }

    @Test func `a tenth is a tenth`() {
        let share = Self.share("b", of: Self.picks(Self.table([("a", 90), ("b", 10)]), of: 100_000))
        #expect(abs(share - 0.1) < 0.003)
    }

    @Test func `raising a weight moves sessions to it and none elsewhere`() {
        var before = Self.picks(Self.table([("a", 50), ("b", 0), ("c", 50)]))
        for weight in [1, 10, 11, 50, 500, 10_000] {
            let after = Self.picks(Self.table([("a", 50), ("b", weight), ("c", 50)]))
            let moved = zip(before, after).filter { $0 != $1 }
            #expect(!moved.isEmpty && moved.allSatisfy { $0.1 == "b" }, "at \(weight)")
            before = after
        }
        for weight in [50, 1, 0] {
            let after = Self.picks(Self.table([("a", 50), ("b", weight), ("c", 50)]))
            let moved = zip(before, after).filter { $0 != $1 }
            #expect(!moved.isEmpty && moved.allSatisfy { $0.0 == "b" }, "at \(weight)")
            before = after
        }
    }

    @Test func `the order of the targets, and rules beside it, move nobody`() {
        let picks = Self.picks(Self.table([("a", 70), ("b", 30)]))
        #expect(Self.picks(Self.table([("b", 30), ("a", 70)])) == picks)
        var table = Self.table([("a", 70), ("b", 30)])
        table.rules.insert(
            RoutingRule(name: "other", purposes: [PurposeID("age")], targets: [WeightedTarget(VerifierID("c"))]), at: 0)
        #expect(Self.picks(table) == picks)
    }

    @Test func `another rule draws other sessions`() {
        let first = Self.picks(Self.table([("a", 90), ("b", 10)]))
        let second = Self.picks(Self.table([("a", 90), ("b", 10)], rule: "share-2"))
        let both = zip(first, second).count { $0 == "b" && $1 == "b" }
        #expect(abs(Double(both) / Double(Self.sessions) - 0.01) < 0.004)
    }

    @Test func `where one is out, the others share its sessions by their weights, and keep their own`() {
        let table = Self.table([("a", 50), ("b", 30), ("c", 20)])
        let before = Self.picks(table)
        let after = Self.picks(table, without: ["a"])
        #expect(zip(before, after).allSatisfy { $0 == "a" || $0 == $1 })
        #expect(abs(Self.share("b", of: after) - 0.6) < 0.02)
        #expect(!after.contains("a") && !after.contains("nobody"))
    }

    @Test func `a shadow sees its share, and a larger share holds the smaller one`() {
        func shadowed(_ percent: Int) -> Set<Int> {
            let table = Self.table([("a", 1)], shadow: percent)
            return Set(
                (0..<Self.sessions).filter { number in
                    table.decide(Self.request(number)) { _ in nil }.routing.shadow != nil
                })
        }
        let (none, tenth, fifth, all) = (shadowed(0), shadowed(10), shadowed(20), shadowed(100))
        #expect(none.isEmpty && all.count == Self.sessions)
        #expect(abs(Double(tenth.count) / Double(Self.sessions) - 0.1) < 0.011)
        #expect(abs(Double(fifth.count) / Double(Self.sessions) - 0.2) < 0.015)
        #expect(tenth.isSubset(of: fifth))
    }
}
