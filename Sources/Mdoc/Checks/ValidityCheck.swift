import Trust
import VerificationCore

extension Examination {
    /// `validity` (ISO/IEC 18013-5 sections 9.1.2.4 and 9.3.1): the info agrees with itself, now lies in it, and it was signed
    /// while the signer's certificate was valid.
    ///
    /// A signer that is missing fails `issuer_certificate`, and is nothing to compare with here.
    mutating func checkValidity(_ info: ValidityInfo) {
        settle(.validity, validityFailure(info))
    }

    private func validityFailure(_ info: ValidityInfo) -> Reason? {
        if info.validFrom < info.signed || info.validUntil < info.validFrom { return .validityInconsistent }
        if now.advanced(by: MdocVerifier.validFromSkew) < info.validFrom { return .documentNotYetValid }
        if info.validUntil < now { return .documentExpired }
        if let signer, !signer.validity.contains(info.signed) { return .validityInconsistent }
        return nil
    }
}
