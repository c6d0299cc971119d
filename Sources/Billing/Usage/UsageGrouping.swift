/// What usage can be shown by.
public enum UsageGrouping: String, Sendable, CaseIterable, Hashable {
    case verifier, client, purpose, day
}
