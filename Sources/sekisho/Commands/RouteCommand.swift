import Configuration
import Foundation
import JSONTree
import Routing
import VerificationCore

/// `sekisho route CONFIG`: explains to whom a session would go, step by step. It asks no running gateway: what is out,
/// it is told by `--out`; a certification's dates, and what a manifest can give, it knows.
struct RouteCommand {
    static let usage = """
        usage: sekisho route CONFIG --purpose PURPOSE --client CLIENT [options]

        Explains which verifier a session would get. Exit status: 0 one is found, 1 none is, 2 the configuration or a
        name in the call is wrong.

          --purpose PURPOSE     the session's purpose
          --client CLIENT       the client that opens it
          --document TYPE       the document type; the purpose's first one, where left out
          --session ID          decide for this session; without it, the shares of all sessions are told
          --at TIME             decide at this time (RFC 3339) and not now
          --out VERIFIER=REASON take this verifier for out; repeatable. Reasons: circuit_open, held_open,
                                concurrency_full, certification_not_current, not_ready, begin_failed, budget_spent,
                                unsuitable
          --format FORMAT       text (default) or json

        """

    static func run(_ arguments: [String]) async -> Int32 {
        execute(arguments, at: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))).tell()
    }

    /// What the command says to these arguments.
    static func execute(_ arguments: [String], at now: Timestamp) -> CommandOutcome {
        if arguments == ["--help"] { return CommandOutcome(output: usage, status: 0) }
        do {
            let call = try RouteCall(arguments, at: now)
            let text = try ConfigurationLoader.text(path: call.path)
            // Secrets play no part in a route, so an operator need not have them.
            let loader = ConfigurationLoader(kinds: VerifierKinds.checkers)
            let configuration = try loader.recall(text, at: now)
            let offers = try VerifierKinds.offers(of: configuration.verifiers)
            let explanation = try RouteExplanation(call, in: configuration, offers: offers)
            return CommandOutcome(
                output: call.asJSON ? explanation.json.text + "\n" : explanation.text,
                status: explanation.isFound ? 0 : 1)
        } catch let problem as UsageProblem {
            return CommandOutcome(complaints: problem.words + "\n\n" + usage, status: 64)
        } catch {
            return CommandOutcome(complaints: "\(error)", status: 2)
        }
    }
}

/// What `sekisho route` is asked.
struct RouteCall {
    let path: String
    let purpose: String
    let client: String
    let documentType: String?
    let session: SessionID?
    let at: Timestamp
    let outages: [VerifierID: OutageReason]
    let asJSON: Bool

    init(_ arguments: [String], at now: Timestamp) throws(UsageProblem) {
        let options = try CommandOptions(
            arguments, single: ["--purpose", "--client", "--document", "--session", "--at", "--format"],
            repeatable: ["--out"])
        guard options.words.count == 1, let path = options.words.first else {
            throw UsageProblem("one configuration is needed")
        }
        guard let purpose = options["--purpose"] else { throw UsageProblem("--purpose is missing") }
        guard let client = options["--client"] else { throw UsageProblem("--client is missing") }
        self.path = path
        self.purpose = purpose
        self.client = client
        documentType = options["--document"]
        session = options["--session"].map { SessionID($0) }
        asJSON = try options.asksForJSON()
        if let text = options["--at"] {
            guard let time = RFC3339.timestamp(text) else {
                throw UsageProblem("--at must be a time with its offset, such as 2026-12-01T09:00:00+09:00")
            }
            at = time
        } else {
            at = now
        }
        var outages: [VerifierID: OutageReason] = [:]
        for text in options.all("--out") {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let reason = OutageReason(rawValue: parts[1]) else {
                throw UsageProblem("--out must be a verifier and a reason, such as --out alpha=circuit_open")
            }
            outages[VerifierID(parts[0])] = reason
        }
        self.outages = outages
    }
}

/// A name in a call that the configuration does not have.
struct UnknownName: Error, CustomStringConvertible {
    let description: String

    init(_ name: String, _ what: String, among known: some Sequence<String>) {
        let nearest = NearestName.of(name, among: known.sorted())
        description = "the configuration has no \(what) \(name)" + (nearest.map { "; did you mean \($0)?" } ?? "")
    }
}
