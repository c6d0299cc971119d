import Cryptography
import JSONTree
import Synchronization
import VerificationCore

/// Beta: OAuth 2.0 client credentials, a nonce and a wallet identity of its own, forms, and a result that is polled for.
///
/// - `POST /beta/oauth2/token` gives a bearer token (RFC 6749 section 4.4; the client in `Authorization: Basic` or the form).
/// - `POST /beta/verifications` opens one: challenge in hexadecimal, merchant, team, and a secret that reads the result.
///   It bills `session`, each time.
/// - `POST /beta/verifications/{id}/credential` takes the blob (`encrypted_response`, base64url): 202. Only the first.
/// - `GET /beta/verifications/{id}` with `X-Access-Secret`: 202 until it is finished. An approval bills `approval`.
/// - `DELETE /beta/verifications/{id}` redacts it.
///
/// Errors are OAuth's at the token endpoint and problem details (RFC 9457) elsewhere. It knows no idempotency.
final class BetaProvider: Provider {
    /// What the API needs to know.
    struct Settings: Sendable {
        var clientIdentifier: String
        var clientSecret: Sensitive<String>
        var tokenLifetime: Duration
        var processing: @Sendable () -> Duration
        var sessionPrice = "20"
        var approvalPrice = "180"
    }

    private struct Opened {
        let nonce: Nonce
        let accessSecret: String
        let clientReference: String
        var verification: Verification?
        /// How often a finished result was told.
        var told = 0
    }

    private struct State {
        var tokens: [String: Timestamp] = [:]
        var opened: [String: Opened] = [:]
    }

    let name = ProviderName.beta
    private let settings: Settings
    private let examiner: Examiner
    private let surroundings: Surroundings
    private let state = Mutex(State())

    init(_ settings: Settings, _ examiner: Examiner, _ surroundings: Surroundings) {
        self.settings = settings
        self.examiner = examiner
        self.surroundings = surroundings
    }

    func step(of request: Request) -> ProviderStep? {
        let segments = request.segments.dropFirst()
        switch (request.method, segments.first, segments.count) {
        case ("POST", "oauth2", 2) where segments.last == "token": return .token
        case ("POST", "verifications", 1): return .begin
        case ("POST", "verifications", 3) where segments.last == "credential": return .submit
        case ("GET", "verifications", 2): return .poll
        case ("DELETE", "verifications", 2): return .erase
        default: return nil
        }
    }

    func idempotencyKey(of request: Request) -> String? { nil }

    func answer(_ request: Request, step: ProviderStep, fault: Fault?) -> Answer {
        if step == .token { return token(request, fault) }
        guard isAuthorised(request) else {
            return problem(401, "invalid-token", headers: [("WWW-Authenticate", #"Bearer error="invalid_token""#)])
        }
        switch step {
        case .begin: return begin(request, fault)
        case .submit: return submit(request.segments[2], request, fault)
        case .poll: return poll(request.segments[2], request, fault)
        case .erase: return redact(request.segments[2], request)
        case .token, .fetch, .webhook: return problem(404, "not-found")
        }
    }

    private func token(_ request: Request, _ fault: Fault?) -> Answer {
        guard let form = request.form, form.values["grant_type"] == "client_credentials" else {
            return .json(400, .object([("error", .string("unsupported_grant_type"))]))
        }
        let client = request["authorization"].flatMap(Self.basic) ?? Self.inForm(form)
        let isKnown = settings.clientSecret.withValue { secret in
            client?.identifier == settings.clientIdentifier
                && constantTimeEquals(Array((client?.secret ?? "").utf8), Array(secret.utf8))
        }
        guard isKnown else { return .json(401, .object([("error", .string("invalid_client"))])) }
        let token = Surroundings.identifier("bt_")
        let lifetime = fault == .tokenExpiresAtOnce ? Duration.zero : settings.tokenLifetime
        state.withLock { $0.tokens[token] = surroundings.now.advanced(by: lifetime) }
        let head = #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":"#
        var stated = String(settings.tokenLifetime.components.seconds)
        if case .tokenLifetime(let json) = fault { stated = json }
        return Answer(
            200, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: Array("\(head)\(stated)}".utf8))
    }

    private static func inForm(_ form: Form) -> (identifier: String, secret: String)? {
        guard let identifier = form.values["client_id"], let secret = form.values["client_secret"] else { return nil }
        return (identifier, secret)
    }

    /// Identifier and secret, each form-encoded (RFC 6749 section 2.3.1).
    private static func basic(_ value: String) -> (identifier: String, secret: String)? {
        guard value.hasPrefix("Basic "), let bytes = ByteText.bytes(base64: value.dropFirst(6)) else { return nil }
        let halves = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        return (Form.decode(halves[0]), Form.decode(halves[1]))
    }

    private func isAuthorised(_ request: Request) -> Bool {
        guard let value = request["authorization"], value.hasPrefix("Bearer ") else { return false }
        let now = surroundings.now
        return state.withLock { ($0.tokens[String(value.dropFirst(7))] ?? now) > now }
    }

    private func begin(_ request: Request, _ fault: Fault?) -> Answer {
        guard let form = request.form, form.values["document"] == "jp.my-number-card",
            let clientReference = form.values["client_reference"], !clientReference.isEmpty
        else { return problem(422, "invalid-parameters") }
        var generator = SystemRandomNumberGenerator()
        let opened = Opened(
            nonce: Nonce.random(using: &generator), accessSecret: Surroundings.identifier("bas_"),
            clientReference: clientReference)
        let id = Surroundings.identifier("bv_")
        state.withLock { $0.opened[id] = opened }
        charge("session", settings.sessionPrice, id, clientReference)
        return .json(
            201,
            .object([
                ("id", .string(id)),
                ("state", .string(fault == .unknownStatus ? "dreaming" : "awaiting_credential")),
                ("client_reference", .string(fault == .wrongReference ? "somebody-else" : clientReference)),
                (
                    "wallet",
                    .object([
                        ("challenge", .string(ByteText.hex(opened.nonce.bytes))),
                        ("merchant", .string(examiner.identity.merchantIdentifier)),
                        ("team", .string(examiner.identity.teamIdentifier)),
                    ])
                ),
                ("access_secret", .string(opened.accessSecret)),
            ]))
    }

    private func submit(_ id: String, _ request: Request, _ fault: Fault?) -> Answer {
        guard let opened = opened(id, request) else { return problem(404, "not-found") }
        guard let form = request.form,
            let envelope = form.values["encrypted_response"].flatMap({ ByteText.bytes(base64: $0) })
        else { return problem(422, "invalid-parameters") }
        let now = surroundings.now
        let verification = Verification(
            reference: id, clientReference: opened.clientReference,
            findings: examiner.examine(envelope, nonce: opened.nonce, at: now), at: now,
            readyAt: now.advanced(by: settings.processing()), twist: fault)
        let isFirst = state.withLock { state in
            guard state.opened[id]?.verification == nil else { return false }
            state.opened[id]?.verification = verification
            return true
        }
        guard isFirst else { return problem(409, "already-submitted") }
        if verification.person != nil { charge("approval", settings.approvalPrice, id, opened.clientReference) }
        return .json(202, BetaText.pending(id, fault), headers: [("Retry-After", "1")])
    }

    private func poll(_ id: String, _ request: Request, _ fault: Fault?) -> Answer {
        guard let opened = opened(id, request) else { return problem(404, "not-found") }
        guard let verification = opened.verification else {
            return .json(
                200, .object([("id", .string(id)), ("state", .string("awaiting_credential"))]))
        }
        guard verification.readyAt <= surroundings.now else {
            return .json(202, BetaText.pending(id, fault), headers: [("Retry-After", "1")])
        }
        let told = state.withLock { state in
            let told = state.opened[id]?.told ?? 0
            state.opened[id]?.told = told + 1
            return told
        }
        return .json(200, BetaText.result(verification, told: told, fault))
    }

    private func redact(_ id: String, _ request: Request) -> Answer {
        guard opened(id, request) != nil else { return problem(404, "not-found") }
        state.withLock { $0.opened[id] = nil }
        return Answer(204)
    }

    /// An open verification, for whoever has its secret.
    private func opened(_ id: String, _ request: Request) -> Opened? {
        guard let opened = state.withLock({ $0.opened[id] }), opened.accessSecret == request["x-access-secret"] else {
            return nil
        }
        return opened
    }

    private func charge(_ billableClass: String, _ price: String, _ id: String, _ clientReference: String) {
        surroundings.books.charge(
            Charge(
                provider: .beta, reference: id, clientReference: clientReference, billableClass: billableClass,
                amount: price, at: surroundings.now, idempotencyKey: nil))
    }

    private func problem(_ status: Int, _ type: String, headers: [(name: String, value: String)] = []) -> Answer {
        .json(
            status,
            .object([("type", .string("https://beta.example/problems/\(type)")), ("status", .integer(status))]),
            headers: headers, type: "application/problem+json")
    }
}
