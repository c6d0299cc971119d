/// A configured way to verify. It keeps no state: what it needs again goes into ``Challenge/state``.
public protocol Verifier: Sendable {
    /// Opens a verification and says what the wallet must be asked with.
    func begin(
        _ request: VerificationRequest, in attempt: AttemptContext
    ) async throws(VerificationError) -> Challenge

    /// Judges the evidence for a challenge of this verifier.
    func conclude(
        _ evidence: Evidence, for challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion
}

/// A verifier that answers later and can be asked.
public protocol PollingVerifier: Verifier {
    /// Asks for the verdict on what was submitted.
    func poll(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError) -> Conclusion
}

/// A verifier that can be asked what became of a submission whose answer was lost. Asking again changes nothing there.
public protocol FetchingVerifier: Verifier {
    /// Asks for what the other side knows of a challenge.
    func fetch(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError) -> Fetched
}

/// What the other side knows of a submission.
public enum Fetched: Sendable {
    /// It has it.
    case conclusion(Conclusion)
    /// It says that it never received it: nothing was billed.
    case neverReceived
}

/// A verifier whose other side keeps data that must be erased with ours.
public protocol ErasingVerifier: Verifier {
    /// Erases what the other side keeps of a challenge.
    func erase(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError)
}

/// What one use of a verifier is given from outside: nothing in a verifier reads a clock.
public struct AttemptContext: Sendable, Hashable {
    /// The attempt.
    public let attempt: AttemptID
    /// The same for every repeat of one call that may bill.
    public let idempotencyKey: String
    /// The time.
    public let now: Timestamp
    /// When the caller stops waiting.
    public let deadline: Timestamp

    /// A context.
    public init(attempt: AttemptID, idempotencyKey: String, now: Timestamp, deadline: Timestamp) {
        self.attempt = attempt
        self.idempotencyKey = idempotencyKey
        self.now = now
        self.deadline = deadline
    }
}

/// What is to be verified.
public struct VerificationRequest: Sendable {
    /// The session, for the other side's records; it says nothing of the person.
    public let session: SessionID
    /// The purpose as it is configured now.
    public let purpose: Purpose
    /// The document type asked for, one of the purpose's.
    public let documentType: String
    /// A nonce drawn by the gateway; a verifier whose provider makes its own ignores it.
    public let nonce: Nonce

    /// A request.
    public init(session: SessionID, purpose: Purpose, documentType: String, nonce: Nonce) {
        self.session = session
        self.purpose = purpose
        self.documentType = documentType
        self.nonce = nonce
    }
}

/// Whose key the wallet encrypts to, by the names that Apple gives it.
public struct WalletIdentity: Sendable, Hashable {
    /// The merchant identifier: it selects the encryption key.
    public let merchantIdentifier: String
    /// The team identifier of the app's owner.
    public let teamIdentifier: String

    /// A wallet identity.
    public init(merchantIdentifier: String, teamIdentifier: String) {
        self.merchantIdentifier = merchantIdentifier
        self.teamIdentifier = teamIdentifier
    }
}

/// An opened verification: what the wallet is asked with, and what the verifier needs again.
public struct Challenge: Sendable {
    /// The request it answers; it is kept with the session, so that a reload does not change what was asked.
    public let request: VerificationRequest
    /// The nonce that goes into the wallet request.
    public let nonce: Nonce
    /// The identity that goes into the wallet request.
    public let walletIdentity: WalletIdentity
    /// The verifier's memory, opaque to the gateway, sealed in the store.
    public let state: Sensitive<[UInt8]>
    /// The other side's reference, if it has one.
    public let providerReference: String?

    /// A challenge.
    public init(
        request: VerificationRequest, nonce: Nonce, walletIdentity: WalletIdentity, state: Sensitive<[UInt8]>,
        providerReference: String? = nil
    ) {
        self.request = request
        self.nonce = nonce
        self.walletIdentity = walletIdentity
        self.state = state
        self.providerReference = providerReference
    }
}

/// What the app's backend submitted.
public struct Evidence: Sendable {
    /// The wallet's encrypted answer, as bytes.
    public let encryptedData: Sensitive<[UInt8]>

    /// Evidence from bytes.
    public init(encryptedData: Sensitive<[UInt8]>) {
        self.encryptedData = encryptedData
    }
}
