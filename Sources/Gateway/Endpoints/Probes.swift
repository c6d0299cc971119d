import HTTPServer
import JSONTree
import VerificationCore

/// `/healthz`, `/readyz` and `/metrics`: nothing in them is about a person.
struct Probes: Sendable {
    let sessions: SessionService

    /// The process answers.
    func health() -> Answer {
        Answer(.json(200, .object([("status", .string("ok"))])))
    }

    /// The store writes, the clocks agree, and a verifier has its anchors and keys.
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
        let states = healthByVerifier(at: now)
        let isReady = canWrite && states.contains { $0.health.isReady }
        let verifiers = states.map { id, health in
            let alarms = health.alarms.map { alarm in
                JSONValue.object([
                    ("code", .string(alarm.code)), ("subject", .string(alarm.subject)),
                    ("days_left", alarm.daysLeft.map { .integer(Int64($0)) } ?? .null),
                ])
            }
            return (id, JSONValue.object([("ready", .boolean(health.isReady)), ("alarms", .array(alarms))]))
        }
        let body = JSONValue.object([
            ("status", .string(isReady ? "ready" : "not_ready")),
            ("configuration_version", .string(running.settings.version)),
            ("problems", .array(problems)),
            ("verifiers", .object(verifiers)),
        ])
        return Answer(.json(isReady ? 200 : 503, body))
    }

    /// The Prometheus text.
    func metrics() async -> Answer {
        var gauges: [Metrics.Gauge] = []
        if let counts = try? await sessions.store.counts() {
            let rows = SessionStatus.allCases.map {
                Metrics.Row([("status", $0.rawValue)], Int64(counts[$0] ?? 0))
            }
            gauges.append(Metrics.Gauge("sekisho_sessions", "Sessions in the store by status.", rows))
        }
        if let incidents = try? await sessions.store.incidents() {
            let rows = Incident.allCases.map {
                Metrics.Row([("incident", $0.rawValue)], Int64(incidents[$0] ?? 0))
            }
            gauges.append(Metrics.Gauge("sekisho_incidents", "Incidents since the store was made.", rows))
        }
        let states = healthByVerifier(at: sessions.clock.now())
        let ready = states.map { Metrics.Row([("verifier", $0.id)], $0.health.isReady ? 1 : 0) }
        let alarms = states.flatMap { id, health in
            health.alarms.map {
                Metrics.Row([("verifier", id), ("alarm", $0.code), ("subject", $0.subject)], Int64($0.daysLeft ?? 0))
            }
        }
        gauges += [
            Metrics.Gauge("sekisho_verifier_ready", "Whether a verifier can verify now.", ready),
            Metrics.Gauge("sekisho_verifier_alarm_days_left", "Alarms, with days left where time counts.", alarms),
            Metrics.Gauge(
                "sekisho_clock_disputed", "Whether wall and monotonic clock disagree.",
                [Metrics.Row([], sessions.clock.isDisputed ? 1 : 0)]),
            Metrics.Gauge(
                "sekisho_verifications_in_flight", "Verifications now.",
                [Metrics.Row([], Int64(sessions.inFlight.verifications))]),
        ]
        let text = sessions.metrics.exposition(gauges: gauges)
        return Answer(
            HTTPResponse(
                status: 200, headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
                body: Array(text.utf8)))
    }

    private func healthByVerifier(at now: Timestamp) -> [(id: String, health: VerifierHealth)] {
        sessions.current.verifiers.map { id, opened in
            (id.rawValue, opened.health?.health(at: now) ?? VerifierHealth(isReady: true, alarms: []))
        }.sorted { $0.0 < $1.0 }
    }
}
