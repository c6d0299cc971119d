/// What a verifier demands of a response.
public enum VerificationMode: String, Sendable, CaseIterable, Hashable {
    /// Everything.
    case live
    /// What the iOS simulator and Wallet's developer profile can give: there is no issuer to trust and perhaps no device key,
    /// so `issuer_certificate`, `issuer_signature` and `device_signature` are not checked and every result is simulated.
    case simulator
}
