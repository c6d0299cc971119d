public import VerificationCore

/// A purpose as configured.
public struct PurposeDeclaration: Sendable, Hashable {
    /// The purpose as the verifiers see it.
    public let purpose: Purpose
    /// Why we ask, in the operator's words.
    public let description: String?
    /// Whether only a verifier with a current certification may serve it, whatever the document.
    public let requiresCertification: Bool
    /// The legal method and the law it was read from.
    public let legalMethod: LegalMethod?
}

/// A method that the law names. Its letter changes with the law, so it is configuration with a date.
public struct LegalMethod: Sendable, Hashable {
    /// The law or rule, such as 犯収法施行規則.
    public let policy: String?
    /// The method in it, such as `6条1項1号ル`.
    public let procedure: String
    /// The day of the text that the method was read from.
    public let lawAsOf: CivilDate

    /// The method on one line.
    public var text: String { "\(policy.map { $0 + " " } ?? "")\(procedure) (\(lawAsOf))" }
}
