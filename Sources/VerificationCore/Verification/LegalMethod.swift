/// A method that the law names. Its letter changes with the law, so it is configuration with a date, never a constant.
public struct LegalMethod: Sendable, Hashable {
    /// The law or rule, such as 犯収法施行規則.
    public let policy: String?
    /// The method in it, such as `6条1項1号ル`.
    public let procedure: String
    /// The day of the text that the method was read from.
    public let lawAsOf: CivilDate

    /// A method.
    public init(policy: String?, procedure: String, lawAsOf: CivilDate) {
        self.policy = policy
        self.procedure = procedure
        self.lawAsOf = lawAsOf
    }
}
