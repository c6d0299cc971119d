import VerificationCore
import WebhookSignatures

/// Opens what a manifest declares of webhooks.
enum NotificationReceivers {
    /// A receiver, or the first secret that cannot be used as declared.
    static func open(
        _ declaration: WebhooksDeclaration, access: ProviderAccess
    ) throws(CredentialProblem) -> any NotificationReceiver {
        let reading = CredentialReading(access: access)
        var secrets: [WebhookSecret] = []
        for name in declaration.credentials {
            secrets.append(try secret(name, declaration.signature, reading))
        }
        guard let secrets = WebhookSecrets(secrets) else {
            throw CredentialProblem(
                credential: declaration.credentials.first ?? "",
                problem: "must be one of 1 to \(WebhookSecrets.most) secrets for webhooks")
        }
        return SignedReceiver(declaration: declaration, secrets: secrets)
    }

    private static func secret(
        _ name: CredentialName, _ scheme: WebhooksDeclaration.Scheme, _ reading: CredentialReading
    ) throws(CredentialProblem) -> WebhookSecret {
        let bytes = try reading.bytes(name)
        switch scheme {
        case .standard:
            guard let secret = bytes.withValue({ WebhookSecret(standard: $0) }) else {
                throw CredentialProblem(
                    credential: name,
                    problem: "is no Standard Webhooks secret: \(WebhookSecret.standardPrefix) and base64 of "
                        + "\(WebhookSecret.standardLengths.lowerBound) to \(WebhookSecret.standardLengths.upperBound) bytes"
                )
            }
            return secret
        case .timestamped, .hmac:
            guard let secret = bytes.withValue({ WebhookSecret(bytes: $0) }) else {
                throw CredentialProblem(
                    credential: name,
                    problem:
                        "must have \(WebhookSecret.lengths.lowerBound) to \(WebhookSecret.lengths.upperBound) bytes")
            }
            return secret
        }
    }
}
