public import Trust
public import VerificationCore

/// Verifies documents of ISO/IEC 18013-5 as Apple Wallet presents them: the thirteen checks, in their order.
///
/// It keeps no state and does no input or output; clock, nonce and identity are arguments.
public struct MdocVerifier: Sendable {
    /// How far `validFrom` may lie ahead of our clock. An issuer's clock is not ours, and a document is presented within
    /// seconds of its issue. There is no such leeway at the end of validity.
    public static let validFromSkew: Duration = .seconds(30)

    /// What a verifier is made of.
    public struct Configuration: Sendable {
        /// What it demands.
        public var mode: VerificationMode
        /// The keys that wallets may have sealed to; several while one replaces another.
        public var recipientKeys: [RecipientKey]
        /// Judges signer certificates; `nil` only where the mode demands none.
        public var signerVerifier: SignerVerifier?
        /// The profile that signer certificates must follow; it also binds elements of the document to them.
        public var certificateProfile: CertificateProfile
        /// Whether the check `revocation` must pass.
        public var requiresRevocation: Bool
        /// Whether an age in years answers for the thresholds of the purpose that the issuer has not signed.
        public var derivesAges = true

        /// A configuration.
        public init(
            mode: VerificationMode = .live, recipientKeys: [RecipientKey], signerVerifier: SignerVerifier?,
            certificateProfile: CertificateProfile = .basic, requiresRevocation: Bool = false
        ) {
            self.mode = mode
            self.recipientKeys = recipientKeys
            self.signerVerifier = signerVerifier
            self.certificateProfile = certificateProfile
            self.requiresRevocation = requiresRevocation
        }
    }

    let configuration: Configuration

    /// A verifier.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Judges the wallet's encrypted answer.
    ///
    /// - Parameters:
    ///   - envelope: The bytes that the app received.
    ///   - nonce: The nonce of the session, from our own records.
    ///   - walletIdentity: The identity that the wallet was asked with, likewise.
    ///   - documentType: The type that was asked for; `nil` for any that the purpose allows.
    ///   - purpose: Decides which elements are required and which survive.
    ///   - now: The time.
    public func verify(
        envelope: [UInt8], nonce: Nonce, walletIdentity: WalletIdentity, expectedDocumentType documentType: String?,
        purpose: Purpose, at now: Timestamp
    ) -> MdocResult {
        var examination = Examination(configuration, purpose: purpose, expected: documentType, now: now)
        if let plaintext = examination.open(envelope, nonce: nonce, walletIdentity: walletIdentity) {
            examination.examine(plaintext: plaintext)
        }
        return examination.result(required: required)
    }

    /// Judges a DeviceResponse that was decrypted elsewhere. The checks of the envelope stay `not_checked`; whoever made
    /// the transcript answers for what it binds.
    public func verify(
        deviceResponse: [UInt8], transcript: SessionTranscript, expectedDocumentType documentType: String?,
        purpose: Purpose, at now: Timestamp
    ) -> MdocResult {
        var examination = Examination(configuration, purpose: purpose, expected: documentType, now: now)
        examination.transcript = transcript
        examination.examine(deviceResponse: deviceResponse)
        return examination.result(
            required: .decrypted(
                revocation: configuration.requiresRevocation, simulated: configuration.mode == .simulator))
    }

    /// The checks that must have passed before anything is verified.
    public var required: RequiredChecks {
        switch configuration.mode {
        case .live: .inHouse(revocation: configuration.requiresRevocation)
        case .simulator: .simulator
        }
    }
}
