import JSONTree
import VerificationCore
import WebhookSignatures

extension ConfigurationReading {
    /// The most secrets of a webhook: the one in use, and the next.
    static let mostWebhookSecrets = 2

    func webhook(
        of client: JSONReader, role: ClientDeclaration.Role?, in environment: DeploymentEnvironment
    ) -> WebhookDeclaration? {
        guard let reader = client.optionalObject("webhook") else { return nil }
        if role != nil, role != .app { reader.report("only a client with the role \"app\" opens sessions that end") }
        return webhook(reader, in: environment)
    }

    /// Where the operators are told that a limit of a budget was reached.
    func operatorWebhook(in environment: DeploymentEnvironment) -> WebhookDeclaration? {
        guard let operators = root.optionalObject("operators") else { return nil }
        defer { operators.rejectUnknownKeys() }
        return operators.object("webhook").flatMap { webhook($0, in: environment) }
    }

    private func webhook(_ reader: JSONReader, in environment: DeploymentEnvironment) -> WebhookDeclaration? {
        defer { reader.rejectUnknownKeys() }
        let url = webhookAddress(reader, in: environment)
        guard let list = reader.required("secrets"), let readers = list.elements() else { return nil }
        if readers.isEmpty || readers.count > ConfigurationReading.mostWebhookSecrets {
            list.report("must hold 1 to \(ConfigurationReading.mostWebhookSecrets) secrets; each signs every message")
        }
        var secrets: [SecretReference] = []
        for place in readers {
            guard let reference = SecretReference(place) else { continue }
            if !isRecalled { judge(reference, at: place) }
            if secrets.contains(reference) { place.report("is in the list already") }
            secrets.append(reference)
        }
        return url.map { WebhookDeclaration(url: $0, secrets: secrets) }
    }

    private func webhookAddress(_ reader: JSONReader, in environment: DeploymentEnvironment) -> WebAddress? {
        guard let member = reader.required("url"), let text = member.string() else { return nil }
        // One with a user name is told of already, and is a secret.
        guard !WebAddress.hasUser(text) else { return nil }
        guard let url = WebAddress(text) else {
            member.report("must be an address such as \"https://app.example.jp/sekisho/ended\"")
            return nil
        }
        if !url.isSecure, environment == .production || !url.isLoopback {
            member.report("must be https: plain http is for this machine alone, outside production")
        }
        return url
    }

    /// Whoever has a webhook's secret can say what we never said; a short one can be searched for.
    private func judge(_ reference: SecretReference, at place: JSONReader) {
        do throws(SecretProblem) {
            let secret = try resolver.secret(reference)
            if secret.withValue({ WebhookSecret(standard: $0) }) == nil {
                place.report(
                    "is no secret of Standard Webhooks: \(WebhookSecret.standardPrefix) and "
                        + "\(WebhookSecret.standardLengths.lowerBound) to \(WebhookSecret.standardLengths.upperBound) "
                        + "bytes in base64")
            }
        } catch {
            place.report(error.words)
        }
    }
}
