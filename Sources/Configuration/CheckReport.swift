public import JSONTree
public import VerificationCore

/// What `sekisho check` says of a configuration.
public struct CheckReport: Sendable, Hashable {
    /// Whether there is no problem.
    public let isGood: Bool
    /// The lines to print.
    public let text: String

    /// Reads the configuration at a path, and everything that it points to, and reports.
    public static func make(
        path: String, kinds: [String: KindChecker], resolver: SecretResolver = .system, now: Timestamp
    ) -> CheckReport {
        make { () throws(JSONProblems) in
            try ConfigurationLoader(kinds: kinds, resolver: resolver).load(path: path, at: now)
        }
    }

    /// Reports what `load` loads, or all the problems that it throws.
    public static func make(_ load: () throws(JSONProblems) -> GatewayConfiguration) -> CheckReport {
        do throws(JSONProblems) {
            let configuration = try load()
            return CheckReport(
                isGood: true,
                text: "good: \(configuration.environment.rawValue), version \(configuration.version), "
                    + "\(count(configuration.clients.count, "client")), "
                    + "\(count(configuration.purposes.count, "purpose")), "
                    + "\(count(configuration.verifiers.count, "verifier"))\n")
        } catch {
            return CheckReport(isGood: false, text: error.description + "\n")
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
