import HTTPClient
import JSONTree
import SandboxKit
import VerificationCore
import WalletKit

/// The load tool: one request after another, each timed from before it is handed over until its whole answer is there.
struct Load {
    let client: HTTPClient
    let bed: Bed

    /// Answers that were asked for, with how long each took, in microseconds.
    struct Measured {
        var times: [Double] = []
        /// What the gateway took of the processor for each of them, in microseconds.
        var processor = 0.0
    }

    private func request(
        _ method: String, _ url: String, _ headers: [OutboundField], _ body: JSONValue?, _ policy: ConnectionPolicy
    ) -> OutboundRequest {
        let isPlain = url.hasPrefix("http:")
        return OutboundRequest(
            method: method, url: url,
            headers: headers + (body == nil ? [] : [OutboundField("Content-Type", "application/json")]),
            body: body.map { Sensitive($0.encoded()) }, connection: policy,
            tls: isPlain ? TLSSettings() : TLSSettings(certificateAuthorityFile: bed.authority),
            pool: isPlain ? "gateway" : "provider", plaintext: isPlain ? .loopback : .refused)
    }

    private func timed(
        _ requests: [OutboundRequest], proves answer: (OutboundAnswer) -> Bool
    ) async throws -> [Double] {
        var times: [Double] = []
        for request in requests {
            let start = ContinuousClock.now
            let received = try await client.send(request)
            let passed = (ContinuousClock.now - start).components
            times.append(Double(passed.seconds) * 1e6 + Double(passed.attoseconds) / 1e12)
            guard answer(received) else { throw Failure(words: "an answer was another than expected: \(received)") }
        }
        return times
    }

    private static func holds(_ text: String) -> (OutboundAnswer) -> Bool {
        { answer in
            answer.status == 200 && answer.body.withValue { String(decoding: $0, as: UTF8.self).contains(text) }
        }
    }

    /// Submissions to the provider itself, as its manifest makes them.
    func direct(_ count: Int, fresh: Bool) async throws -> Measured {
        let requests = try (0..<count).map { _ in
            let nonce = Randomness.system.bytes(32)
            let name = "att_" + ByteText.hex(Randomness.system.bytes(16))
            let body: JSONValue = .object([
                ("uketsukeBango", .string(name)), ("shoruiShubetsu", .string("JPMNC")),
                ("nonce", .string(ByteText.hex(nonce))), ("angoData", .string(ByteText.base64(try bed.blob(nonce)))),
                (
                    "komoku",
                    .array(["shimei", "jusho", "jichitaiCode", "seinengappi", "kaoShashin"].map { .string($0) })
                ),
            ])
            var headers = [OutboundField("X-Alpha-Key", bed.alphaKey)]
            if !fresh { headers.append(OutboundField("X-Irai-Id", name + "-submit")) }
            return request(
                "POST", "https://localhost:\(bed.sandbox.port)/alpha/v1/kakunin", headers, body,
                fresh ? .fresh : .reuse)
        }
        return Measured(times: try await timed(requests, proves: Self.holds(#""kekka":"OK""#)))
    }

    /// Submissions through a gateway; only they are timed, not the sessions that they are made to.
    func through(_ gateway: GatewayProcess, purpose: String, _ count: Int) async throws -> Measured {
        var requests: [OutboundRequest] = []
        for _ in 0..<count {
            let (id, nonce) = try await session(gateway, purpose)
            requests.append(
                request(
                    "POST", "\(gateway.base)/v1/sessions/\(id)/submission", application(key: id),
                    .object([("encrypted_data", .string(ByteText.base64URL(try bed.blob(nonce))))]), .reuse))
        }
        return try await measured(gateway, requests, proves: Self.holds(#""status":"verified""#))
    }

    /// Submissions that are refused before anything is spent, because they are for another session: what it costs to take
    /// a request, to read it, and to look its session up.
    func refused(_ gateway: GatewayProcess, _ count: Int) async throws -> Measured {
        let (id, nonce) = try await session(gateway, "alpha")
        let body: JSONValue = .object([
            ("encrypted_data", .string(ByteText.base64URL(try bed.blob(nonce)))),
            ("nonce", .string(ByteText.base64URL(Randomness.system.bytes(32)))),
        ])
        let requests = (0..<count).map { number in
            request(
                "POST", "\(gateway.base)/v1/sessions/\(id)/submission", application(key: "\(id)-\(number)"), body,
                .reuse)
        }
        return try await measured(gateway, requests) { $0.status == 422 }
    }

    private func measured(
        _ gateway: GatewayProcess, _ requests: [OutboundRequest], proves answer: (OutboundAnswer) -> Bool
    ) async throws -> Measured {
        let before = try gateway.processorTime()
        let times = try await timed(requests, proves: answer)
        let after = try gateway.processorTime()
        return Measured(times: times, processor: (after - before) / Double(requests.count))
    }

    private func session(_ gateway: GatewayProcess, _ purpose: String) async throws -> (id: String, nonce: [UInt8]) {
        let answer = try await client.send(
            request(
                "POST", gateway.base + "/v1/sessions", application(key: nil),
                .object([("purpose", .string(purpose))]), .reuse))
        let node = answer.body.withValue { try? JSONNode.parse($0, syntax: .json) }
        guard answer.status == 201, let id = node?["id"]?.string,
            let nonce = node?["nonce"]?.string.flatMap({ ByteText.bytes(base64: $0) })
        else { throw Failure(words: "no session: \(answer)") }
        return (id, nonce)
    }

    private func application(key: String?) -> [OutboundField] {
        let authorization = OutboundField("Authorization", "Bearer " + Bed.clientKey)
        return key.map { [authorization, OutboundField("Idempotency-Key", $0)] } ?? [authorization]
    }
}
