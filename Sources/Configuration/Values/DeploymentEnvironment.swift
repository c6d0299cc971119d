/// Where a gateway runs. `production` has rules of its own, so the configuration must always say it.
public enum DeploymentEnvironment: String, Sendable, CaseIterable, Hashable {
    /// On an engineer's machine: simulators and made-up cards.
    case development
    /// Before production: simulators are allowed, people's data is not expected.
    case staging
    /// With people's documents: no simulator, no memory store, no demonstration key, and the law's certification.
    case production
}
