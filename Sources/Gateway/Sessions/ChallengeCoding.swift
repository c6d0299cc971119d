import CBOR
import VerificationCore

/// How a challenge stands inside a sealed part, where it must be whole by itself.
enum ChallengeCoding {
    static func encode(_ challenge: Challenge, into encoder: inout CBOREncoder) {
        encoder.map(count: 8)
        encoder.text("session")
        encoder.text(challenge.request.session.rawValue)
        encoder.text("purpose")
        PurposeCoding.encode(challenge.request.purpose, into: &encoder)
        encoder.text("document")
        encoder.text(challenge.request.documentType)
        encoder.text("nonce")
        encoder.byteString(challenge.nonce.bytes)
        encoder.text("merchant")
        encoder.text(challenge.walletIdentity.merchantIdentifier)
        encoder.text("team")
        encoder.text(challenge.walletIdentity.teamIdentifier)
        encoder.text("state")
        challenge.state.withValue { encoder.byteString($0) }
        encoder.text("reference")
        if let reference = challenge.providerReference { encoder.text(reference) } else { encoder.null() }
    }

    static func challenge(_ item: CBORItem) throws(CBORError) -> Challenge {
        guard let nonce = Nonce(Array(try item.require("nonce").bytes())) else { throw .wrongType }
        let request = VerificationRequest(
            session: SessionID(try item.require("session").text()),
            purpose: try PurposeCoding.purpose(try item.require("purpose")),
            documentType: try item.require("document").text(), nonce: nonce)
        return Challenge(
            request: request, nonce: nonce,
            walletIdentity: WalletIdentity(
                merchantIdentifier: try item.require("merchant").text(),
                teamIdentifier: try item.require("team").text()),
            state: Sensitive(Array(try item.require("state").bytes())),
            providerReference: try optionalText(try item.require("reference")))
    }
}
