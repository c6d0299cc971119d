import Cryptography
import JSONTree
import Synchronization
import VerificationCore

/// Alpha (アルファ確認サービス): synchronous, a key in a header, flat JSON with Japanese field names, dates as `YYYYMMDD`.
///
/// - `POST /alpha/v1/kakunin` judges a blob and bills `kakunin` for either verdict.
/// - `GET /alpha/v1/kakunin/{uketsukeBango}` tells what became of it, by the caller's own number.
/// - `DELETE /alpha/v1/kakunin/{uketsukeBango}` forgets it.
///
/// It honours `X-Irai-Id`: the same key with the same body gets the first answer again, with another body `N409`.
final class AlphaProvider: Provider {
    /// What the API needs to know.
    struct Settings: Sendable {
        var key: Sensitive<String>
        var price = "150"
    }

    private struct State {
        var byClientReference: [String: Verification] = [:]
        var repeats: [String: Repeat] = [:]
    }

    private struct Repeat {
        let bodyDigest: [UInt8]
        /// `nil` while the first call is still at work.
        var answer: Answer?
    }

    let name = ProviderName.alpha
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
        let segments = request.segments
        guard segments.count >= 3, segments[1] == "v1", segments[2] == "kakunin" else { return nil }
        switch (request.method, segments.count) {
        case ("POST", 3): return .submit
        case ("GET", 4): return .fetch
        case ("DELETE", 4): return .erase
        default: return nil
        }
    }

    func idempotencyKey(of request: Request) -> String? { request["x-irai-id"] }

    func answer(_ request: Request, step: ProviderStep, fault: Fault?) -> Answer {
        let isKnown = settings.key.withValue { key in
            constantTimeEquals(Array((request["x-alpha-key"] ?? "").utf8), Array(key.utf8))
        }
        guard isKnown else { return refusal(401, "N401", "APIキーが違います") }
        switch step {
        case .submit: return submit(request, fault)
        case .fetch: return fetch(request.segments[3], fault)
        case .erase:
            let known = state.withLock { $0.byClientReference.removeValue(forKey: request.segments[3]) != nil }
            return known ? .json(200, .object([("kekka", .string("SAKUJO"))])) : refusal(404, "N404", "該当なし")
        case .token, .begin, .poll, .webhook: return refusal(404, "N404", "該当なし")
        }
    }

    private func submit(_ request: Request, _ fault: Fault?) -> Answer {
        guard let json = request.json, let clientReference = json["uketsukeBango"]?.string, !clientReference.isEmpty,
            json["shoruiShubetsu"]?.string == "JPMNC",
            let nonce = json["nonce"]?.string.flatMap({ ByteText.bytes(hex: $0) }).flatMap(Nonce.init),
            let envelope = json["angoData"]?.string.flatMap({ ByteText.bytes(base64: $0) })
        else { return refusal(400, "N400", "項目が不正です") }
        guard let key = idempotencyKey(of: request) else {
            return work(json, clientReference, nonce, envelope, key: nil, fault)
        }
        let digest = Hash.sha256(request.body)
        let first: Repeat? = state.withLock { state in
            if let first = state.repeats[key] { return first }
            state.repeats[key] = Repeat(bodyDigest: digest)
            return nil
        }
        if let first {
            guard first.bodyDigest == digest else { return refusal(409, "N409", "同じ依頼IDで内容が違います") }
            return first.answer ?? refusal(409, "N425", "処理中です")
        }
        let answer = work(json, clientReference, nonce, envelope, key: key, fault)
        state.withLock { $0.repeats[key]?.answer = answer }
        return answer
    }

    private func work(
        _ json: JSONNode, _ clientReference: String, _ nonce: Nonce, _ envelope: [UInt8], key: String?,
        _ fault: Fault?
    ) -> Answer {
        let now = surroundings.now
        var verification = Verification(
            reference: Surroundings.identifier("A-"), clientReference: clientReference,
            findings: examiner.examine(envelope, nonce: nonce, at: now), at: now, readyAt: now, twist: fault)
        verification.asked = json["komoku"]?.elements.map { Set($0.compactMap(\.string)) }
        state.withLock { $0.byClientReference[clientReference] = verification }
        surroundings.books.charge(
            Charge(
                provider: .alpha, reference: verification.reference, clientReference: clientReference,
                billableClass: "kakunin", amount: settings.price, at: now, idempotencyKey: key))
        return .json(200, AlphaText.result(verification, isFinal: !verification.isRevised, fault: fault))
    }

    private func fetch(_ clientReference: String, _ fault: Fault?) -> Answer {
        guard let verification = state.withLock({ $0.byClientReference[clientReference] }) else {
            return refusal(404, "N404", "該当なし")
        }
        return .json(200, AlphaText.result(verification, isFinal: true, fault: fault))
    }

    private func refusal(_ status: Int, _ code: String, _ words: String) -> Answer {
        .json(status, .object([("kekka", .string("ERR")), ("kekkaCode", .string(code)), ("setsumei", .string(words))]))
    }
}
