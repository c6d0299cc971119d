import Cryptography
import Foundation
import Mdoc
import TestSupport
import Testing
import Trust
import VerificationCore

/// Apple's own sample, with which everything must agree.
enum AppleSample {
    static let isAvailable = Vectors.available("apple/sample")
    static let identity = WalletIdentity(
        merchantIdentifier: "PassKit_Identity_Test_Merchant_ID", teamIdentifier: "PassKit_Identity_Test_Team_ID")
    /// The sample's signer is valid for a century; its document for one.
    static let now = RFC3339.timestamp("2022-06-01T00:00:00Z")!

    static func hex(_ file: String) throws -> [UInt8] {
        try #require(ByteText.bytes(hex: Vectors.text("apple/sample/\(file)")))
    }

    static func nonce() throws -> Nonce {
        let parameters = try Vectors.text("apple/sample/session_transcript_parameters.txt")
        let line = try #require(parameters.split(separator: "\n").first { $0.hasPrefix("Nonce: ") })
        return try nonce(hex: line.dropFirst("Nonce: ".count))
    }

    static func nonce(hex text: some StringProtocol) throws -> Nonce {
        let bytes = try #require(ByteText.bytes(hex: text))
        return try #require(Nonce(bytes))
    }

    static func transcript() throws -> SessionTranscript {
        try SessionTranscript(raw: hex("session_transcript.txt"))
    }

    static func verifier(
        mode: VerificationMode = .live, profile: CertificateProfile = .basic
    ) throws -> MdocVerifier {
        let key = try P256PrivateKey(Vectors.bytes("apple/sample/merchant_encryption.key"))
        let root = try #require(Vectors.root).appendingPathComponent("apple/sample/issuer_root.crt").path
        let trust = try TrustStore.load(paths: [(root, nil)], at: now).store
        return MdocVerifier(
            .init(
                mode: mode, recipientKeys: [RecipientKey(key)],
                signerVerifier: SignerVerifier(trust: trust, profile: profile), certificateProfile: profile))
    }

    static func verify(
        envelope: [UInt8], nonce: Nonce, identity: WalletIdentity = identity, with verifier: MdocVerifier? = nil
    ) throws -> MdocResult {
        try (verifier ?? self.verifier()).verify(
            envelope: envelope, nonce: nonce, walletIdentity: identity,
            expectedDocumentType: DocumentCatalog.drivingLicence.type, purpose: .everything(), at: now)
    }
}

extension Purpose {
    /// A purpose that allows every claim of the documents and requires those named.
    static func everything(
        of types: [String] = DocumentCatalog.documents.map(\.type), requiring required: Set<ClaimName> = [],
        without withheld: Set<ClaimName> = []
    ) -> Purpose {
        var claims = Set(types.compactMap(DocumentCatalog.definition(of:)).flatMap { $0.elements.map(\.claim) })
        claims.formUnion(AppleElement.thresholds.map { ClaimName("age_over_" + ($0 < 10 ? "0" : "") + String($0)) })
        return Purpose(
            id: PurposeID("test"), documentTypes: types, claims: claims.subtracting(withheld), requiredClaims: required,
            retention: .zero, relyingPartyRetention: .none)
    }
}

extension MdocResult {
    var isVerified: Bool {
        if case .verified = verdict { return true }
        return false
    }

    var isRejected: Bool {
        if case .rejected = verdict { return true }
        return false
    }

    func claim(_ name: String) -> ClaimValue? { claims.withValue { $0[ClaimName(name)] } }

    /// Failed checks with their reasons, as `check: reason`.
    var failures: [String] {
        report.failures.map { "\($0.rawValue): \(report[$0].reason?.rawValue ?? "")" }
    }
}
