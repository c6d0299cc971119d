import Cryptography
import JSONTree
import Synchronization
import VerificationCore

/// Gamma: every request signed, nested JSON, the result by a signed webhook.
///
/// A signature is `X-Gamma-Signature`: hexadecimal HMAC-SHA-256 over `X-Gamma-Timestamp` (seconds), method, target and
/// body, one behind the other; `X-Gamma-Key` says whose.
///
/// - `POST /gamma/api/checks` takes the blob: 202. It bills `submission`, each time: it knows no idempotency.
/// - `GET /gamma/api/checks/{id}`, or `?externalRef=`, tells what became of it.
/// - `DELETE /gamma/api/checks/{id}` erases it.
/// - The webhook follows Standard Webhooks and carries the result.
final class GammaProvider: Provider {
    /// What the API needs to know.
    struct Settings: Sendable {
        var keyIdentifier: String
        var signingSecret: Sensitive<String>
        var processing: @Sendable () -> Duration
        var price = "98.5"
    }

    /// How far a signed time may lie from ours.
    static let tolerance = Duration.seconds(300)
    /// How long after the first result a revision follows.
    static let revisionDelay = Duration.milliseconds(300)

    private struct State {
        var checks: [String: Verification] = [:]
        var byClientReference: [String: String] = [:]
    }

    let name = ProviderName.gamma
    private let settings: Settings
    private let examiner: Examiner
    private let surroundings: Surroundings
    private let courier: Courier
    private let state = Mutex(State())

    init(_ settings: Settings, _ examiner: Examiner, _ surroundings: Surroundings, _ courier: Courier) {
        self.settings = settings
        self.examiner = examiner
        self.surroundings = surroundings
        self.courier = courier
    }

    func step(of request: Request) -> ProviderStep? {
        let segments = request.segments
        guard segments.count >= 3, segments[1] == "api", segments[2] == "checks" else { return nil }
        switch (request.method, segments.count) {
        case ("POST", 3): return .submit
        case ("GET", 3), ("GET", 4): return .fetch
        case ("DELETE", 4): return .erase
        default: return nil
        }
    }

    func idempotencyKey(of request: Request) -> String? { nil }

    func answer(_ request: Request, step: ProviderStep, fault: Fault?) -> Answer {
        guard isSigned(request) else { return refusal(401, "SIGNATURE_MISMATCH") }
        switch step {
        case .submit: return submit(request, fault)
        case .fetch: return fetch(request, fault)
        case .erase:
            let id = request.segments[3]
            let known = state.withLock { $0.checks.removeValue(forKey: id) != nil }
            return known ? Answer(204) : refusal(404, "NO_SUCH_CHECK")
        case .token, .begin, .poll, .webhook: return refusal(404, "NO_SUCH_CHECK")
        }
    }

    private func isSigned(_ request: Request) -> Bool {
        guard request["x-gamma-key"] == settings.keyIdentifier, let time = request["x-gamma-timestamp"],
            let seconds = Int64(time), let code = request["x-gamma-signature"].flatMap({ ByteText.bytes(hex: $0) })
        else { return false }
        let age = surroundings.now.duration(since: Timestamp(seconds: seconds))
        guard age <= Self.tolerance, age >= .zero - Self.tolerance else { return false }
        let message = Array((time + request.method + request.target).utf8) + request.body
        return settings.signingSecret.withValue { HMACSHA256.isValid(code, for: message, key: Array($0.utf8)) }
    }

    private func submit(_ request: Request, _ fault: Fault?) -> Answer {
        guard let json = request.json, let clientReference = json["check"]?["externalRef"]?.string,
            !clientReference.isEmpty, json["check"]?["kind"]?.string == "wallet/jp-mnc",
            json["evidence"]?["format"]?.string == "apple-hpke-v1",
            let nonce = json["evidence"]?["nonce"]?.string.flatMap({ ByteText.bytes(base64: $0) }).flatMap(Nonce.init),
            let envelope = json["evidence"]?["blob"]?.string.flatMap({ ByteText.bytes(base64: $0) })
        else { return refusal(400, "BAD_REQUEST") }
        let now = surroundings.now
        let processing = settings.processing()
        let check = Verification(
            reference: Surroundings.identifier("gchk_"), clientReference: clientReference,
            findings: examiner.examine(envelope, nonce: nonce, at: now), at: now,
            readyAt: now.advanced(by: processing), twist: fault)
        state.withLock { state in
            state.checks[check.reference] = check
            state.byClientReference[clientReference] = check.reference
        }
        surroundings.books.charge(
            Charge(
                provider: .gamma, reference: check.reference, clientReference: clientReference,
                billableClass: "submission", amount: settings.price, at: now, idempotencyKey: nil))
        notify(check, after: processing)
        return .json(202, .object([("check", GammaText.received(check, fault))]))
    }

    private func notify(_ check: Verification, after delay: Duration) {
        send(check, revision: 1, after: delay)
        if check.isRevised { send(check, revision: 2, after: delay + Self.revisionDelay) }
    }

    private func send(_ check: Verification, revision: Int, after delay: Duration) {
        let fault = surroundings.desk.take(.gamma, .webhook)
        courier.send(GammaText.notification(check, revision: revision, fault), after: delay, fault: fault)
    }

    private func fetch(_ request: Request, _ fault: Fault?) -> Answer {
        let check: Verification? = state.withLock { state in
            let id =
                request.segments.count == 4
                ? request.segments[3] : request.query("externalRef").flatMap { state.byClientReference[$0] }
            return id.flatMap { state.checks[$0] }
        }
        guard let check else { return refusal(404, "NO_SUCH_CHECK") }
        guard check.readyAt <= surroundings.now else {
            return .json(200, .object([("check", GammaText.received(check, fault))]))
        }
        let revision = check.isRevised && check.readyAt.advanced(by: Self.revisionDelay) <= surroundings.now ? 2 : 1
        return .json(200, GammaText.result(check, revision: revision, fault))
    }

    private func refusal(_ status: Int, _ code: String) -> Answer {
        .json(status, .object([("error", .object([("code", .string(code))]))]))
    }
}
