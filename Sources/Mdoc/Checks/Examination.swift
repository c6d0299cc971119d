import CBOR
import COSE
import Cryptography
import Trust
import VerificationCore

/// One verification under way. Each check is a method of an extension in a file of its own and writes its own outcome; the
/// order is that of the report.
struct Examination {
    let configuration: MdocVerifier.Configuration
    let purpose: Purpose
    let expectedDocumentType: String?
    let now: Timestamp

    var report = Report()
    var transcript: SessionTranscript?
    var facts: DocumentFacts?
    var signer: Certificate?
    var claims: ClaimSet = [:]
    var isRevocationUndetermined = false
    private(set) var incidents: [Incident] = []

    init(_ configuration: MdocVerifier.Configuration, purpose: Purpose, expected: String?, now: Timestamp) {
        self.configuration = configuration
        self.purpose = purpose
        self.expectedDocumentType = expected
        self.now = now
    }

    /// Whether signatures and certificates are judged.
    var isLive: Bool { configuration.mode == .live }

    mutating func settle(_ check: CheckName, _ failure: Reason?) {
        if let failure { report.fail(check, failure) } else { report.pass(check) }
    }

    mutating func note(_ incident: Incident) {
        if !incidents.contains(incident) { incidents.append(incident) }
    }

    /// Examines what HPKE gave: `{"identity": DeviceResponse}`. Other topics beside it are let be.
    mutating func examine(plaintext: [UInt8]) {
        guard let root = try? CBORDocument(plaintext).root, let identity = root["identity"] else {
            return report.fail(.deviceResponse, .evidenceMalformed)
        }
        examine(DeviceResponse(identity))
    }

    /// Examines a DeviceResponse that stands alone.
    mutating func examine(deviceResponse: [UInt8]) {
        guard let root = try? CBORDocument(deviceResponse).root else {
            return report.fail(.deviceResponse, .evidenceMalformed)
        }
        examine(DeviceResponse(root))
    }

    /// The checks from `device_response` on. Each is made where what it needs could be read.
    private mutating func examine(_ response: DeviceResponse) {
        let object = response.document?.issuerSigned.mobileSecurityObject
        settle(.deviceResponse, deviceResponseFailure(response, object))
        guard let document = response.document else { return }
        gatherFacts(document, object)
        checkDocumentType(document, object)
        checkIssuer(document.issuerSigned, documentType: document.documentType)
        if let object {
            checkValidity(object.validityInfo)
            checkDigests(document.issuerSigned, object)
            checkDeviceSignature(document, object)
        }
        checkElements(document)
        finishFacts()
    }

    private func deviceResponseFailure(_ response: DeviceResponse, _ object: MobileSecurityObject?) -> Reason? {
        guard response.isSound, let object else { return .evidenceMalformed }
        return object.digestAlgorithm == nil ? .algorithmUnsupported : nil
    }

    /// What is handed back. Claims leave only when nothing stands against them.
    func result(required: RequiredChecks) -> MdocResult {
        MdocResult(
            report: report, required: required,
            claims: Sensitive(report.allPassed(required.names) ? claims : [:]), document: facts.map(Sensitive.init),
            incidents: incidents, isRevocationUndetermined: isRevocationUndetermined)
    }
}
