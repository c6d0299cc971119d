public import VerificationCore

/// Who may verify what without a certification.
///
/// 番号法18条の2第7項 binds whoever receives a Japanese card: in production it goes only to a verifier with a current
/// certification, unless the configuration records a dated legal basis for the exception. A purpose may demand a
/// certification for any document, and then there is no exception.
public enum CertificationRule {
    /// Why a verifier may not be given a session.
    public enum Refusal: Sendable, Hashable, CaseIterable {
        /// The document's law demands a current certification.
        case documentDemandsCertification
        /// The purpose demands one.
        case purposeDemandsCertification
        /// The purpose accepts certifications of other regimes only.
        case regimeNotAccepted
    }

    /// The document types whose receipt demands a certification in production.
    public static let documentTypes: Set<String> = [DocumentCatalog.myNumberCard.type]

    /// Whether a verifier may be given a session now: `nil` where it may. The gateway asks again for each session,
    /// because a certification can end while it runs.
    public static func refusal(
        of verifier: VerifierDeclaration, for purpose: PurposeDeclaration, documentType: String,
        in environment: DeploymentEnvironment, at now: Timestamp
    ) -> Refusal? {
        let regimes = purpose.purpose.regimes
        let certification = verifier.certification
        if let certification, let regimes, !regimes.contains(certification.regime) { return .regimeNotAccepted }
        if let certification, certification.isCurrent(at: now) { return nil }
        if purpose.requiresCertification || regimes != nil { return .purposeDemandsCertification }
        if environment == .production, documentTypes.contains(documentType), verifier.certificationException == nil {
            return .documentDemandsCertification
        }
        return nil
    }
}
