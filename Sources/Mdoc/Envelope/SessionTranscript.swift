import CBOR
public import VerificationCore

/// SessionTranscript (ISO/IEC 18013-5 section 9.1.5.1): what both sides agree the session to be, as raw CBOR.
///
/// The bytes are spliced into DeviceAuthentication as they are; they are never decoded and encoded again.
public struct SessionTranscript: Sendable, Hashable {
    /// The first element of Apple's handover.
    public static let appleHandover = "AppleIdentityPresentment_1.0"

    /// Room for handover, a nonce, two identifiers and a hash; a longer one grows.
    private static let usualLength = 256

    /// The CBOR encoding, without tag 24.
    public let bytes: [UInt8]

    /// A transcript that was made elsewhere: one CBOR array and nothing behind it.
    public init(raw bytes: [UInt8]) throws(MdocError) {
        guard let document = try? CBORDocument(bytes), document.root.kind == .array else { throw .malformed }
        self.bytes = bytes
    }

    /// SessionTranscriptBytes: the same in its wrapping of tag 24.
    public init(wrapped bytes: [UInt8]) throws(MdocError) {
        guard let document = try? CBORDocument(bytes), let inner = try? document.root.tag(24).bytes() else {
            throw .malformed
        }
        try self.init(raw: Array(inner))
    }

    /// The transcript of a request from an app to Apple Wallet:
    /// `[null, null, ["AppleIdentityPresentment_1.0", nonce, merchant, team, SHA-256 of the recipient's point]]`.
    public init(
        appleInApp nonce: Nonce, walletIdentity: WalletIdentity, recipientKeyHash: some Collection<UInt8>
    ) {
        var encoder = CBOREncoder(capacity: SessionTranscript.usualLength)
        encoder.array(count: 3)
        encoder.null()
        encoder.null()
        encoder.array(count: 5)
        encoder.text(SessionTranscript.appleHandover)
        encoder.byteString(nonce.bytes)
        encoder.text(walletIdentity.merchantIdentifier)
        encoder.text(walletIdentity.teamIdentifier)
        encoder.byteString(recipientKeyHash)
        bytes = encoder.bytes
    }
}
