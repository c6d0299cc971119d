import Cryptography
import HPKE
import VerificationCore

extension Examination {
    /// `envelope`, `recipient_key`, `session_binding` and `decryption`; the plaintext where all that it takes is there.
    mutating func open(_ bytes: [UInt8], nonce: Nonce, walletIdentity: WalletIdentity) -> [UInt8]? {
        guard let envelope = readEnvelope(bytes) else { return nil }
        let key = configuration.recipientKeys.first { constantTimeEquals($0.hash, envelope.recipientKeyHash) }
        settle(.recipientKey, key == nil ? .recipientKeyUnknown : nil)
        let transcript = SessionTranscript(
            appleInApp: nonce, walletIdentity: walletIdentity, recipientKeyHash: envelope.recipientKeyHash)
        self.transcript = transcript
        let isBound = constantTimeEquals(Hash.sha256(transcript.bytes), envelope.infoHash)
        guard let key else {
            // A match tells that the answer is this session's. A mismatch may come of the foreign key hash alone.
            if isBound { report.pass(.sessionBinding) }
            return nil
        }
        settle(.sessionBinding, isBound ? nil : .sessionMismatch)
        // infoHash is only the sender's word, and HPKE binds the transcript itself: it is tried whatever the word. Under
        // another session's transcript a failure says nothing of the ciphertext.
        let plaintext = try? HPKE.open(
            enc: envelope.ephemeralKey, ciphertext: envelope.ciphertext, recipient: key.privateKey,
            info: transcript.bytes)
        if plaintext != nil || isBound { settle(.decryption, plaintext == nil ? .decryptionFailed : nil) }
        return plaintext
    }

    private mutating func readEnvelope(_ bytes: [UInt8]) -> AppleEnvelope? {
        do throws(EnvelopeError) {
            let envelope = try AppleEnvelope(bytes)
            report.pass(.envelope)
            return envelope
        } catch {
            switch error {
            case .malformed: report.fail(.envelope, .evidenceMalformed)
            case .unsupported: report.fail(.envelope, .envelopeUnsupported)
            }
        }
        return nil
    }
}
