/// The named steps of a verification, in the order in which they are reported.
public enum CheckName: String, Sendable, CaseIterable, Hashable {
    /// The encrypted envelope's form.
    case envelope
    /// The key that the envelope is sealed to.
    case recipientKey = "recipient_key"
    /// The envelope is for this session's transcript.
    case sessionBinding = "session_binding"
    /// HPKE opens the envelope.
    case decryption
    /// The structure of the DeviceResponse and its one document.
    case deviceResponse = "device_response"
    /// The document's type, wherever it stands.
    case documentType = "document_type"
    /// The document signer's certificate and its chain to a trust anchor.
    case issuerCertificate = "issuer_certificate"
    /// The issuer's signature over the MobileSecurityObject.
    case issuerSignature = "issuer_signature"
    /// The document's ValidityInfo.
    case validity
    /// The digests of the received items.
    case digests
    /// The device's signature over this session's DeviceAuthentication.
    case deviceSignature = "device_signature"
    /// The signer's and the document's revocation state.
    case revocation
    /// What the purpose requires is there.
    case elements
    /// A certified provider's own verdict.
    case providerVerdict = "provider_verdict"

    /// The thirteen checks of the in-house verifier, in order.
    public static let inHouse: [CheckName] = allCases.filter { $0 != .providerVerdict }

    /// Where it stands in the order, from 0: a report keeps its outcomes by place.
    var place: Int {
        switch self {
        case .envelope: 0
        case .recipientKey: 1
        case .sessionBinding: 2
        case .decryption: 3
        case .deviceResponse: 4
        case .documentType: 5
        case .issuerCertificate: 6
        case .issuerSignature: 7
        case .validity: 8
        case .digests: 9
        case .deviceSignature: 10
        case .revocation: 11
        case .elements: 12
        case .providerVerdict: 13
        }
    }
}
