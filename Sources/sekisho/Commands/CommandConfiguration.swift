import Configuration
import Gateway
import HTTPClient
import JSONTree
import VerificationCore

extension OpenedConfiguration {
    /// Opens a configuration for a command that sends nothing: what verifiers would reach others by is closed again.
    static func forCommand(path: String, at now: Timestamp) throws(JSONProblems) -> OpenedConfiguration {
        let client: HTTPClient
        do throws(OutboundFailure) {
            client = try HTTPClient()
        } catch {
            throw JSONProblems([
                JSONProblem(path: "", line: 1, problem: "no thread for provider calls could be started")
            ])
        }
        defer { client.shutdown() }
        return try open(path: path, outbound: Outbound(silent: client), at: now)
    }
}
