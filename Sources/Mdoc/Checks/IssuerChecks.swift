import CBOR
import COSE
import Cryptography
import Trust
import VerificationCore

extension Examination {
    /// `issuer_certificate`, `issuer_signature` and `revocation`.
    mutating func checkIssuer(_ issuerSigned: IssuerSigned, documentType: String) {
        guard isLive else { return }
        checkCertificate(issuerSigned, documentType: documentType)
        checkSignature(issuerSigned.issuerAuth)
    }

    private mutating func checkCertificate(_ issuerSigned: IssuerSigned, documentType: String) {
        guard let chain = issuerSigned.issuerAuth.x5chain, !chain.isEmpty else {
            return report.fail(.issuerCertificate, .issuerCertificateMissing)
        }
        guard let verifier = configuration.signerVerifier else {
            return report.fail(.issuerCertificate, .issuerUntrusted)
        }
        let result = verifier.verify(chain: chain, documentType: documentType, at: now)
        signer = result.signer
        settle(.issuerCertificate, result.failure ?? profileFailure(issuerSigned))
        switch result.revocation {
        case .notConfigured, .notJudged: break
        case .good: report.pass(.revocation)
        case .revoked: report.fail(.revocation, .issuerCertificateRevoked)
        case .undetermined: isRevocationUndetermined = true
        }
    }

    /// What the profile of Annex B binds between certificate and elements: the country always, the state where the
    /// certificate names one.
    private func profileFailure(_ issuerSigned: IssuerSigned) -> Reason? {
        guard configuration.certificateProfile == .iso18013_5, let subject = signer?.subject else { return nil }
        for item in issuerSigned.items where item.namespace == "org.iso.18013.5.1" {
            let names: [String]
            switch item.elementIdentifier {
            case "issuing_country": names = subject.countries
            case "issuing_jurisdiction": names = subject.states
            default: continue
            }
            if let value = try? item.elementValue.text(), !names.isEmpty, !names.contains(value) {
                return .issuerCertificateInvalid
            }
        }
        return nil
    }

    /// The signature is judged under the signer's key even where nobody vouches for that key. Without a key nothing can be
    /// said, but that zeros are no signature under any.
    private mutating func checkSignature(_ issuerAuth: COSESign1) {
        guard let signer else {
            if issuerAuth.signature.allSatisfy({ $0 == 0 }) { report.fail(.issuerSignature, .issuerSignatureInvalid) }
            return
        }
        guard let key = signer.publicKey.coseKey else { return report.fail(.issuerSignature, .algorithmUnsupported) }
        settle(.issuerSignature, issuerAuth.failure(under: key, payload: nil, invalid: .issuerSignatureInvalid))
    }
}

extension SubjectPublicKey {
    /// The key as COSE uses it; `nil` for a kind that no COSE algorithm of ours goes with.
    var coseKey: COSEKey? {
        switch self {
        case .ec(let key): .ec(key)
        case .ed25519(let key): .ed25519(key)
        case .unsupported: nil
        }
    }
}

extension COSESign1 {
    /// Why the signature does not hold, or `nil` where it does.
    func failure(under key: COSEKey, payload: ArraySlice<UInt8>?, invalid: Reason) -> Reason? {
        do throws(COSEError) {
            return try verify(key: key, payload: payload) ? nil : invalid
        } catch {
            switch error {
            case .algorithmMissing, .algorithmUnsupported: return .algorithmUnsupported
            case .malformed, .payloadMissing: return invalid
            }
        }
    }
}
