import HTTPServer
import JSONTree
import VerificationCore

/// `/healthz`, `/readyz` and `/metrics`: nothing in them is about a person.
struct Probes: Sendable {
    let gateway: Gateway

    private var sessions: SessionService { gateway.sessions }

    /// The process answers.
    func health() -> Answer {
        Answer(.json(200, .object([("status", .string("ok"))])))
    }

    /// The store writes, the clocks agree, and a verifier has its anchors and keys. A reload that was refused is shown
    /// and changes nothing: what ran before still does.
    func readiness() async -> Answer {
        let now = sessions.clock.now()
        let running = sessions.current
        var problems: [JSONValue] = []
        var canWrite = true
        do {
            try await sessions.store.probe(at: now)
        } catch {
            canWrite = false
            sessions.metrics.count(.storeErrors, [("code", error.rawValue)])
            problems.append(.object([("code", .string("store_" + error.rawValue))]))
        }
        if sessions.clock.isDisputed { problems.append(.object([("code", .string("clock_disputed"))])) }
        let history = gateway.reloads.history
        if history.last?.outcome == .refused { problems.append(.object([("code", .string("reload_refused"))])) }
        let states = running.health(at: now)
        let isReady = canWrite && states.contains { $0.health.isReady }
        let verifiers = states.map { id, health in
            (
                id,
                JSONValue.object([
                    ("ready", .boolean(health.isReady)),
                    ("alarms", .array(health.alarms.map(HealthRendering.alarm))),
                ])
            )
        }
        let body = JSONValue.object([
            ("status", .string(isReady ? "ready" : "not_ready")),
            ("configuration_version", .string(running.settings.version)),
            ("loaded_at", SessionRendering.time(history.loadedAt)),
            ("last_reload", history.last.map(ReloadRendering.report) ?? .null),
            ("problems", .array(problems)),
            ("verifiers", .object(verifiers)),
        ])
        return Answer(.json(isReady ? 200 : 503, body))
    }

    /// The Prometheus text.
    func metrics() async -> Answer {
        let text = sessions.metrics.exposition(gauges: await Gauges(gateway: gateway).all())
        return Answer(
            HTTPResponse(
                status: 200, headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
                body: Array(text.utf8)))
    }
}

extension Running {
    /// What each verifier says of itself, by name.
    func health(at now: Timestamp) -> [(id: String, health: VerifierHealth)] {
        verifiers.map { id, opened in
            (id.rawValue, opened.health?.health(at: now) ?? VerifierHealth(isReady: true, alarms: []))
        }.sorted { $0.0 < $1.0 }
    }
}
