import Foundation
import JSONTree
import Routing
import Testing
import VerificationCore

/// The table of `Fixtures/decisions.json5`, and the shares that another language drew.
@Suite struct DecisionTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")

    static func fixture(_ name: String) throws -> JSONNode {
        try JSONNode.parse(Array(Data(contentsOf: folder.appendingPathComponent(name))), syntax: .json5)
    }

    @Test func `every case of the table is decided as it says, by the steps it says`() throws {
        let fixture = try Self.fixture("decisions.json5")
        let tables = try #require(fixture["tables"])
        let cases = try #require(fixture["cases"]?.elements)
        #expect(cases.count >= 30)
        for node in cases {
            let name = try #require(node["table"]?.string)
            let rules = try #require(tables[name]?.elements)
            let table = RoutingTable(rules: try rules.map(Self.rule))
            let request = try Self.request(node)
            let outages = Dictionary(
                uniqueKeysWithValues: try (node["out"]?.members ?? []).map {
                    (VerifierID($0.name), try #require(OutageReason(rawValue: $0.value.string ?? "")))
                })
            let decision = table.decide(request) { outages[$0] }
            let place: Comment = "line \(node.line)"
            #expect(decision.verifier?.rawValue == node["to"]?.string, place)
            #expect(decision.routing.rule == node["rule"]?.string, place)
            let passed = decision.routing.passedOver.map { "\($0.verifier) \($0.reason.rawValue)" }
            #expect(passed == Self.strings(node["passed"]), place)
            #expect(decision.routing.fallbacks.map(\.rawValue) == Self.strings(node["fallbacks"]), place)
            #expect(decision.routing.shadow?.rawValue == node["shadow"]?.string, place)
            #expect(decision.steps.map(Self.words) == Self.strings(node["because"]), place)
            // The same arguments give the same decision.
            #expect(table.decide(request) { outages[$0] } == decision, place)
            // And the forecast over all sessions knows the one verifier that these tables can pick.
            let forecast = table.forecast(request) { outages[$0] }
            #expect(forecast.rule == decision.routing.rule, place)
            #expect(forecast.shares.map(\.verifier) == [decision.verifier].compactMap(\.self), place)
        }
    }

    @Test func `shares are drawn as another language draws them by the same words`() throws {
        let cases = try #require(try Self.fixture("shares.json").elements)
        #expect(cases.count == 100)
        for node in cases {
            let rule = try #require(node["rule"]?.string)
            let session = SessionID(try #require(node["session"]?.string))
            let targets = try #require(node["weights"]?.elements).map { target in
                WeightedTarget(VerifierID(target["id"]?.string ?? ""), weight: Self.number(target["weight"]))
            }
            let shadow = ShadowShare(verifier: VerifierID("delta"), percent: 30)
            let read = RoutingRule(name: rule, targets: targets, shadow: shadow)
            #expect(read.candidates(for: session).map(\.rawValue) == Self.strings(node["order"]))
            let request = RoutingRequest(
                session: session, purpose: PurposeID("p"), documentType: "d", client: ClientID("c"),
                at: Timestamp(seconds: 0))
            let isShadowed = RoutingTable(rules: [read]).decide(request) { _ in nil }.routing.shadow != nil
            guard case .boolean(let expected) = node["shadowed_at_30"]?.kind else {
                Issue.record("no expectation")
                continue
            }
            #expect(isShadowed == expected)
        }
    }

    @Test func `the forecast is what decisions come to, whoever is out`() throws {
        let table = RoutingTable(rules: [
            RoutingRule(
                name: "shares",
                targets: [("a", 50), ("b", 30), ("c", 20), ("d", 0)].map {
                    WeightedTarget(VerifierID($0.0), weight: $0.1)
                },
                fallbacks: [VerifierID("e"), VerifierID("f")]),
            RoutingRule(name: "rest", targets: [WeightedTarget(VerifierID("d"))]),
        ])
        func request(_ session: Int) -> RoutingRequest {
            RoutingRequest(
                session: SessionID("ses_\(session)"), purpose: PurposeID("p"), documentType: "d", client: ClientID("c"),
                at: Timestamp(seconds: 0))
        }
        for out in [
            [], ["a"], ["b", "c"], ["a", "b", "c"], ["a", "b", "c", "e"], ["a", "b", "c", "e", "f"],
            ["a", "b", "c", "d", "e", "f"],
        ] {
            let outages = { (id: VerifierID) -> OutageReason? in out.contains(id.rawValue) ? .circuitOpen : nil }
            let forecast = table.forecast(request(0), outages: outages)
            var counts: [VerifierID: Int] = [:]
            for session in 0..<4000 {
                guard let verifier = table.decide(request(session), outages: outages).verifier else { continue }
                counts[verifier, default: 0] += 1
            }
            #expect(Set(counts.keys) == Set(forecast.shares.map(\.verifier)), "\(out)")
            for share in forecast.shares {
                let expected = Double(share.part) / Double(share.whole)
                #expect(abs(Double(counts[share.verifier] ?? 0) / 4000 - expected) < 0.04, "\(out) \(share)")
            }
            let sum = forecast.shares.reduce(0.0) { $0 + Double($1.part) / Double($1.whole) }
            #expect(out.count == 6 ? sum == 0 : abs(sum - 1) < 1e-9)
        }
        let some = table.forecast(request(0)) { $0.rawValue == "a" ? .heldOpen : nil }
        #expect(some.shares.map { "\($0.verifier) \($0.part)/\($0.whole)" } == ["b 3/5", "c 2/5"])
        #expect(some.passedOver == [Routing.PassedOver(VerifierID("a"), .heldOpen)])
    }

    @Test func `hours that are none are refused`() {
        let zone = ZoneOffsets(name: "UTC", initialOffset: 0)
        for (from, until) in [(0, 0), (5, 5), (-1, 5), (1440, 5), (0, 1441)] {
            #expect(DailyHours(from: from, until: until, zone: zone) == nil)
        }
        #expect(DailyHours(from: 0, until: 1440, zone: zone) != nil)
    }

    private static func request(_ node: JSONNode) throws -> RoutingRequest {
        let at = node["at"]?.string ?? "2026-10-10T12:00:00+09:00"
        return RoutingRequest(
            session: SessionID("ses_1"), purpose: PurposeID(node["purpose"]?.string ?? "kyc"),
            documentType: node["document"]?.string ?? "mnc", client: ClientID(node["client"]?.string ?? "app"),
            at: try #require(RFC3339.timestamp(at)))
    }

    private static func rule(_ node: JSONNode) throws -> RoutingRule {
        var window = TimeWindow(
            from: node["from"]?.string.flatMap { RFC3339.timestamp($0) },
            until: node["until"]?.string.flatMap { RFC3339.timestamp($0) })
        if let hours = node["hours"]?.elements, let zone = node["zone"] {
            let changes = try (zone["changes"]?.elements ?? []).map { change in
                let at = try #require(RFC3339.timestamp(change.elements?[0].string ?? ""))
                return ZoneOffsets.Change(at: at, offset: number(change.elements?[1]) * 3600)
            }
            let offsets = ZoneOffsets(name: "zone", initialOffset: number(zone["initial"]) * 3600, changes: changes)
            window.hours = DailyHours(from: minute(hours[0]), until: minute(hours[1]), zone: offsets)
        }
        let shadow = node["shadow"]?.elements.map {
            ShadowShare(verifier: VerifierID($0[0].string ?? ""), percent: number($0[1]))
        }
        return RoutingRule(
            name: try #require(node["name"]?.string),
            purposes: node["purposes"].map { Set(strings($0).map { PurposeID($0) }) },
            documentTypes: node["documents"].map { Set(strings($0)) },
            clients: node["clients"].map { Set(strings($0).map { ClientID($0) }) },
            window: window == TimeWindow() ? nil : window,
            targets: try #require(node["verifiers"]?.members).map {
                WeightedTarget(VerifierID($0.name), weight: number($0.value))
            }, fallbacks: strings(node["fallback"]).map { VerifierID($0) }, shadow: shadow)
    }

    private static func minute(_ node: JSONNode) -> Int {
        let parts = (node.string ?? "").split(separator: ":").compactMap { Int($0) }
        return parts[0] * 60 + parts[1]
    }

    private static func number(_ node: JSONNode?) -> Int {
        if case .number(let number) = node?.kind { return Int(number.integer ?? 0) }
        return 0
    }

    private static func strings(_ node: JSONNode?) -> [String] { node?.elements?.compactMap(\.string) ?? [] }

    private static func words(_ step: RoutingStep) -> String {
        switch step {
        case .skipped(let rule, let unmet): "\(rule) unmet \(unmet.rawValue)"
        case .matched(let rule, let candidates): "\(rule): \(candidates.map(\.rawValue).joined(separator: " "))"
        case .passedOver(_, let verifier, let reason): "\(verifier) out \(reason.rawValue)"
        case .picked(_, let verifier): "\(verifier)"
        case .shadowed(_, let verifier): "again \(verifier)"
        case .nobody: "nobody"
        }
    }
}
