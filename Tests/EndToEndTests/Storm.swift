import Foundation
import Synchronization
import TestSupport
import Testing

/// A thousand people at a gateway whose providers misbehave by chance and which is killed under them.
///
/// Purposes say where a session goes: `at-alpha` and `at-gamma` may fall back to each other or to in-house and have
/// shadows, since one key opens the evidence for all three; beta has a key and a nonce of its own.
final class Storm: Sendable {
    static let purposes = ["at-alpha", "at-beta", "at-gamma", "at-home"]
    static let sessions = 1000
    /// How many are under way at once: enough that those who wait for a provider that is silent hold nobody up.
    static let callers = 24
    /// Begins the sandbox's sequence of chances.
    static let seed = 20_261_130
    /// The processing deadline in seconds: short, since whoever is never answered holds up the test so long.
    static let deadline = 12
    /// After so many answers the gateway goes down, by turns killed and told to stop, and comes back.
    static let stops = [120, 280, 440, 600, 760, 900]
    /// How long anybody goes on asking a gateway that is away or whose provider is out.
    private static let patience = 60

    /// Every seventh card is forged, each in a way that another check finds.
    private static let forgeries = [
        "value_changed", "device_signature_flipped", "root_unknown", "nonce_other", "issuer_signature_flipped",
    ]

    /// Each in a thousand calls of whatever step it can happen at; together about every fifth call is spoilt.
    private static let faults: [(words: String, perMille: Int)] = [
        (#""fault":"slow","milliseconds":300"#, 15), (#""fault":"timeout","charged":true"#, 4),
        (#""fault":"timeout","charged":false"#, 4), (#""fault":"reset_after_reading","charged":true"#, 15),
        (#""fault":"reset_after_reading","charged":false"#, 15), (#""fault":"reset_before_reading""#, 10),
        (#""fault":"too_many_requests","seconds":1"#, 10), (#""fault":"too_many_requests_date","seconds":1"#, 10),
        (#""fault":"unavailable""#, 10), (#""fault":"html_error","charged":true"#, 10),
        (#""fault":"html_error","charged":false"#, 10), (#""fault":"wrong_reference""#, 10),
        (#""fault":"unknown_status""#, 10), (#""fault":"gzip_bomb""#, 2), (#""fault":"bad_json""#, 10),
        (#""fault":"truncated_json""#, 10), (#""fault":"duplicate_keys""#, 10), (#""fault":"byte_order_mark""#, 10),
        (#""fault":"redirect","location":"https://localhost:1/""#, 10), (#""fault":"empty_answer""#, 10),
        (#""fault":"no_content""#, 10), (#""fault":"cut_body""#, 10), (#""fault":"individual_number""#, 20),
        (#""fault":"late_webhook","milliseconds":700"#, 60), (#""fault":"duplicate_webhook""#, 60),
        (#""fault":"lost_webhook""#, 60), (#""fault":"wrongly_signed_webhook""#, 30),
        (#""fault":"webhook_for_another""#, 30), (#""fault":"token_expires_at_once""#, 200),
        (#""fault":"token_lifetime","json":"\"soon\"""#, 30),
        // A result that is taken back: not beta's, which bills an approval that it then withdraws.
        (#""provider":"alpha","fault":"revised""#, 30), (#""provider":"gamma","fault":"revised""#, 30),
    ]

    /// A session as its app saw it.
    struct End: Sendable {
        var id: String
        var isForged: Bool
        var purpose: String
        /// What the submission was answered: a session's status, or a code.
        var answer: String
    }

    let scene: ProviderScene
    private let phone: Phone
    private let answered = Mutex(0)

    init() async throws {
        scene = try await ProviderScene("in-house") { gateway in try Self.configure(gateway) }
        phone = try Phone(beside: scene.gateway)
        for fault in Self.faults {
            try await scene.sandbox.control("POST", "faults", "{\(fault.words),\"per_mille\":\(fault.perMille)}")
        }
        try await scene.sandbox.control("POST", "seed", "{\"seed\":\(Self.seed)}")
    }

    private static func configure(_ gateway: RunningGateway) throws {
        let names = purposes.map { "\"\($0)\"" }.joined(separator: ", ")
        try gateway.edit(#"purposes: ["account-opening", "age-check"]"#, "purposes: [\(names)]")
        let texts = purposes.map { purpose in
            """
            "\(purpose)": { document_types: ["org.iso.23220.1.jp.mnc"],
              claims: ["name", "birthdate", "local_gov_code"], required_claims: ["name"], retention: "1h",
              relying_party_retention: "1d" },

            """
        }
        try gateway.edit("  purposes: {\n", "  purposes: {\n" + texts.joined())
        let hash = try Phone(beside: gateway).sharedKeyHash
        try gateway.edit(#"key_holder: "provider","#, #"key_holder: "relying_party", key_sha256: ["\#(hash)"],"#)
        // A circuit that opens is tried again soon, or the app's patience would be what is measured.
        try gateway.edit(#"kind: "certified","#, #"kind: "certified", circuit: { open_for: "1s" },"#)
        try gateway.edit(
            #"routes: [{ verifier: "in-house" }]"#,
            """
            sessions: { processing_deadline: "\(deadline)s" },
              routes: [
                { purpose: "at-alpha", verifier: "alpha", fallback: ["gamma", "in-house"],
                  shadow: { verifier: "gamma", percent: 10 } },
                { purpose: "at-beta", verifier: "beta" },
                { purpose: "at-gamma", verifier: "gamma", fallback: ["alpha"],
                  shadow: { verifier: "in-house", percent: 10 } },
                { verifier: "in-house", shadow: { verifier: "alpha", percent: 20 } },
              ]
            """)
        // A provider that is silent is given up sooner than in earnest.
        try gateway.editManifests(#"timeout: "5s""#, #"timeout: "3s""#)
    }

    /// Lets everybody through, and the gateway go down under them.
    func pass() async throws -> [End] {
        try await withThrowingTaskGroup(of: [End].self) { group in
            group.addTask {
                try await self.stopAndStart()
                return []
            }
            for caller in 0..<Self.callers {
                group.addTask {
                    var ends: [End] = []
                    for number in stride(from: caller, to: Self.sessions, by: Self.callers) {
                        ends.append(try await self.verify(number))
                        self.answered.withLock { $0 += 1 }
                    }
                    return ends
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func stopAndStart() async throws {
        for (turn, stop) in Self.stops.enumerated() {
            let isReached = try await eventually(within: Self.patience) { answered.withLock { $0 } >= stop }
            guard isReached else { throw RunningGateway.Failure(words: "nothing moves any more: " + scene.log) }
            let signal = turn % 3 == 2 ? SIGTERM : SIGKILL
            let status = try await scene.gateway.stop(signal)
            #expect(status == (signal == SIGKILL ? SIGKILL : 0))
            try await scene.gateway.start()
            try await scene.aimWebhooks()
        }
    }

    /// One session from its beginning to the answer to its submission.
    private func verify(_ number: Int) async throws -> End {
        let purpose = Self.purposes[number % Self.purposes.count]
        let session = try await answer("POST", "/v1/sessions", body: #"{"purpose":"\#(purpose)"}"#)
        guard session.status == 201 else { throw RunningGateway.Failure(words: session.text) }
        let forgery = number % 7 == 0 ? Self.forgeries[number / 7 % Self.forgeries.count] : nil
        let body = try phone.answer(session.json, fault: forgery)
        let taken = try await answer("POST", "/v1/sessions/\(session.id)/submission", body: body)
        return End(
            id: session.id, isForged: forgery != nil, purpose: purpose,
            answer: taken.sessionStatus ?? taken.code ?? taken.text)
    }

    /// An answer, however often the app has to come again: a `begin` that failed, an open circuit, a gateway that is away.
    private func answer(_ method: String, _ path: String, body: String) async throws -> RunningGateway.Answer {
        var last: RunningGateway.Answer?
        let isAnswered = try await eventually(within: Self.patience) {
            last = await scene.gateway.attempt(method, path, body: body)
            return last.map { $0.status != 503 } ?? false
        }
        guard isAnswered, let last else {
            throw RunningGateway.Failure(words: "never answered: \(last?.text ?? "nothing") \(scene.log)")
        }
        return last
    }
}
