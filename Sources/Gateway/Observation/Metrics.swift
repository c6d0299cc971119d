import Synchronization

/// Counters, gauges and latency histograms in the Prometheus text format. Labels come from closed sets.
public final class Metrics: Sendable {
    /// Upper edges of the latency buckets, in seconds: from a cached verification to a provider's deadline.
    public static let buckets: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

    /// The families.
    public enum Family: String, Sendable, CaseIterable {
        case requests = "sekisho_http_requests_total"
        case refusals = "sekisho_http_refusals_total"
        case sessions = "sekisho_sessions_ended_total"
        case checksFailed = "sekisho_checks_failed_total"
        case incidents = "sekisho_incidents_total"
        case storeErrors = "sekisho_store_errors_total"
        case housekeeping = "sekisho_housekeeping_total"
        case calls = "sekisho_verifier_calls_total"
        case notices = "sekisho_notices_total"
        case shadows = "sekisho_shadow_comparisons_total"
        case wireRequests = "sekisho_verifier_wire_requests_total"
        case reloads = "sekisho_reloads_total"
        case deliveries = "sekisho_outbox_deliveries_total"
        case budgets = "sekisho_budget_limits_reached_total"

        var help: String {
            switch self {
            case .requests: "Answered requests by route and status."
            case .refusals: "Requests that the guard refused, by kind."
            case .sessions: "Sessions that reached a final state, by verifier and status."
            case .checksFailed: "Failed checks by verifier, check and reason."
            case .incidents: "Incidents by kind; none holds a value of a person's."
            case .storeErrors: "Failures of the store by code."
            case .housekeeping: "Sessions expired, failed, erased and purged."
            case .calls: "Calls to verifiers by step and what they came to."
            case .notices: "Notices of providers by verifier and effect."
            case .shadows: "What shadows and primaries agreed and differed in, by what was compared."
            case .wireRequests: "Requests handed to a connection, repeats included, by verifier and answer."
            case .reloads: "Reloads of the configuration by outcome."
            case .budgets: "Limits of budgets that were reached, by budget and limit."
            case .deliveries: "Tries to deliver a message of the outbox, by kind and outcome."
            }
        }
    }

    /// A value that is read when it is asked for.
    public struct Gauge: Sendable {
        let name: String
        let help: String
        let rows: [Row]

        /// A gauge with its rows.
        public init(_ name: String, _ help: String, _ rows: [Row]) {
            self.name = name
            self.help = help
            self.rows = rows
        }
    }

    /// One row of a gauge. Rows are ordered by their labels.
    public struct Row: Sendable, Comparable {
        let labels: [(String, String)]
        let value: Int

        /// A row.
        public init(_ labels: [(String, String)], _ value: Int) {
            self.labels = labels
            self.value = value
        }

        /// Orders by the labels' values.
        public static func < (left: Row, right: Row) -> Bool {
            left.labels.lazy.map(\.1).lexicographicallyPrecedes(right.labels.lazy.map(\.1))
        }

        /// Compares labels and value.
        public static func == (left: Row, right: Row) -> Bool {
            left.labels.elementsEqual(right.labels) { $0 == $1 } && left.value == right.value
        }
    }

    private struct Histogram {
        var counts = [Int](repeating: 0, count: Metrics.buckets.count)
        var sum = 0.0
        var total = 0
    }

    private struct State {
        var counters: [Family: [String: Int]] = [:]
        var latency: [String: Histogram] = [:]
    }

    private let state = Mutex(State())

    /// Empty metrics.
    public init() {}

    /// Counts one. Labels are names from code or configuration, never from a request.
    public func count(_ family: Family, _ labels: [(String, String)], by amount: Int = 1) {
        guard amount > 0 else { return }
        state.withLock { $0.counters[family, default: [:]][Self.text(labels), default: 0] += amount }
    }

    /// Records how long a route took.
    public func observe(route: String, _ duration: Duration) {
        let (whole, atto) = duration.components
        let seconds = Double(whole) + Double(atto) / 1e18
        state.withLock { state in
            var histogram = state.latency[route] ?? Histogram()
            for (index, edge) in Self.buckets.enumerated() where seconds <= edge { histogram.counts[index] += 1 }
            histogram.sum += seconds
            histogram.total += 1
            state.latency[route] = histogram
        }
    }

    /// The exposition text; `gauges` are computed by the caller.
    public func exposition(gauges: [Gauge]) -> String {
        let state = state.withLock { $0 }
        var lines: [String] = []
        for family in Family.allCases {
            lines.append("# HELP \(family.rawValue) \(family.help)")
            lines.append("# TYPE \(family.rawValue) counter")
            for (labels, value) in (state.counters[family] ?? [:]).sorted(by: { $0.key < $1.key }) {
                lines.append("\(family.rawValue)\(labels) \(value)")
            }
        }
        for gauge in gauges {
            lines.append("# HELP \(gauge.name) \(gauge.help)")
            lines.append("# TYPE \(gauge.name) gauge")
            for row in gauge.rows { lines.append("\(gauge.name)\(Self.text(row.labels)) \(row.value)") }
        }
        let name = "sekisho_http_request_duration_seconds"
        lines.append("# HELP \(name) How long answers took, by route.")
        lines.append("# TYPE \(name) histogram")
        for (route, histogram) in state.latency.sorted(by: { $0.key < $1.key }) {
            for (edge, count) in zip(Self.buckets, histogram.counts) {
                lines.append("\(name)_bucket\(Self.text([("route", route), ("le", "\(edge)")])) \(count)")
            }
            lines.append("\(name)_bucket\(Self.text([("route", route), ("le", "+Inf")])) \(histogram.total)")
            lines.append("\(name)_sum\(Self.text([("route", route)])) \(histogram.sum)")
            lines.append("\(name)_count\(Self.text([("route", route)])) \(histogram.total)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ labels: [(String, String)]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { name, value in
            let escaped = value.flatMap { character -> [Character] in
                switch character {
                case "\\": ["\\", "\\"]
                case "\"": ["\\", "\""]
                case "\n": ["\\", "n"]
                default: [character]
                }
            }
            return "\(name)=\"\(String(escaped))\""
        }
        return "{" + pairs.joined(separator: ",") + "}"
    }
}
