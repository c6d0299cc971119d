public import JSONTree
public import VerificationCore

/// Judges the part of a verifier's configuration that only its kind understands, and notes every problem. The
/// executable knows the kinds and hands a checker for each over, so that configuration imports no provider.
public typealias KindChecker = @Sendable (VerifierDeclaration, KindContext, JSONProblemList) -> Void

/// What a checker is given from outside.
public struct KindContext: Sendable {
    /// Where the gateway runs.
    public let environment: DeploymentEnvironment
    /// The time.
    public let now: Timestamp
    /// What fetches secrets.
    public let resolver: SecretResolver

    /// A context.
    public init(environment: DeploymentEnvironment, now: Timestamp, resolver: SecretResolver) {
        self.environment = environment
        self.now = now
        self.resolver = resolver
    }
}
