import HTTPServer
import JSONTree
import Routing
import VerificationCore

/// Whether the gate is healthy: what an operator looks at first.
struct OverviewPage: Sendable {
    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }
    private var service: SessionService { visit.service }

    func response() async throws(ConsoleRefusal) -> HTTPResponse {
        _ = try visit.person(for: .overview)
        let canWrite = await canWrite()
        let pinned = try await visit.stored { [service] () async throws(StoreError) in
            try await service.store.pinned()
        }
        let minutes = service.pulse.recent(at: visit.now)
        return ConsoleShell(visit: visit).response(
            ConsolePage(words(.overview), at: ConsolePlace("overview"), in: .overview) {
                if !canWrite { ConsoleForms.notice(words(.storeNotReady), isBad: true) }
                if service.clock.isDisputed { ConsoleForms.notice(words(.clockDisputed), isBad: true) }
                reloadNotice
                PulseSection(visit: visit, minutes: minutes).html
                VerifiersSection(visit: visit, pinned: pinned).html
                BudgetsSection(visit: visit).html
                KeysSection(visit: visit).html
                ConfigurationSection(visit: visit, canWrite: canWrite).html
            })
    }

    private var reloadNotice: HTML? {
        guard let last = visit.gateway.reloads.history.last, last.outcome == .refused else { return nil }
        return ConsoleForms.notice(
            words(.lastReload) + ": " + words(.reloadRefused, visit.stamp(last.at)), isBad: true)
    }

    private func canWrite() async -> Bool {
        do throws(StoreError) {
            try await service.store.probe(at: visit.now)
            return true
        } catch {
            _ = service.problem(error)
            return false
        }
    }
}

/// Sessions a minute and their latency.
struct PulseSection: Sendable {
    let visit: ConsoleVisit
    let minutes: [Pulse.Minute]

    private var words: ConsoleWords { visit.words }
    private static let ends: [(status: SessionStatus, style: BarChart.Style)] = [
        (.verified, .first), (.rejected, .second), (.failed, .third), (.expired, .fourth), (.cancelled, .fifth),
    ]
    /// Windows of the table, in minutes.
    private static let windows = [1, 5, 60]

    var html: [HTML] {
        let all = Self.ends.reduce(0) { $0 + minutes.sessions($1.status) }
        return [
            HTML(.section, [.text(.ariaLabelledBy, "pulse")]) {
                HTML(.h2, [.id("pulse")]) { words(.sessionsPerMinute) }
                chart(all)
                if all == 0 { HTML(.p) { words(.nothingHappened) } }
                counts
                HTML(.details) {
                    HTML(.summary) { words(.asTable) }
                    perMinute
                }
                HTML(.p) { HTML(.small) { words(.sinceStart) } }
            },
            HTML(.section, [.text(.ariaLabelledBy, "latency")]) {
                HTML(.h2, [.id("latency")]) { words(.latency) }
                HTML(.p) { words(.latencyText) }
                latencies
            },
        ]
    }

    private func chart(_ all: Int) -> HTML {
        BarChart(
            name: "pulse-chart", title: words(.sessionsPerMinute),
            description: words(.sessionsPerMinuteText, String(all)),
            series: Self.ends.map { BarChart.Series(label: words($0.status), style: $0.style) },
            bars: minutes.map { minute in
                let values = Self.ends.map { Int64(minute.sessions[$0.status] ?? 0) }
                let parts = zip(Self.ends, values).filter { $0.1 > 0 }.map { "\(words($0.0.status)) \($0.1)" }
                let label = visit.minute(minute.begins)
                return BarChart.Bar(
                    label: label, values: values,
                    text: "\(label): " + (parts.isEmpty ? "0" : parts.joined(separator: ", ")))
            }
        ).html
    }

    private var statuses: [SessionStatus] { [.created] + Self.ends.map(\.status) }

    private var counts: HTML {
        DataTable(
            words(.sessionsPerMinute),
            [.init(title: words(.window))] + statuses.map { .init(title: words($0), isNumber: true) },
            rows: Self.windows.map { window in
                let part = minutes.suffix(window)
                return [.init(last(window))] + statuses.map { .init(part.sessions($0)) }
            }
        ).html
    }

    private func last(_ window: Int) -> String {
        window == 1 ? words(.lastMinute) : words(.lastMinutes, String(window))
    }

    private var perMinute: HTML {
        DataTable(
            words(.asTable), [.init(title: words(.minute))] + statuses.map { .init(title: words($0), isNumber: true) },
            rows: minutes.reversed().map { minute in
                [.init(visit.minute(minute.begins))] + statuses.map { .init(minute.sessions[$0] ?? 0) }
            }
        ).html
    }

    private var latencies: HTML {
        DataTable(
            words(.latency),
            [
                .init(title: words(.window)), .init(title: words(.submissions), isNumber: true),
                .init(title: words(.median), isNumber: true), .init(title: words(.in95), isNumber: true),
                .init(title: words(.in99), isNumber: true),
            ],
            rows: Self.windows.map { window in
                let part = minutes.suffix(window)
                return [.init(last(window)), .init(part.submissions)]
                    + [50, 95, 99].map { percent in
                        guard part.submissions > 0 else { return .init("–") }
                        return .init(
                            part.latency(percent: percent).map { words(.underMilliseconds, String($0)) }
                                ?? words(.beyond))
                    }
            }
        ).html
    }
}
