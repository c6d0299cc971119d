/// What came of one check.
public enum CheckOutcome: Sendable, Hashable {
    /// The check was made and holds.
    case passed
    /// The check was made and does not hold.
    case failed(Reason)
    /// The check was not made; that is never a pass.
    case notChecked

    /// `passed`, `failed` or `not_checked`.
    public var status: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .notChecked: "not_checked"
        }
    }

    /// The reason, where the check failed.
    public var reason: Reason? {
        switch self {
        case .failed(let reason): reason
        case .passed, .notChecked: nil
        }
    }
}

/// The outcome of every check, each `notChecked` until somebody says otherwise.
public struct Report: Sendable, Hashable {
    /// One for each check, at its place.
    private var outcomes = [CheckOutcome](repeating: .notChecked, count: CheckName.allCases.count)

    /// A report in which nothing was checked.
    public init() {}

    /// The outcome of one check.
    public subscript(_ check: CheckName) -> CheckOutcome {
        get { outcomes[check.place] }
        set { outcomes[check.place] = newValue }
    }

    /// Records a failure; the first failure of a check stays.
    public mutating func fail(_ check: CheckName, _ reason: Reason) {
        if case .failed = self[check] { return }
        self[check] = .failed(reason)
    }

    /// Records a pass where nothing was recorded yet: a pass never covers a failure.
    public mutating func pass(_ check: CheckName) {
        if case .notChecked = self[check] { self[check] = .passed }
    }

    /// Every reason, once each, in the order of the checks.
    public var reasons: [Reason] {
        var seen: Set<Reason> = []
        return CheckName.allCases.compactMap { self[$0].reason }.filter { seen.insert($0).inserted }
    }

    /// The checks that failed, in order.
    public var failures: [CheckName] {
        CheckName.allCases.filter { self[$0].reason != nil }
    }

    /// Whether every one of `checks` passed and no check at all failed.
    public func allPassed(_ checks: Set<CheckName>) -> Bool {
        !outcomes.contains { $0.reason != nil } && checks.allSatisfy { self[$0] == .passed }
    }
}

/// The checks that a kind of verifier must pass before it may speak of verified claims.
public enum RequiredChecks: Sendable, Hashable {
    /// The in-house verifier; `revocation` only where a source of it is configured.
    case inHouse(revocation: Bool)
    /// The in-house verifier in simulator mode: no issuer, no device signature.
    case simulator
    /// A certified provider.
    case certified
    /// A DeviceResponse that was decrypted elsewhere, judged on the command line: no check of the envelope can be made.
    case decrypted(revocation: Bool, simulated: Bool)

    /// The names of the checks.
    public var names: Set<CheckName> {
        switch self {
        case .inHouse(let revocation): revocation ? RequiredChecks.everyCheck : RequiredChecks.withoutRevocation
        case .simulator: RequiredChecks.simulated
        case .certified: RequiredChecks.delegated
        case .decrypted(let revocation, let simulated):
            (simulated ? RequiredChecks.simulator : .inHouse(revocation: revocation)).names
                .subtracting([.envelope, .recipientKey, .sessionBinding, .decryption])
        }
    }

    // Every verification asks twice, so the sets are made once.
    private static let everyCheck = Set(CheckName.inHouse)
    private static let withoutRevocation = everyCheck.subtracting([.revocation])
    private static let simulated = withoutRevocation.subtracting([
        .issuerCertificate, .issuerSignature, .deviceSignature,
    ])
    private static let delegated: Set<CheckName> = [.providerVerdict, .elements]
}
