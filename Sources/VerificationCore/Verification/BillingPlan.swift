/// What a call, or what comes of it, is billed as.
public struct BillingRule: Sendable, Hashable {
    /// When it is.
    public enum Condition: String, Sendable, CaseIterable, Hashable {
        /// Whenever the other side took the call.
        case call
        /// When the verification came to a verdict.
        case verdict
        /// When the verdict was verified.
        case verified
    }

    /// The class that the provider's price list knows.
    public let billableClass: BillableClass
    /// When it is billed.
    public let condition: Condition
    /// How many of the class one call is.
    public let quantity: Int64

    /// A rule.
    public init(_ billableClass: BillableClass, when condition: Condition, quantity: Int64 = 1) {
        self.billableClass = billableClass
        self.condition = condition
        self.quantity = quantity
    }
}

/// Which calls of a verifier may bill, and as what. A step without a rule never bills.
public struct BillingPlan: Sendable, Hashable {
    /// The rules.
    public let rules: [VerificationStep: BillingRule]

    /// A plan.
    public init(_ rules: [VerificationStep: BillingRule]) {
        self.rules = rules
    }

    /// Nothing bills: the in-house verifier, whose verdicts are counted and cost nobody an invoice.
    public static let none = BillingPlan([:])

    /// The class and quantity to record for a step, once it is known how it came out; `nil` where the step has no rule
    /// or the rule's condition does not hold.
    public func charge(for step: VerificationStep, outcome: AttemptOutcome?) -> BillingRule? {
        guard let rule = rules[step] else { return nil }
        switch (rule.condition, outcome) {
        case (.call, _), (.verdict, .verified), (.verdict, .rejected), (.verified, .verified): return rule
        case (.verdict, .failed), (.verdict, nil), (.verified, .rejected), (.verified, .failed), (.verified, nil):
            return nil
        }
    }
}
