import Configuration
import Dispatch
import Gateway
import JSONTree
import VerificationCore

/// Opens the configuration of a running gateway anew, from the file that it was started with.
struct Reloader: ConfigurationSource {
    /// The file.
    let path: String
    /// What was started and cannot change while the process lives.
    let started: GatewayConfiguration
    /// What verifiers reach others by; it outlives every reload.
    let outbound: Outbound
    /// A thread that may block: commands of secrets take their time, and requests go on meanwhile.
    private let queue = DispatchQueue(label: "sekisho.reload")

    init(path: String, started: GatewayConfiguration, outbound: Outbound) {
        self.outbound = outbound
        self.path = path
        self.started = started
    }

    func open(at now: Timestamp) async throws(ReloadRefusal) -> Running {
        let result = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: openWhole(at: now)) }
        }
        let opened = try result.get()
        let changed = restarts(opened.configuration)
        guard changed.isEmpty else { throw ReloadRefusal(changed) }
        return Running(opened)
    }

    private func openWhole(at now: Timestamp) -> Result<OpenedConfiguration, ReloadRefusal> {
        do throws(JSONProblems) {
            return .success(try OpenedConfiguration.open(path: path, outbound: outbound, at: now))
        } catch {
            return .failure(
                ReloadRefusal(
                    error.problems.map {
                        ReloadProblem(
                            path: $0.path.isEmpty ? JSONProblem.wholeDocument : $0.path, line: $0.line,
                            problem: $0.problem)
                    }))
        }
    }

    /// What a running process cannot take over: the port and the database are open, and the rules of another
    /// environment were not applied to what is in the store.
    private func restarts(_ next: GatewayConfiguration) -> [ReloadProblem] {
        var changed: [String] = []
        if next.environment != started.environment { changed.append("environment") }
        if next.http != started.http { changed.append("http") }
        if next.store != started.store { changed.append("store") }
        return changed.map { ReloadProblem(path: $0, problem: "has changed, and that takes a restart") }
    }
}
