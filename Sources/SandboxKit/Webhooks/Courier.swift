import Cryptography
import Dispatch
import JSONTree
import Synchronization
import VerificationCore

/// Carries gamma's webhooks (Standard Webhooks 1.0), and loses or spoils them on request.
final class Courier: Sendable {
    /// The pauses before the second and the third try of a webhook that nobody took.
    private static let pauses: [Duration] = [.milliseconds(500), .seconds(2)]
    /// How long after the first one the second of a pair comes.
    private static let duplicateDelay = Duration.milliseconds(100)

    private struct State {
        var target: PlainURL?
        var isStopped = false
    }

    private let secret: Sensitive<[UInt8]>
    private let surroundings: Surroundings
    private let queue = DispatchQueue(label: "sandbox.webhooks", attributes: .concurrent)
    private let state: Mutex<State>

    /// A courier with the secret that both sides know.
    init(secret: Sensitive<[UInt8]>, target: PlainURL?, _ surroundings: Surroundings) {
        self.secret = secret
        self.surroundings = surroundings
        state = Mutex(State(target: target))
    }

    /// Sends to another place from now on.
    func aim(at target: PlainURL) {
        state.withLock { $0.target = target }
    }

    /// Sends nothing any more.
    func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Sends a notification after a time, in the way that the fault wants it.
    func send(_ body: JSONValue, after delay: Duration, fault: Fault?) {
        let parcel = Parcel(
            id: Surroundings.identifier("msg_"), body: body.encoded(), fault: fault?.name,
            isWronglySigned: fault == .wronglySignedWebhook)
        switch fault {
        case .lostWebhook: return
        case .lateWebhook(let milliseconds): later(delay + .milliseconds(milliseconds), parcel)
        case .duplicateWebhook:
            later(delay, parcel)
            later(delay + Self.duplicateDelay, parcel)
        default: later(delay, parcel)
        }
    }

    private struct Parcel: Sendable {
        let id: String
        let body: [UInt8]
        let fault: String?
        let isWronglySigned: Bool
        var tries = 0
    }

    private func later(_ delay: Duration, _ parcel: Parcel) {
        let (seconds, attoseconds) = delay.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in deliver(parcel) }
    }

    private func deliver(_ parcel: Parcel) {
        guard let target = state.withLock({ $0.isStopped ? nil : $0.target }) else { return }
        let now = surroundings.now
        let place = surroundings.books.received(
            CallRecord(
                provider: .gamma, step: .webhook, idempotencyKey: parcel.id, fault: parcel.fault, status: nil, at: now))
        let seconds = String(now.milliseconds / 1000)
        let status = target.post(
            parcel.body,
            headers: [
                ("Content-Type", "application/json"), ("webhook-id", parcel.id), ("webhook-timestamp", seconds),
                ("webhook-signature", "v1," + signature(parcel, seconds)),
            ])
        if let status { surroundings.books.answered(place, status: status) }
        // A refusal is final; silence and trouble are not.
        let isRefused = status.map { (200..<500).contains($0) && $0 != 429 } ?? false
        guard !isRefused, parcel.tries < Self.pauses.count else { return }
        var again = parcel
        again.tries += 1
        later(Self.pauses[parcel.tries], again)
    }

    private func signature(_ parcel: Parcel, _ seconds: String) -> String {
        let message = Array("\(parcel.id).\(seconds).".utf8) + parcel.body
        return secret.withValue { secret in
            let key = parcel.isWronglySigned ? secret.map { ~$0 } : secret
            return ByteText.base64(HMACSHA256.authenticationCode(for: message, key: key))
        }
    }
}
