import VerificationCore

/// A way from a signer's certificate to an anchor, each step proved by a signature.
struct CertificatePath: Sendable {
    /// The signer, then the authorities between it and the anchor.
    let certificates: [Certificate]
    let anchor: TrustAnchor

    /// The authorities, the nearest to the signer first, the anchor last.
    var authorities: [Certificate] { certificates.dropFirst() + [anchor.certificate] }

    /// The time in which every certificate of the path is valid.
    var validity: ValidityPeriod {
        certificates.reduce(anchor.certificate.validity) { $0.intersection($1.validity) }
    }

    /// The rules that the path breaks, of signer and authorities alike.
    func problems(under profile: CertificateProfile, at now: Timestamp) -> [CertificateProblem] {
        guard let signer = certificates.first else { return [] }
        var problems = profile.problems(ofSigner: signer, at: now)
        for (below, authority) in authorities.enumerated() {
            problems += profile.problems(ofAuthority: authority, below: below, at: now)
        }
        problems += profile.problems(of: signer, under: anchor.certificate, intermediates: certificates.count - 1)
        return problems
    }
}
