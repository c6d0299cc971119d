import Billing
import Routing
import VerificationCore

/// The values that are read when metrics are asked for. Labels are names of the configuration and of code.
struct Gauges: Sendable {
    /// Days of shadow comparisons that are shown: what came of today's configuration, not of all time.
    private static let shadowDays: Int64 = 7

    let gateway: Gateway

    private var sessions: SessionService { gateway.sessions }

    func all() async -> [Metrics.Gauge] {
        let now = sessions.clock.now()
        let running = sessions.current
        return await stored() + shadow(at: now) + health(running, at: now) + circuits(running, at: now)
            + budgets(at: now) + process()
    }

    /// What is used of each budget, as far as the ledger was read.
    private func budgets(at now: Timestamp) -> [Metrics.Gauge] {
        let standings = sessions.budgets.standings(at: now)
        guard !standings.isEmpty else { return [] }
        func rows(_ figure: (BudgetBook.Standing) -> ExactAmount) -> [Metrics.Row] {
            standings.map { Metrics.Row($0.budget.labels, $0.budget.number(figure($0))) }
        }
        let limits = standings.flatMap { standing in
            BudgetBook.Limit.allCases.compactMap { limit in
                standing.budget.edge(limit).map {
                    Metrics.Row(standing.budget.labels + [("limit", limit.rawValue)], standing.budget.number($0))
                }
            }
        }
        return [
            Metrics.Gauge("sekisho_budget_used", "What is used of each budget in its period.", rows(\.used)),
            Metrics.Gauge(
                "sekisho_budget_promised", "The same, with what open sessions may still use.", rows(\.promised)),
            Metrics.Gauge("sekisho_budget_limit", "The limits of each budget.", limits),
        ]
    }

    /// What the store counts. What it cannot say now is left out.
    private func stored() async -> [Metrics.Gauge] {
        var gauges: [Metrics.Gauge] = []
        if let counts = try? await sessions.store.counts() {
            let rows = SessionStatus.allCases.map { Metrics.Row([("status", $0.rawValue)], counts[$0] ?? 0) }
            gauges.append(Metrics.Gauge("sekisho_sessions", "Sessions in the store by status.", rows))
        }
        if let incidents = try? await sessions.store.incidents() {
            let rows = Incident.allCases.map { Metrics.Row([("incident", $0.rawValue)], incidents[$0] ?? 0) }
            gauges.append(Metrics.Gauge("sekisho_incidents", "Incidents since the store was made.", rows))
        }
        if let counts = try? await sessions.store.outboxCounts() {
            gauges.append(
                Metrics.Gauge(
                    "sekisho_outbox_messages", "Messages of the outbox that wait and that were given up.",
                    [
                        Metrics.Row([("state", "waiting")], counts.waiting),
                        Metrics.Row([("state", "dead")], counts.dead),
                    ]))
        }
        return gauges
    }

    private func shadow(at now: Timestamp) async -> [Metrics.Gauge] {
        let day = now.milliseconds / 86_400_000
        let from = CivilDate(daysSinceEpoch: day - Self.shadowDays + 1)
        let until = CivilDate(daysSinceEpoch: day + 1)
        guard let counts = try? await sessions.store.shadowCounts(from: from, until: until) else { return [] }
        struct Key: Hashable { let primary, shadow, subject, outcome: String }
        var sums: [Key: Int] = [:]
        for count in counts {
            // A claim's name comes from purposes, so there are as many rows as a configuration names.
            let key = Key(
                primary: count.primary.rawValue, shadow: count.shadow.rawValue, subject: count.subject,
                outcome: count.outcome.rawValue)
            sums[key, default: 0] += count.count
        }
        let rows = sums.map { key, sum in
            Metrics.Row(
                [
                    ("primary", key.primary), ("shadow", key.shadow), ("subject", key.subject),
                    ("outcome", key.outcome),
                ], sum)
        }
        return [
            Metrics.Gauge(
                "sekisho_shadow_recent_comparisons", "Shadow comparisons of the last seven days.", rows.sorted())
        ]
    }

    private func health(_ running: Running, at now: Timestamp) -> [Metrics.Gauge] {
        let states = running.health(at: now)
        let alarms = states.flatMap { id, health in
            health.alarms.map {
                Metrics.Row([("verifier", id), ("alarm", $0.code), ("subject", $0.subject)], $0.daysLeft ?? 0)
            }
        }
        let certifications = running.verifiers.values.compactMap { opened in
            opened.description.certification.map {
                Metrics.Row([("verifier", opened.description.id.rawValue)], Int($0.daysLeft(at: now)))
            }
        }
        let certificates = states.flatMap { id, health in
            health.certificates.map {
                Metrics.Row([("verifier", id), ("use", $0.use.rawValue), ("subject", $0.name)], $0.daysLeft(at: now))
            }
        }
        return [
            Metrics.Gauge(
                "sekisho_certificate_days_left",
                "Whole days until a certificate of ours ends that a verifier works with.", certificates.sorted()),
            Metrics.Gauge(
                "sekisho_verifier_ready", "Whether a verifier can verify now.",
                states.map { Metrics.Row([("verifier", $0.id)], $0.health.isReady ? 1 : 0) }),
            Metrics.Gauge("sekisho_verifier_alarm_days_left", "Alarms, with days left where time counts.", alarms),
            Metrics.Gauge(
                "sekisho_certification_days_left", "Whole days until a verifier's certification ends.",
                certifications.sorted()),
        ]
    }

    private func circuits(_ running: Running, at now: Timestamp) -> [Metrics.Gauge] {
        let monotonic = sessions.clock.monotonic()
        let snapshots = running.verifiers.keys.map(\.rawValue).sorted().compactMap { id in
            running.circuits.snapshot(of: VerifierID(id), at: monotonic, wall: now).map { (id, $0) }
        }
        let states = snapshots.flatMap { id, snapshot in
            CircuitSnapshot.Name.allCases.map {
                Metrics.Row([("verifier", id), ("state", $0.rawValue)], snapshot.state == $0 ? 1 : 0)
            }
        }
        let holds = snapshots.flatMap { id, snapshot in
            Circuit.Hold.Position.allCases.map {
                Metrics.Row([("verifier", id), ("position", $0.rawValue)], snapshot.hold?.position == $0 ? 1 : 0)
            }
        }
        return [
            Metrics.Gauge("sekisho_circuit_state", "1 for the state that a verifier's circuit is in.", states),
            Metrics.Gauge("sekisho_circuit_held", "1 where an operator holds a circuit.", holds),
            Metrics.Gauge(
                "sekisho_verifier_calls_running", "Calls to a verifier now.",
                snapshots.map { Metrics.Row([("verifier", $0)], $1.running) }),
        ]
    }

    private func process() -> [Metrics.Gauge] {
        let history = gateway.reloads.history
        return [
            Metrics.Gauge(
                "sekisho_configuration_loaded_seconds", "When the running configuration was loaded, in Unix time.",
                [Metrics.Row([], Int(history.loadedAt.milliseconds / 1000))]),
            Metrics.Gauge(
                "sekisho_reload_refused", "Whether the last reload was refused.",
                [Metrics.Row([], history.last?.outcome == .refused ? 1 : 0)]),
            Metrics.Gauge(
                "sekisho_clock_disputed", "Whether wall and monotonic clock disagree.",
                [Metrics.Row([], sessions.clock.isDisputed ? 1 : 0)]),
            Metrics.Gauge(
                "sekisho_questions_running", "Verifiers that are being asked for a verdict now.",
                [Metrics.Row([], sessions.runningQuestions.value)]),
            Metrics.Gauge(
                "sekisho_verifications_in_flight", "Verifications now.",
                [Metrics.Row([], sessions.inFlight.verifications)]),
        ]
    }
}
