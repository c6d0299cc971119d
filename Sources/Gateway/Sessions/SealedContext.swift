import CBOR
import VerificationCore

/// What a session needs until its verdict and nobody may read meanwhile: the app's reference, the purpose as it was
/// when the session was created, the verifier's challenge state, and the fallback that is being asked, if one is.
struct SealedContext: Sendable {
    /// A verifier that was asked after the pinned one had failed; from then on it is the one that is waited for.
    struct Fallback: Sendable {
        var verifier: VerifierID
        var attempt: AttemptID
        var state: Sensitive<[UInt8]>
        var providerReference: String?
    }

    var reference: String?
    var purpose: Purpose
    var challengeState: Sensitive<[UInt8]>
    var fallback: Fallback?

    func encoded() -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.map(count: 4)
        encoder.text("reference")
        if let reference { encoder.text(reference) } else { encoder.null() }
        encoder.text("purpose")
        PurposeCoding.encode(purpose, into: &encoder)
        encoder.text("state")
        challengeState.withValue { encoder.byteString($0) }
        encoder.text("fallback")
        if let fallback { encode(fallback, into: &encoder) } else { encoder.null() }
        return encoder.bytes
    }

    init(reference: String?, purpose: Purpose, challengeState: Sensitive<[UInt8]>) {
        self.reference = reference
        self.purpose = purpose
        self.challengeState = challengeState
    }

    init(decoding bytes: [UInt8]) throws(CBORError) {
        let root = try CBORDocument(bytes).root
        self.reference = try optionalText(try root.require("reference"))
        self.purpose = try PurposeCoding.purpose(try root.require("purpose"))
        self.challengeState = Sensitive(Array(try root.require("state").bytes()))
        self.fallback = try Self.fallback(root["fallback"])
    }

    private func encode(_ fallback: Fallback, into encoder: inout CBOREncoder) {
        encoder.map(count: 4)
        encoder.text("verifier")
        encoder.text(fallback.verifier.rawValue)
        encoder.text("attempt")
        encoder.text(fallback.attempt.rawValue)
        encoder.text("state")
        fallback.state.withValue { encoder.byteString($0) }
        encoder.text("reference")
        if let reference = fallback.providerReference { encoder.text(reference) } else { encoder.null() }
    }

    /// Sessions sealed by the first version have no such member: nobody fell back then.
    private static func fallback(_ item: CBORItem?) throws(CBORError) -> Fallback? {
        guard let item, item.kind != .null else { return nil }
        return Fallback(
            verifier: VerifierID(try item.require("verifier").text()),
            attempt: AttemptID(try item.require("attempt").text()),
            state: Sensitive(Array(try item.require("state").bytes())),
            providerReference: try optionalText(try item.require("reference")))
    }
}
