import Foundation
import MemoryStore
import Synchronization
import TestSupport
import Testing
import VerificationCore
import WebhookSignatures

@testable import Gateway

/// A client's server that answers as the test says, and keeps what it was sent.
final class ScriptedReceiver: WebhookSending {
    typealias Act = @Sendable (WebhookDelivery) async throws(WebhookFailure) -> WebhookReceipt

    private let act: Act
    private let kept = Mutex<[WebhookDelivery]>([])

    var deliveries: [WebhookDelivery] { kept.withLock { $0 } }
    func deliveries(of client: String) -> [WebhookDelivery] {
        deliveries.filter { $0.recipient == .client(ClientID(client)) }
    }

    init(_ act: @escaping Act) { self.act = act }
    convenience init(status: Int) {
        self.init { (_: WebhookDelivery) async throws(WebhookFailure) in WebhookReceipt(status: status) }
    }

    func send(_ delivery: WebhookDelivery) async throws(WebhookFailure) -> WebhookReceipt {
        kept.withLock { $0.append(delivery) }
        return try await act(delivery)
    }
}

/// A verifier whose provider erases, or does not.
struct ErasingScript: ErasingVerifier {
    let error: VerificationError.Code?
    let erased: Counter
    let keys = Keys()

    final class Keys: Sendable {
        private let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock { $0 } }
        func add(_ key: String) { kept.withLock { $0.append(key) } }
    }

    func begin(_ request: VerificationRequest, in attempt: AttemptContext) async throws(VerificationError) -> Challenge
    {
        throw VerificationError(.internal, "not asked for")
    }

    func conclude(
        _ evidence: Evidence, for challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion {
        throw VerificationError(.internal, "not asked for")
    }

    func erase(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError) {
        keys.add(attempt.idempotencyKey)
        if let error { throw VerificationError(error, "as the test says") }
        erased.add()
    }
}

/// Messages that must leave.
@Suite struct OutboxTests {
    private static func secret(_ byte: UInt8) -> WebhookSecret? {
        WebhookSecret(bytes: [UInt8](repeating: byte, count: 32))
    }

    private static func webhook(_ bytes: [UInt8] = [1]) throws -> Webhook {
        Webhook(
            url: Sensitive("https://app.example/hooks"), secrets: try #require(WebhookSecrets(bytes.compactMap(secret)))
        )
    }

    private func rig(
        store: any Store = MemoryStore(), bytes: [UInt8] = [1], more: [OpenedVerifier] = [],
        act: @escaping @Sendable (Evidence) -> ScriptedVerifier.Act = { _ in .verified(Rig.claims) }
    ) throws -> Rig {
        let other = try Self.webhook([9])
        return try Rig(
            store: store, webhook: try Self.webhook(bytes), more: more,
            change: { $0.clients[1].webhook = other }, act: act)
    }

    private func worker(_ rig: Rig, _ receiver: ScriptedReceiver) -> OutboxWorker {
        OutboxWorker(of: rig.gateway, sender: receiver, schedule: DeliverySchedule { 0.5 })
    }

    /// Takes once and waits for what follows.
    private func work(_ worker: OutboxWorker) async {
        await worker.take()
        await worker.idle(upTo: .seconds(20))
    }

    private func ended(_ rig: Rig, key: String = Rig.appKey) async throws -> String {
        let id = try await rig.call(
            "POST", "/v1/sessions", key: key, body: #"{"purpose":"account-opening","reference":"customer-0042"}"#
        ).id
        let body = #"{"encrypted_data":"AAEC"}"#
        _ = try await rig.call("POST", "/v1/sessions/\(id)/submission", key: key, body: body)
        return id
    }

    @Test func `an end is told once, signed, and without a claim or the reference`() async throws {
        let rig = try rig()
        let receiver = ScriptedReceiver(status: 204)
        let worker = worker(rig, receiver)
        let id = try await ended(rig)
        await work(worker)
        await work(worker)
        let delivery = try #require(receiver.deliveries.first)
        #expect(receiver.deliveries.count == 1 && delivery.recipient == .client(ClientID("app")))
        let secrets = try Self.webhook().secrets
        let told = try StandardWebhooks().verify(
            WebhookHeaders(delivery.headers), body: delivery.body, secrets: secrets, at: rig.clock.now())
        #expect(told.id == OutboxMessage.id(.sessionEnded, of: SessionID(id)))
        #expect(throws: WebhookError.signatureMismatch) {
            try StandardWebhooks().verify(
                WebhookHeaders(delivery.headers), body: delivery.body, secrets: try Self.webhook([2]).secrets,
                at: rig.clock.now())
        }
        let text = String(decoding: delivery.body, as: UTF8.self)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(delivery.body)) as? [String: Any])
        let data = try #require(json["data"] as? [String: Any])
        #expect(json["type"] as? String == "session.ended" && json["timestamp"] is String)
        #expect(Set(data.keys) == ["session_id", "status", "reasons", "failure", "verifier", "simulated"])
        #expect(data["session_id"] as? String == id && data["status"] as? String == "verified")
        for forbidden in ["花子", "1971", "customer-0042", "name", "birthdate"] { #expect(!text.contains(forbidden)) }
        #expect(try await rig.store.outboxCounts() == OutboxCounts(waiting: 0, dead: 0))
    }

    @Test func `every way to end is told, and a client that did not ask is told nothing`() async throws {
        let rig = try Rig(webhook: try Self.webhook(), act: { _ in .rejected(.digests, .digestMismatch) })
        let receiver = ScriptedReceiver(status: 200)
        let worker = worker(rig, receiver)
        let rejected = try await ended(rig)
        let cancelled = try await rig.create().id
        _ = try await rig.call("POST", "/v1/sessions/\(cancelled)/cancel", body: #"{"outcome":"user_declined"}"#)
        let expired = try await rig.create().id
        _ = try await ended(rig, key: Rig.otherKey)
        rig.clock.advance(by: .seconds(901))
        await Housekeeper(of: rig.gateway).tick()
        await work(worker)
        var told: [String: String] = [:]
        for delivery in receiver.deliveries {
            let json = try #require(try JSONSerialization.jsonObject(with: Data(delivery.body)) as? [String: Any])
            let data = try #require(json["data"] as? [String: Any])
            told[data["session_id"] as? String ?? ""] = data["status"] as? String
            if data["status"] as? String == "rejected" { #expect(data["reasons"] as? [String] == ["digest_mismatch"]) }
        }
        #expect(told == [rejected: "rejected", cancelled: "cancelled", expired: "expired"])
    }

    @Test func `each message carries a signature by every secret, so that a client can change from one to the next`()
        async throws
    {
        let rig = try rig(bytes: [1, 2])
        let receiver = ScriptedReceiver(status: 200)
        let worker = worker(rig, receiver)
        _ = try await ended(rig)
        await work(worker)
        let delivery = try #require(receiver.deliveries.first)
        for byte: UInt8 in [1, 2] {
            _ = try StandardWebhooks().verify(
                WebhookHeaders(delivery.headers), body: delivery.body, secrets: try Self.webhook([byte]).secrets,
                at: rig.clock.now())
        }
    }

    @Test func `what fails is tried again ever later over a day, under one name, and then given up and seen`()
        async throws
    {
        let rig = try rig()
        // A redirect is a failure like any other.
        let receiver = ScriptedReceiver(status: 302)
        let worker = worker(rig, receiver)
        _ = try await ended(rig)
        let start = rig.clock.now()
        var waits: [Duration] = []
        for _ in 0..<40 where try await rig.store.outboxCounts().dead == 0 {
            await work(worker)
            // Nothing leaves before it is due.
            let count = receiver.deliveries.count
            await work(worker)
            #expect(receiver.deliveries.count == count)
            try #require(count > 0)
            let delay = DeliverySchedule.delays.dropFirst(count - 1).first ?? .zero
            rig.clock.advance(by: delay)
            waits.append(delay)
        }
        #expect(receiver.deliveries.count == DeliverySchedule.delays.count + 1)
        let day = rig.clock.now().duration(since: start)
        #expect(day > .seconds(23 * 3600) && day < .seconds(25 * 3600))
        #expect(waits.dropLast() == waits.dropLast().sorted()[...])
        let names = Set(receiver.deliveries.map { $0.headers.first { $0.name == "webhook-id" }?.value })
        #expect(names.count == 1)
        #expect(Set(receiver.deliveries.map(\.body)).count == 1)

        let outbox = try await rig.call("GET", "/v1/outbox", key: Rig.operatorKey)
        #expect(outbox.json["dead"] as? Int == 1 && outbox.json["waiting"] as? Int == 0)
        let message = try #require((outbox.json["messages"] as? [[String: Any]])?.first)
        #expect(message["last_error"] as? String == "http_302" && message["tries"] as? Int == 11)
        let metrics = try await rig.call("GET", "/metrics").text
        #expect(metrics.contains(#"sekisho_outbox_messages{state="dead"} 1"#))
        #expect(metrics.contains(#"sekisho_outbox_deliveries_total{kind="session_ended",outcome="given_up"} 1"#))
        #expect(rig.lines.text.contains("a message was given up"))

        // The client is well again, and an operator says so.
        let path = "/v1/outbox/\(try #require(message["id"] as? String))/retry"
        #expect(try await rig.call("POST", path).status == 403)
        #expect(try await rig.call("POST", path, key: Rig.operatorKey).status == 202)
        let well = ScriptedReceiver(status: 200)
        await work(self.worker(rig, well))
        #expect(well.deliveries.count == 1)
        #expect(try await rig.store.outboxCounts() == OutboxCounts(waiting: 0, dead: 0))
        #expect(try await rig.call("POST", path, key: Rig.operatorKey).code == "message_not_found")
    }

    @Test func `410 ends it at once, and Retry-After puts it off within an hour`() async throws {
        let rig = try rig()
        _ = try await ended(rig)
        await work(worker(rig, ScriptedReceiver(status: 410)))
        #expect(try await rig.store.outboxCounts() == OutboxCounts(waiting: 0, dead: 1))

        let schedule = DeliverySchedule { 0.5 }
        #expect(schedule.delay(afterTries: 1) == .seconds(5))
        #expect(schedule.delay(afterTries: 1, asked: .seconds(600)) == .seconds(600))
        #expect(schedule.delay(afterTries: 1, asked: .seconds(1_000_000)) == .seconds(3600))
        #expect(schedule.delay(afterTries: 10, asked: .seconds(1)) == .seconds(28_800))
        #expect(schedule.delay(afterTries: 11) == nil)
        let drawn = Set((0..<50).map { _ in DeliverySchedule { Double.random(in: 0..<1) }.delay(afterTries: 5) })
        #expect(
            drawn.count > 1 && drawn.allSatisfy { ($0 ?? .zero) >= .seconds(1440) && ($0 ?? .zero) <= .seconds(2160) })
    }

    @Test func `a client that does not answer holds up nobody else, and is not asked more than a few times at once`()
        async throws
    {
        let rig = try rig()
        let gate = Counter()
        let atOnce = Counter()
        let receiver = ScriptedReceiver { (delivery: WebhookDelivery) async throws(WebhookFailure) in
            guard delivery.recipient == .client(ClientID("app")) else { return WebhookReceipt(status: 200) }
            atOnce.add()
            while gate.value == 0 { try? await Task.sleep(for: .milliseconds(5)) }
            return WebhookReceipt(status: 200)
        }
        let worker = worker(rig, receiver)
        for _ in 0..<100 { _ = try await ended(rig) }
        for _ in 0..<5 { _ = try await ended(rig, key: Rig.otherKey) }
        while await worker.take() > 0 {}
        #expect(try await eventually { receiver.deliveries(of: "other").count == 5 })
        #expect(atOnce.value == OutboxWorker.deliveriesPerLane)
        gate.add()
        await worker.idle(upTo: .seconds(20))
        #expect(receiver.deliveries(of: "app").count == 100)
        #expect(try await rig.store.outboxCounts() == OutboxCounts(waiting: 0, dead: 0))
    }

    @Test func `a lease that is over while a message is still under way does not send it twice`() async throws {
        let rig = try rig()
        let gate = Counter()
        let receiver = ScriptedReceiver { (_: WebhookDelivery) async throws(WebhookFailure) in
            while gate.value == 0 { try? await Task.sleep(for: .milliseconds(5)) }
            return WebhookReceipt(status: 200)
        }
        let worker = worker(rig, receiver)
        _ = try await ended(rig)
        #expect(await worker.take() == 1)
        rig.clock.advance(by: OutboxWorker.lease + .seconds(1))
        #expect(await worker.take() == 1)
        gate.add()
        await worker.idle(upTo: .seconds(20))
        #expect(receiver.deliveries.count == 1)
    }

    @Test func `a stop gives nothing up: what was under way is told again`() async throws {
        let rig = try rig()
        let receiver = ScriptedReceiver { (_: WebhookDelivery) async throws(WebhookFailure) in
            throw WebhookFailure(code: "cancelled", isCancelled: true)
        }
        let stopped = worker(rig, receiver)
        _ = try await ended(rig)
        await work(stopped)
        #expect(try await rig.store.outboxCounts() == OutboxCounts(waiting: 1, dead: 0))
        let running = Task { [stopped] in await stopped.run() }
        running.cancel()
        await running.value
        rig.clock.advance(by: OutboxWorker.lease)
        let next = ScriptedReceiver(status: 200)
        await work(worker(rig, next))
        #expect(next.deliveries.count == 1)
    }

    @Test func `a client whose webhook was taken out by mistake is told when it is back`()
        async throws
    {
        let rig = try rig()
        _ = try await ended(rig)
        rig.gateway.sessions.swap(to: rig.next("test-2") { $0.clients[0].webhook = nil })
        let receiver = ScriptedReceiver(status: 200)
        let worker = worker(rig, receiver)
        await work(worker)
        #expect(receiver.deliveries.isEmpty)
        #expect(try await rig.store.outboxCounts() == OutboxCounts(waiting: 1, dead: 0))
        rig.gateway.sessions.swap(to: rig.running)
        rig.clock.advance(by: .seconds(6))
        await work(worker)
        #expect(receiver.deliveries.count == 1)
    }

    @Test func `a provider erases what it was given, under one key, and is asked again until it has`() async throws {
        let (erased, id) = (Counter(), VerifierID("certified"))
        let description = VerifierDescription(
            id: id, kind: "certified", isSimulated: false, certification: nil, documentTypes: [],
            steps: [.submit, .erase])
        let failing = ErasingScript(error: .providerUnavailable, erased: erased)
        let well = ErasingScript(error: nil, erased: erased)
        func opened(_ verifier: ErasingScript) -> OpenedVerifier {
            OpenedVerifier(description: description, verifier: verifier, health: nil)
        }
        let rig = try rig(more: [opened(failing)])
        let session = SessionID(try await rig.create().id)
        var generator = SystemRandomNumberGenerator()
        let record = try await rig.store.session(session)
        let request = VerificationRequest(
            session: session, purpose: try #require(rig.running.settings.purposes.values.first),
            documentType: record.documentType, nonce: record.nonce)
        let challenge = Challenge(
            request: request, nonce: record.nonce, walletIdentity: record.walletIdentity, state: Sensitive([5]))
        let ticket = try EraseTicket([
            EraseTicket.Target(verifier: id, attempt: AttemptID("att_1"), challenge: challenge)
        ]).sealed(of: session, keys: rig.keys, using: &generator)
        _ = try await rig.store.claim(
            session, at: rig.clock.now(), processingDeadline: rig.clock.now().advanced(by: .seconds(60)),
            idempotency: nil, ledger: [])
        var suspension = Suspension(wait: nil)
        suspension.eraseTicket = ticket
        _ = try await rig.store.suspend(session, suspension, ledger: [])
        let ending = SessionEnding(kind: .failed(.providerTimeout), at: rig.clock.now())
        _ = try await rig.store.conclude(session, with: ending, ledger: [])
        #expect(try await rig.call("DELETE", "/v1/sessions/\(session)").status == 204)

        let receiver = ScriptedReceiver(status: 200)
        let worker = worker(rig, receiver)
        await work(worker)
        #expect(erased.value == 0 && failing.keys.all == ["att_1-erase"])
        #expect(try await rig.store.outboxCounts().waiting == 1)
        // The verifier is taken out of the configuration by mistake, then it is back, and well.
        rig.gateway.sessions.swap(to: rig.next("test-2", verifiers: []))
        rig.clock.advance(by: .seconds(6))
        await work(worker)
        #expect(erased.value == 0)
        rig.gateway.sessions.swap(to: rig.next("test-3", verifiers: [opened(well)]))
        rig.clock.advance(by: .seconds(40))
        await work(worker)
        #expect(erased.value == 1 && well.keys.all == ["att_1-erase"])
        #expect(try await rig.store.outboxCounts() == OutboxCounts(waiting: 0, dead: 0))
        // The app was told of the end of its session, and of nothing else.
        #expect(receiver.deliveries.count == 1)
    }
}
