/// One thing wrong with an answer, by name; and what a verifier must say of it.
public struct Fault: Sendable {
    /// A check that must fail, and why.
    public struct Expectation: Sendable, Hashable {
        /// The check's name, as in the verifier's report.
        public let check: String
        /// The reason code.
        public let reason: String
    }

    /// What the verifier must be told before it can see the fault.
    public enum Need: String, Sendable {
        /// The issuer's revocation list.
        case revocationList = "revocation_list"
        /// The profile `iso18013-5`; `basic` lets it pass.
        case annexB = "iso18013-5"
        /// A verifier that reads status lists, which the first step does not: today the answer verifies unrevoked.
        case statusList = "status_list"
    }

    /// Its name.
    public let name: String
    /// The one check that fails; `nil` where the answer verifies all the same.
    public let expectation: Expectation?
    /// What is wrong.
    public let explanation: String
    /// Checks that fail with it, where one cause breaks several.
    public let others: [Expectation]
    /// What the verifier needs.
    public let need: Need?
    private let change: @Sendable (inout Plan, Scene) throws -> Void

    init(
        _ name: String, _ check: String, _ reason: String, _ explanation: String, others: [Expectation] = [],
        need: Need? = nil, apply: @escaping @Sendable (inout Plan, Scene) throws -> Void
    ) {
        self.name = name
        expectation = Expectation(check: check, reason: reason)
        self.explanation = explanation
        self.others = others
        self.need = need
        change = apply
    }

    /// An answer that verifies, though something in it must be handled.
    init(
        tolerated name: String, _ explanation: String,
        apply: @escaping @Sendable (inout Plan, Scene) throws -> Void
    ) {
        self.name = name
        expectation = nil
        self.explanation = explanation
        others = []
        need = nil
        change = apply
    }

    /// Changes a plan.
    func apply(_ plan: inout Plan, _ scene: Scene) throws(WalletError) {
        try changing(&plan, scene, by: change)
    }

    /// Every fault, in the order of the checks.
    public static let all: [Fault] =
        envelope + binding + response + documentType + certificate + issuerSignature + validity + digests
        + deviceSignature + revocation + elements

    /// The fault of this name.
    public static func named(_ name: String) throws(WalletError) -> Fault {
        guard let fault = all.first(where: { $0.name == name }) else { throw .unknownFault(name) }
        return fault
    }
}

/// An odd but right form of an answer, which must verify.
public struct Variant: Sendable {
    /// Its name.
    public let name: String
    /// What is odd.
    public let explanation: String
    private let change: @Sendable (inout Plan, Scene) throws -> Void

    init(
        _ name: String, _ explanation: String,
        apply: @escaping @Sendable (inout Plan, Scene) throws -> Void
    ) {
        self.name = name
        self.explanation = explanation
        change = apply
    }

    /// Changes a plan.
    func apply(_ plan: inout Plan, _ scene: Scene) throws(WalletError) {
        try changing(&plan, scene, by: change)
    }

    /// The variant of this name.
    public static func named(_ name: String) throws(WalletError) -> Variant {
        guard let variant = all.first(where: { $0.name == name }) else { throw .unknownFault(name) }
        return variant
    }
}

/// A closure does not infer what it throws; everything that the wallet throws is a `WalletError`.
private func changing(
    _ plan: inout Plan, _ scene: Scene, by change: (inout Plan, Scene) throws -> Void
) throws(WalletError) {
    do {
        try change(&plan, scene)
    } catch let error as WalletError {
        throw error
    } catch {
        throw .cryptography("unexpected")
    }
}
