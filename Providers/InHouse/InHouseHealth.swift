import Mdoc
import Trust
public import VerificationCore

extension InHouseVerifier: HealthReporting {
    /// Ready while an anchor can be used; alarms for anchors, lists and the certificates of wallet keys.
    public func health(at now: Timestamp) -> VerifierHealth {
        let trust = configuration.trust?.alarms(at: now) ?? []
        let lists = configuration.trust.flatMap { configuration.revocation?.alarms(under: $0, at: now) } ?? []
        let alarms =
            (trust + lists).map {
                VerifierHealth.Alarm(code: $0.code.rawValue, subject: $0.source, daysLeft: $0.daysLeft)
            } + certificates.compactMap { $0.alarm(at: now) }
        let isReady = configuration.mode == .simulator || configuration.trust?.isUsable(at: now) ?? false
        return VerifierHealth(isReady: isReady, alarms: alarms, certificates: certificates)
    }

    private var certificates: [HeldCertificate] {
        configuration.wallet.keys.compactMap { key in
            (key.certificate?.validity).map {
                HeldCertificate(use: .wallet, name: key.name, validFrom: $0.notBefore, validUntil: $0.notAfter)
            }
        }
    }

    /// What was read when the verifier was opened.
    public var parts: [LoadedPart] {
        let anchors = (configuration.trust?.anchors ?? []).map {
            LoadedPart(.trustAnchor, $0.source, .digest($0.certificate.fingerprint))
        }
        let lists = (configuration.revocation?.lists ?? []).map {
            LoadedPart(.revocationList, $0.source, .digest($0.fingerprint))
        }
        let keys = configuration.wallet.keys.flatMap { key in
            let hash = key.recipient.hash
            let certificate = key.certificate.map { LoadedPart(.walletCertificate, key.name, .digest($0.fingerprint)) }
            return [LoadedPart(.walletKey, ByteText.hex(hash.prefix(4)), .digest(hash))]
                + [certificate].compactMap(\.self)
        }
        return anchors + lists + keys
    }
}
