import Foundation
import Synchronization
import TestSupport

/// A gateway whose every session goes to one verifier, and a sandbox beside it.
final class ProviderScene: Sendable {
    let gateway: RunningGateway
    let sandbox: RunningSandbox
    let provider: String
    private let last = Mutex<RunningGateway.Answer?>(nil)
    /// The session that was opened last, as the gateway told it.
    var opened: [String: Any]? { last.withLock { $0 }?.json }

    /// `edit` may change the configuration before the gateway reads it.
    init(
        _ provider: String, processing: Int = 100, settings: [(String, String)] = [],
        edit: (RunningGateway) throws -> Void = { _ in }
    ) async throws {
        self.provider = provider
        gateway = try RunningGateway(settings: settings)
        sandbox = try await RunningSandbox(beside: gateway, processing: processing)
        try gateway.edit("localhost:8490", "localhost:\(sandbox.port)")
        try gateway.edit(#"routes: [{ verifier: "in-house" }]"#, #"routes: [{ verifier: "\#(provider)" }]"#)
        try edit(gateway)
        try await gateway.start()
        try await aimWebhooks()
    }

    /// Has gamma call back to where the gateway listens now.
    func aimWebhooks() async throws {
        let url = "http://127.0.0.1:\(gateway.port)/v1/verifiers/gamma/webhooks"
        try await sandbox.control("POST", "webhook", "{\"url\":\"\(url)\"}")
    }

    /// Waits until no call that the ledger tells of is out any more: a shadow's may be when every session is over.
    func quiet() async throws {
        let open = """
            SELECT count(*) FROM ledger AS started WHERE kind = 'started' AND NOT EXISTS (SELECT 1 FROM ledger AS later
            WHERE later.attempt = started.attempt AND later.call = started.call AND later.kind <> 'started')
            """
        var left = ""
        let isQuiet = try await eventually(within: 60) {
            left = try gateway.sql(open)
            return left == "0"
        }
        guard isQuiet else { throw RunningGateway.Failure(words: "\(left) calls are out: " + log) }
    }

    /// Opens a session and lets the wallet answer with the key of whichever merchant it is asked for.
    func present(_ options: [String] = []) async throws -> (id: String, submission: String) {
        let key = provider == "beta" ? ["--merchant-key", "var/demo/sandbox/beta-merchant.key"] : []
        let session = try await gateway.call("POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
        guard session.status == 201 else { throw RunningGateway.Failure(words: session.text + log) }
        last.withLock { $0 = session }
        let (status, output) = try gateway.run(
            "sekisho-wallet", ["present", "--directory", "var/demo", "--request", "-"] + key + options,
            input: session.text)
        guard status == 0 else { throw RunningGateway.Failure(words: "the wallet ended with \(status)") }
        return (session.id, output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// A session from its beginning to the answer to its submission.
    func submit(_ options: [String] = []) async throws -> RunningGateway.Answer {
        let (id, submission) = try await present(options)
        return try await gateway.call("POST", "/v1/sessions/\(id)/submission", body: submission)
    }

    /// A session to its end.
    func submitAndWait(_ options: [String] = []) async throws -> RunningGateway.Answer {
        let answer = try await submit(options)
        return answer.sessionStatus == "processing" ? try await wait(answer.id) : answer
    }

    /// The session once it has ended, or after half a minute.
    func wait(_ id: String) async throws -> RunningGateway.Answer {
        try await gateway.call("GET", "/v1/sessions/\(id)?wait=25")
    }

    /// Ends both, in order.
    func end() async throws {
        _ = try await gateway.stop()
        _ = try await sandbox.stop()
    }

    func claims(_ answer: RunningGateway.Answer) throws -> NSDictionary {
        let result = answer.json["result"] as? [String: Any]
        guard let claims = result?["claims"] as? NSDictionary else {
            throw RunningGateway.Failure(words: "no claims: " + answer.text)
        }
        return claims
    }

    /// The last words of the gateway, for a test that fails.
    var log: String {
        let text = gateway.logs.last.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
        return String(text.suffix(1500))
    }

    /// The outcome of each check.
    static func checks(_ answer: RunningGateway.Answer) -> [String: String] {
        let checks = (answer.json["result"] as? [String: Any])?["checks"] as? [[String: Any]] ?? []
        let pairs = checks.compactMap { check in
            (check["name"] as? String).flatMap { name in (check["status"] as? String).map { (name, $0) } }
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The paths of all members, however often a list repeats them.
    static func shape(_ value: Any, under path: String = "") -> Set<String> {
        switch value {
        case let object as [String: Any]:
            object.reduce(into: []) { paths, member in
                let inner = path.isEmpty ? member.key : path + "." + member.key
                paths.insert(inner)
                paths.formUnion(shape(member.value, under: inner))
            }
        case let list as [Any]: list.reduce(into: []) { $0.formUnion(shape($1, under: path + "[]")) }
        default: []
        }
    }
}
