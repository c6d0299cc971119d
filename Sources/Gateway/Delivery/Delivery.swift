import VerificationCore
import WebhookSignatures

/// What came of one try to deliver a message.
enum DeliveryResult: Sendable, Hashable {
    /// It was taken, or there is nothing left to tell.
    case delivered
    /// It was not; it is tried again, not before `asked` where the other side said when.
    case failed(String, asked: Duration? = nil)
    /// It never will be.
    case refused(String)
    /// Nothing is known of it: it is left as it is and due again when its lease is over.
    case interrupted
}

/// Delivers one message, once.
struct Delivery: Sendable {
    /// How long a client may take to say that it has it: it should keep the message and think later.
    static let webhookTimeout = Duration.seconds(10)
    /// How long a provider may take to erase.
    static let erasureTimeout = Duration.seconds(30)

    let sessions: SessionService
    let sender: any WebhookSending

    func deliver(_ message: OutboxMessage) async -> DeliveryResult {
        switch message.kind {
        case .sessionEnded: await tell(message)
        case .providerErasure: await erase(message)
        case .budgetReached: await tellOperators(message)
        }
    }

    private func tell(_ message: OutboxMessage) async -> DeliveryResult {
        let record: SessionRecord
        do throws(StoreError) {
            record = try await sessions.store.session(message.session)
        } catch {
            // What was purged meanwhile is nobody's business any more.
            return error == .notFound ? .delivered : .interrupted
        }
        guard let webhook = sessions.current.settings.clients.first(where: { $0.id == message.client })?.webhook else {
            return .failed("webhook_not_configured")
        }
        return await send(message, SessionEndedMessage.body(record), to: .client(message.client), at: webhook)
    }

    /// What the operators are told was written when it happened, and is sent as it stands.
    private func tellOperators(_ message: OutboxMessage) async -> DeliveryResult {
        guard let webhook = sessions.current.settings.operatorWebhook else { return .failed("webhook_not_configured") }
        guard let body = message.body else { return .refused("message_not_signable") }
        return await send(message, body, to: .operators, at: webhook)
    }

    private func send(
        _ message: OutboxMessage, _ body: [UInt8], to recipient: WebhookRecipient, at webhook: Webhook
    ) async -> DeliveryResult {
        let now = sessions.clock.now()
        guard
            let signed = StandardWebhooks().headers(id: message.id, at: now, body: body, secrets: webhook.secrets)
        else { return .refused("message_not_signable") }
        let delivery = WebhookDelivery(
            recipient: recipient, webhook: webhook, headers: [("Content-Type", "application/json")] + signed,
            body: body, timeout: Self.webhookTimeout)
        do throws(WebhookFailure) {
            return Self.result(of: try await sender.send(delivery))
        } catch {
            return error.isCancelled ? .interrupted : .failed(error.code)
        }
    }

    /// As Standard Webhooks reads a status: 2xx is taken, 410 says that nobody wants it any more, and anything else,
    /// redirects included, is a failure.
    static func result(of receipt: WebhookReceipt) -> DeliveryResult {
        switch receipt.status {
        case 200...299: .delivered
        case 410: .refused("http_410")
        default: .failed("http_\(receipt.status)", asked: receipt.retryAfter)
        }
    }

    /// Asks every provider that was given the evidence, whatever the others say: erasing twice does no harm.
    private func erase(_ message: OutboxMessage) async -> DeliveryResult {
        guard let sealed = message.ticket else { return .refused("ticket_missing") }
        // A provider that erased could not tell the verdict any more: the session ends first, and its deadline is near.
        if let record = try? await sessions.store.session(message.session), record.status == .processing {
            return .interrupted
        }
        let ticket: EraseTicket
        do throws(SessionSeal.Problem) {
            ticket = try EraseTicket(opening: sealed, of: message.session, keys: sessions.keys)
        } catch {
            switch error {
            case .keyMissing: return .failed("sealing_key_missing")
            case .damaged: return .refused("ticket_damaged")
            }
        }
        var result = DeliveryResult.delivered
        for target in ticket.targets {
            switch await erase(target) {
            case .delivered: break
            case let other: result = other
            }
        }
        return result
    }

    private func erase(_ target: EraseTicket.Target) async -> DeliveryResult {
        guard let opened = sessions.current.verifiers[target.verifier] else { return .failed("verifier_gone") }
        guard let verifier = opened.verifier as? any ErasingVerifier else { return .failed("erasure_not_configured") }
        let now = sessions.clock.now()
        let context = AttemptContext(
            attempt: target.attempt, idempotencyKey: "\(target.attempt)-\(CallName(.erase).rawValue)", now: now,
            deadline: now.advanced(by: Self.erasureTimeout))
        do throws(VerificationError) {
            try await verifier.erase(target.challenge, in: context)
            return .delivered
        } catch {
            return error.code == .cancelled ? .interrupted : .failed(error.code.rawValue, asked: error.retryAfter)
        }
    }
}
