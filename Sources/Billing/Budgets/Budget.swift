public import VerificationCore

/// How much may be used in a day or a month: at the first limit somebody is told, at the second nothing more is begun.
public struct Budget: Sendable, Hashable, CustomStringConvertible {
    /// What it is for: begun anew each time.
    public enum Period: String, Sendable, CaseIterable, Hashable {
        case day, month
    }

    /// What is counted.
    public enum Unit: String, Sendable, CaseIterable, Hashable {
        /// Submissions to a verifier, in every role.
        case attempts
        /// What is billed, in quantities of all classes.
        case billable
        /// What it costs by the price book, before tax and without flat fees and minimums.
        case amount
    }

    /// The verifier; `nil` counts all of them together.
    public let verifier: VerifierID?
    /// The client; `nil` counts all of them together.
    public let client: ClientID?
    /// How long it is for.
    public let period: Period
    /// What is counted.
    public let unit: Unit
    /// The currency of an amount: verifiers that bill in another one are not counted.
    public let currency: Currency?
    /// From this on somebody is told.
    public let soft: ExactAmount?
    /// Beyond this nothing is begun.
    public let hard: ExactAmount?

    /// A budget.
    public init(
        verifier: VerifierID?, client: ClientID?, period: Period, unit: Unit, currency: Currency? = nil,
        soft: ExactAmount?, hard: ExactAmount?
    ) {
        self.verifier = verifier
        self.client = client
        self.period = period
        self.unit = unit
        self.currency = currency
        self.soft = soft
        self.hard = hard
    }

    /// What it counts, for how long: `alpha/*/month/attempts`, `*/app/day/amount:JPY`. It says nothing of the limits.
    public var description: String {
        [
            verifier?.rawValue ?? "*", client?.rawValue ?? "*", period.rawValue,
            unit.rawValue + (currency.map { ":\($0)" } ?? ""),
        ].joined(separator: "/")
    }

    /// Whether what a verifier does for a client is counted.
    public func holds(_ verifier: VerifierID, _ client: ClientID) -> Bool {
        (self.verifier == nil || self.verifier == verifier) && (self.client == nil || self.client == client)
    }

    /// The name of a period by its first day: `2026-11-30` or `2026-11`.
    public func name(ofPeriodFrom day: CivilDate) -> String {
        switch period {
        case .day: day.description
        case .month: BillingMonth(of: day).description
        }
    }

    /// The first day of the period that a day is in.
    func first(_ day: CivilDate) -> CivilDate {
        switch period {
        case .day: day
        case .month: BillingMonth(of: day).days.first ?? day
        }
    }
}

/// One call of an attempt, as budgets know it.
public struct BudgetCall: Sendable, Hashable {
    /// The attempt.
    public let attempt: AttemptID
    /// The call.
    public let name: CallName

    /// A call. Events that are older than calls are of a submission.
    public init(_ attempt: AttemptID, _ name: CallName?) {
        self.attempt = attempt
        self.name = name ?? CallName(.submit)
    }
}

/// What a call uses of budgets, or may use.
public struct BudgetUse: Sendable, Hashable {
    /// The verifier that is called.
    public let verifier: VerifierID
    /// The client that it is called for.
    public let client: ClientID
    /// Whether it is the submission, which stands for the attempt where attempts are counted.
    public let isSubmission: Bool
    /// What it is billed as, or may be.
    public let billableClass: BillableClass
    /// How many of it.
    public let quantity: Int64

    /// A use.
    public init(
        verifier: VerifierID, client: ClientID, isSubmission: Bool, billableClass: BillableClass, quantity: Int64
    ) {
        self.verifier = verifier
        self.client = client
        self.isSubmission = isSubmission
        self.billableClass = billableClass
        self.quantity = quantity
    }

    /// What is billed of it.
    var billed: Int64 { billableClass == .nonBillable ? 0 : max(quantity, 0) }

    /// The same call, billed otherwise.
    func billed(as billableClass: BillableClass, _ quantity: Int64) -> BudgetUse {
        BudgetUse(
            verifier: verifier, client: client, isSubmission: isSubmission, billableClass: billableClass,
            quantity: quantity)
    }
}
