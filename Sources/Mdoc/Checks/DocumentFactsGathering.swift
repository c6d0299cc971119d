import Cryptography
import Trust
import VerificationCore

extension Examination {
    /// What the document says of itself.
    mutating func gatherFacts(_ document: UnverifiedDocument, _ object: MobileSecurityObject?) {
        var facts = DocumentFacts(type: document.documentType)
        if let object {
            facts.signed = object.validityInfo.signed
            facts.validFrom = object.validityInfo.validFrom
            facts.validUntil = object.validityInfo.validUntil
            facts.mobileSecurityObjectDigest = Hash.sha256(object.encoded)
        }
        self.facts = facts
    }

    /// What the signer's certificate adds, and the elements that the purpose lets through.
    mutating func finishFacts() {
        guard var facts else { return }
        if let signer {
            facts.signer = SignerFacts(
                subject: signer.subject.text, issuer: signer.issuer.text, serialNumber: signer.serialNumber,
                fingerprint: signer.fingerprint, notAfter: signer.validity.notAfter)
        }
        facts.issuingCountry = claimedText("issuing_country") ?? signer?.subject.countries.first
        facts.issuingAuthority = claimedText("issuing_authority") ?? signer?.subject.commonNames.first
        self.facts = facts
    }

    private func claimedText(_ claim: String) -> String? {
        guard case .text(let text) = claims[ClaimName(claim)], !text.isEmpty else { return nil }
        return text
    }
}
