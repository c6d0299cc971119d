import COSE
import VerificationCore

extension Examination {
    /// `device_signature` (ISO/IEC 18013-5 section 9.1.3.6): the key that the issuer certified signed this session. It alone stops
    /// an old response that was sealed anew. Apple Wallet signs; a MAC is not accepted from it.
    mutating func checkDeviceSignature(_ document: UnverifiedDocument, _ object: MobileSecurityObject) {
        guard isLive else { return }
        settle(.deviceSignature, deviceSignatureFailure(document, object))
    }

    private func deviceSignatureFailure(_ document: UnverifiedDocument, _ object: MobileSecurityObject) -> Reason? {
        guard let transcript, case .signature(let signature) = document.deviceSigned.authentication else {
            return .deviceSignatureInvalid
        }
        guard let key = object.deviceKey else { return .algorithmUnsupported }
        let rebuilt = DeviceAuthentication.bytes(
            transcript: transcript, documentType: document.documentType,
            nameSpacesBytes: document.deviceSigned.nameSpacesBytes)
        // The standard wants no payload here. Some wallets embed one: it must equal what we rebuilt, or the answer is no.
        return signature.failure(under: key, payload: rebuilt[...], invalid: .deviceSignatureInvalid)
    }
}
