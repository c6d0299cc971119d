import Synchronization
import VerificationCore

@testable import Gateway

/// A configuration source that gives what the test laid ready, and says how it was asked.
final class ScriptedSource: ConfigurationSource {
    typealias Act = @Sendable () async throws(ReloadRefusal) -> Running

    private struct State {
        var act: Act?
        var opened = 0
        var open = 0
        var mostOpen = 0
    }

    private let state = Mutex(State())

    /// How often it was asked.
    var opened: Int { state.withLock { $0.opened } }
    /// How many asked at once at most.
    var mostOpen: Int { state.withLock { $0.mostOpen } }

    func give(_ act: @escaping Act) { state.withLock { $0.act = act } }
    func give(_ running: Running) { give { () async throws(ReloadRefusal) in running } }
    func refuse(_ problems: [ReloadProblem]) {
        give { () async throws(ReloadRefusal) in throw ReloadRefusal(problems) }
    }

    func open(at now: Timestamp) async throws(ReloadRefusal) -> Running {
        let act = state.withLock { state in
            state.opened += 1
            state.open += 1
            state.mostOpen = max(state.mostOpen, state.open)
            return state.act
        }
        defer { state.withLock { $0.open -= 1 } }
        guard let act else { throw ReloadRefusal([ReloadProblem(path: "document", problem: "nothing was laid ready")]) }
        return try await act()
    }
}

extension Rig {
    /// The running configuration as another one, to be reloaded.
    func next(
        _ version: String, keys: SealingKeys? = nil, verifiers: [OpenedVerifier]? = nil,
        _ change: (inout GatewaySettings) -> Void = { _ in }
    ) -> Running {
        var settings = running.settings
        settings.version = version
        settings.document = Array("{\"version\":\"\(version)\"}".utf8)
        change(&settings)
        return Running(
            settings: settings, keys: keys ?? self.keys, verifiers: verifiers ?? Array(running.verifiers.values),
            mayServe: { _, _, _, _ in true })
    }

    func reload() async throws -> Reply { try await call("POST", "/v1/config/reload", key: Rig.operatorKey) }
}
