import Billing
import Configuration
import Gateway
import JSONTree
import VerificationCore
import WebhookSignatures

/// A configuration that was read, checked and opened whole, as a start and a reload both need it. Opening changes
/// nothing outside itself.
struct OpenedConfiguration: Sendable {
    let configuration: GatewayConfiguration
    let keys: SealingKeys
    let verifiers: [OpenedVerifier]
    /// How clients are told that their sessions ended, with the secrets that sign.
    let webhooks: [ClientID: Webhook]
    /// How the operators are told what they should know.
    let operatorWebhook: Webhook?
    /// The secrets of the webhooks, to tell whether they were rotated.
    let webhookSecrets: [(owner: String, part: LoadedPart)]

    /// What the invoices of verifiers look like, where their manifests say so.
    var invoiceFormats: [VerifierID: InvoiceFormat] { VerifierKinds.invoiceFormats(of: configuration) }

    /// What the verifiers say of themselves.
    var descriptions: [VerifierID: VerifierDescription] { OpenedConfiguration.descriptions(of: verifiers) }

    /// What was read from outside the configuration. Secrets are told apart under the sealing key `keyID`, or under the one
    /// that seals.
    func inventory(keyID: String? = nil) -> Inventory {
        var parts = webhookSecrets + configuration.pricesParts.map { (owner: "prices", part: $0) }
        for declaration in configuration.orderedVerifiers {
            let opened = verifiers.first { $0.description.id == declaration.id }
            parts += (opened?.parts ?? []).map { (owner: declaration.path, part: $0) }
        }
        return Inventory(parts, offers: descriptions.mapValues(\.offer), keys: keys, keyID: keyID)
    }

    /// Reads and opens. Blocks: it reads files and runs the commands of secrets.
    static func open(
        path: String, outbound: Outbound, at now: Timestamp
    ) throws(JSONProblems) -> OpenedConfiguration {
        let loader = ConfigurationLoader(kinds: VerifierKinds.checkers)
        let configuration = try loader.load(path: path, at: now)
        let keys: SealingKeys
        do throws(SealingKeys.Problem) {
            keys = try SealingKeys(configuration.sealingKeys.map { ($0.id, $0.key) })
        } catch {
            throw JSONProblems([JSONProblem(path: "sealing.keys", line: 1, problem: error.description)])
        }
        let context = KindContext(environment: configuration.environment, now: now, resolver: loader.resolver)
        var problems: [JSONProblem] = []
        var opened: [OpenedVerifier] = []
        for declaration in configuration.orderedVerifiers {
            do throws(JSONProblems) {
                opened.append(try open(declaration, context, outbound))
            } catch {
                problems += error.problems
            }
        }
        // Whose evidence a verifier can judge, only an open one tells.
        if problems.isEmpty {
            problems += EvidenceRule.problems(of: configuration, descriptions: descriptions(of: opened), at: now)
        }
        var secrets: [(owner: String, part: LoadedPart)] = []
        let webhooks = webhooks(of: configuration, loader.resolver, &secrets, &problems)
        let operatorWebhook = configuration.operatorWebhook.flatMap {
            open($0, at: "operators", loader.resolver, &secrets, &problems)
        }
        guard problems.isEmpty else { throw JSONProblems(problems) }
        return OpenedConfiguration(
            configuration: configuration, keys: keys, verifiers: opened, webhooks: webhooks,
            operatorWebhook: operatorWebhook, webhookSecrets: secrets)
    }

    private static func descriptions(of verifiers: [OpenedVerifier]) -> [VerifierID: VerifierDescription] {
        Dictionary(verifiers.map { ($0.description.id, $0.description) }, uniquingKeysWith: { first, _ in first })
    }

    private static func webhooks(
        of configuration: GatewayConfiguration, _ resolver: SecretResolver,
        _ secrets: inout [(owner: String, part: LoadedPart)], _ problems: inout [JSONProblem]
    ) -> [ClientID: Webhook] {
        var webhooks: [ClientID: Webhook] = [:]
        for client in configuration.clients.values {
            guard let webhook = client.webhook else { continue }
            webhooks[client.id] = open(
                webhook, at: JSONPath.member(client.id.rawValue, of: "clients"), resolver, &secrets, &problems)
        }
        return webhooks
    }

    private static func open(
        _ webhook: WebhookDeclaration, at owner: String, _ resolver: SecretResolver,
        _ secrets: inout [(owner: String, part: LoadedPart)], _ problems: inout [JSONProblem]
    ) -> Webhook? {
        let resolved = webhook.secrets.compactMap { try? $0.resolve(using: resolver) }
        let keys = resolved.compactMap { $0.withValue { WebhookSecret(standard: $0) } }
        secrets += resolved.map { (owner, LoadedPart(.webhookSecret, "webhook.secrets", .secret($0))) }
        // They were there and good when the configuration was read, an instant ago.
        guard keys.count == webhook.secrets.count, let all = WebhookSecrets(keys) else {
            problems.append(JSONProblem(path: owner + ".webhook.secrets", line: 1, problem: "cannot be read any more"))
            return nil
        }
        return Webhook(url: Sensitive(webhook.url.text), secrets: all)
    }

    private static func open(
        _ declaration: VerifierDeclaration, _ context: KindContext, _ outbound: Outbound
    ) throws(JSONProblems) -> OpenedVerifier {
        guard let kind = VerifierKinds.all.first(where: { $0.name == declaration.kind }) else {
            throw JSONProblems([VerifierKinds.unknown(declaration)])
        }
        return try kind.open(declaration, context, outbound)
    }
}
