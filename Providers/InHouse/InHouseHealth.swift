import Mdoc
import Trust
public import VerificationCore

extension InHouseVerifier: HealthReporting {
    /// A certificate is announced as running out so long before its end.
    static let expiryNotice = Duration.seconds(30 * 86_400)

    /// Ready while an anchor can be used; alarms for anchors, lists and the certificates of wallet keys.
    public func health(at now: Timestamp) -> VerifierHealth {
        let trust = configuration.trust?.alarms(at: now) ?? []
        let lists = configuration.trust.flatMap { configuration.revocation?.alarms(under: $0, at: now) } ?? []
        let alarms =
            (trust + lists).map {
                VerifierHealth.Alarm(code: $0.code.rawValue, subject: $0.source, daysLeft: $0.daysLeft)
            } + configuration.wallet.keys.compactMap { $0.alarm(at: now) }
        let isReady = configuration.mode == .simulator || configuration.trust?.isUsable(at: now) ?? false
        return VerifierHealth(isReady: isReady, alarms: alarms)
    }
}

extension WalletKey {
    /// What has to be told of the certificate at an instant.
    func alarm(at now: Timestamp) -> VerifierHealth.Alarm? {
        guard let validity = certificate?.validity else { return nil }
        if now < validity.notBefore {
            return VerifierHealth.Alarm(code: "wallet_certificate_not_yet_valid", subject: name, daysLeft: nil)
        }
        let left = validity.notAfter.duration(since: now)
        guard left <= InHouseVerifier.expiryNotice else { return nil }
        let days = Int((Double(left.components.seconds) / 86_400).rounded(.down))
        let code = now > validity.notAfter ? "wallet_certificate_expired" : "wallet_certificate_expiring"
        return VerifierHealth.Alarm(code: code, subject: name, daysLeft: days)
    }
}
