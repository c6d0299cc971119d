import VerificationCore
import WebhookSignatures

/// Secrets and headers as these tests write them.
enum Scene {
    static let now = Timestamp(seconds: 1_796_029_200)

    static func plain(_ texts: String...) -> WebhookSecrets? {
        WebhookSecrets(texts.compactMap { WebhookSecret(bytes: Array($0.utf8)) })
    }

    static func standard(_ texts: String...) -> WebhookSecrets? {
        WebhookSecrets(texts.compactMap { WebhookSecret(standard: Array($0.utf8)) })
    }

    /// The error of a check, or `nil` where it passed.
    static func error(of check: () throws(WebhookError) -> Void) -> WebhookError? {
        do throws(WebhookError) {
            try check()
            return nil
        } catch { return error }
    }
}

extension Timestamp {
    func plus(_ seconds: Int64, milliseconds: Int64 = 0) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds + seconds * 1000 + milliseconds)
    }
}
