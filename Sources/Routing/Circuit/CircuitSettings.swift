/// When a verifier's circuit opens, and how it closes again.
public struct CircuitSettings: Sendable, Hashable {
    /// How far back calls are counted.
    public var window: Duration = .seconds(60)
    /// The fewest calls in the window that say anything.
    public var minimumCalls = 10
    /// The percentage of failures among them at which the circuit opens.
    public var failurePercent = 50
    /// How long it stays open before it is tried again.
    public var openFor: Duration = .seconds(30)
    /// How many calls try it then, and as many must succeed before it closes.
    public var probes = 3
    /// The most calls at once; `nil` for any number.
    public var concurrency: Int?

    /// The defaults.
    public init() {}
}
