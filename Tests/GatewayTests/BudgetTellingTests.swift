import Billing
import Foundation
import MemoryStore
import Routing
import Testing
import VerificationCore
import WebhookSignatures

@testable import Gateway

/// Who is told that a budget's limit was reached, and how often.
@Suite struct BudgetTellingTests: BudgetScene {
    @Test func `a limit is told once, in the log and in the metrics, and the soft one stops nothing`() async throws {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let rig = try self.rig([provider], [budget("a", soft: 1, hard: 9)])
        for _ in 0..<4 { #expect(try await rig.submitted().sessionStatus == "verified") }
        await Housekeeper(of: rig.gateway).tick()
        #expect(rig.lines.text.components(separatedBy: "budget_reached").count == 2)
        let metrics = try await rig.call("GET", "/metrics", key: nil).text
        let labels = #"verifier="a",client="",per="month",unit="attempts",currency="""#
        for line in [
            "sekisho_budget_limits_reached_total{\(labels),limit=\"soft\"} 1", "sekisho_budget_used{\(labels)} 4",
            "sekisho_budget_promised{\(labels)} 4", "sekisho_budget_limit{\(labels),limit=\"hard\"} 9",
        ] { #expect(metrics.contains(line), "\(line)\n\(metrics)") }
        #expect(!metrics.contains("reached_total{\(labels),limit=\"hard\"}"))
        let verifiers = try #require(
            try await rig.call("GET", "/v1/verifiers", key: Rig.operatorKey).json["verifiers"] as? [[String: Any]])
        let shown = try #require(verifiers.first?["budgets"] as? [[String: Any]])
        #expect(shown.count == 1 && shown[0]["used"] as? Int == 4 && shown[0]["hard"] as? Int == 9)
        #expect(shown[0]["from"] as? String == "2026-09-01" && shown[0]["client"] is NSNull)
        // A reload that adds a budget counts anew, and says nothing again.
        let next = [budget("a", soft: 1, hard: 9), budget("a", per: .day, hard: 9)]
        rig.source.give(rig.next("test-2") { $0.budgets = next })
        #expect(try await rig.reload().status == 200)
        #expect(rig.gateway.sessions.budgets.standings(at: rig.clock.now()).map(\.used.whole) == [4, 4])
        #expect(rig.lines.text.components(separatedBy: "budget_reached").count == 2)
    }

    @Test func `the operators are told by a signed webhook, once whatever restarts, and of no person`() async throws {
        let (store, clock) = (MemoryStore(), ManualClock())
        let budgets = [budget("a", soft: 1, hard: 2)]
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let webhook = try #require(Rig.webhook)
        func start() throws -> Rig {
            try self.rig([provider], budgets, store: store, clock: clock) { $0.operatorWebhook = webhook }
        }
        let receiver = ScriptedReceiver(status: 204)
        func deliver(_ rig: Rig) async {
            let worker = OutboxWorker(of: rig.gateway, sender: receiver, schedule: DeliverySchedule { 0.5 })
            await worker.take()
            await worker.idle(upTo: .seconds(20))
        }
        let rig = try start()
        let id = try await rig.submitted().id
        await Housekeeper(of: rig.gateway).tick()
        await deliver(rig)
        #expect(receiver.deliveries.count == 1)
        for _ in 0..<2 {
            let again = try start()
            await Housekeeper(of: again.gateway).tick()
            await deliver(again)
            #expect(receiver.deliveries.count == 1)
            #expect(again.lines.text.contains("budget_reached"), "each process says it in its own log")
        }
        _ = try await rig.submitted()
        await Housekeeper(of: rig.gateway).tick()
        await deliver(rig)
        #expect(receiver.deliveries.count == 2 && receiver.deliveries.allSatisfy { $0.recipient == .operators })
        var limits: [String] = []
        for delivery in receiver.deliveries {
            let told = try StandardWebhooks().verify(
                WebhookHeaders(delivery.headers), body: delivery.body, secrets: webhook.secrets, at: clock.now())
            #expect(told.id.hasPrefix("msg_") && told.id.hasSuffix("_budget_reached"))
            let json = try #require(try JSONSerialization.jsonObject(with: Data(delivery.body)) as? [String: Any])
            let data = try #require(json["data"] as? [String: Any])
            #expect(json["type"] as? String == "budget.reached" && json["timestamp"] is String)
            #expect(
                Set(data.keys) == [
                    "limit", "period", "verifier", "client", "per", "unit", "currency", "soft", "hard", "used",
                ])
            #expect(data["verifier"] as? String == "a" && data["period"] as? String == "2026-09")
            limits.append("\(data["limit"] as? String ?? "") \(data["used"] as? Int ?? 0)")
            let text = String(decoding: delivery.body, as: UTF8.self)
            for forbidden in ["花子", "1971", id, "ses_"] { #expect(!text.contains(forbidden)) }
        }
        #expect(limits == ["soft 1", "hard 2"])
        #expect(Set(receiver.deliveries.map { $0.headers.first { $0.name == "webhook-id" }?.value }).count == 2)
        #expect(
            try await told(rig).map { "\($0.actor) \($0.outcome ?? "") \($0.count ?? 0)" } == [
                "gateway soft 1", "gateway hard 2",
            ])
        // The next month begins anew, and is told of anew.
        clock.advance(by: .seconds(30 * 86_400))
        _ = try await rig.submitted()
        await Housekeeper(of: rig.gateway).tick()
        #expect(try await told(rig).map(\.subject).suffix(1) == ["a/*/month/attempts 2026-10"])
        #expect(try await told(rig).count == 3)
    }

    @Test func `with nobody to tell, the audit chain has it, and a webhook that fails is seen and tried again`()
        async throws
    {
        let provider = ScriptedProvider(.certified("a"), submit: Self.verified)
        let silent = try self.rig([provider], [budget("a", soft: 1)])
        _ = try await silent.submitted()
        try await silent.gateway.sessions.refreshBudgets()
        #expect(try await told(silent).count == 1)
        #expect(try await silent.store.outboxCounts() == OutboxCounts(waiting: 0, dead: 0))

        let webhook = try #require(Rig.webhook)
        let rig = try self.rig([provider], [budget("a", soft: 1)]) { $0.operatorWebhook = webhook }
        _ = try await rig.submitted()
        try await rig.gateway.sessions.refreshBudgets()
        let receiver = ScriptedReceiver(status: 410)
        let worker = OutboxWorker(of: rig.gateway, sender: receiver, schedule: DeliverySchedule { 0.5 })
        await worker.take()
        await worker.idle(upTo: .seconds(20))
        let seen = try await rig.call("GET", "/v1/outbox", key: Rig.operatorKey)
        let message = try #require((seen.json["messages"] as? [[String: Any]])?.first)
        #expect(message["kind"] as? String == "budget_reached" && message["session"] is NSNull)
        #expect(message["verifier"] as? String == "a" && message["last_error"] as? String == "http_410")
        let id = try #require(message["id"] as? String)
        #expect(try await rig.call("POST", "/v1/outbox/\(id)/retry", key: Rig.operatorKey).status == 202)
        await worker.take()
        await worker.idle(upTo: .seconds(20))
        #expect(receiver.deliveries.count == 2)
        #expect(receiver.deliveries[0].body == receiver.deliveries[1].body)
    }
}
