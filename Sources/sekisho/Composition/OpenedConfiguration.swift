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

    /// What the invoices of verifiers look like, where their manifests say so.
    var invoiceFormats: [VerifierID: InvoiceFormat] { VerifierKinds.invoiceFormats(of: configuration) }

    /// What the verifiers say of themselves.
    var descriptions: [VerifierID: VerifierDescription] { OpenedConfiguration.descriptions(of: verifiers) }

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
        let webhooks = webhooks(of: configuration, loader.resolver, &problems)
        let operatorWebhook = configuration.operatorWebhook.flatMap {
            open($0, at: "operators", loader.resolver, &problems)
        }
        guard problems.isEmpty else { throw JSONProblems(problems) }
        return OpenedConfiguration(
            configuration: configuration, keys: keys, verifiers: opened, webhooks: webhooks,
            operatorWebhook: operatorWebhook)
    }

    private static func descriptions(of verifiers: [OpenedVerifier]) -> [VerifierID: VerifierDescription] {
        Dictionary(verifiers.map { ($0.description.id, $0.description) }, uniquingKeysWith: { first, _ in first })
    }

    private static func webhooks(
        of configuration: GatewayConfiguration, _ resolver: SecretResolver, _ problems: inout [JSONProblem]
    ) -> [ClientID: Webhook] {
        var webhooks: [ClientID: Webhook] = [:]
        for client in configuration.clients.values {
            guard let webhook = client.webhook else { continue }
            webhooks[client.id] = open(
                webhook, at: JSONPath.member(client.id.rawValue, of: "clients"), resolver, &problems)
        }
        return webhooks
    }

    private static func open(
        _ webhook: WebhookDeclaration, at path: String, _ resolver: SecretResolver, _ problems: inout [JSONProblem]
    ) -> Webhook? {
        let secrets = webhook.secrets.compactMap { reference in
            (try? reference.resolve(using: resolver))?.withValue { WebhookSecret(standard: $0) }
        }
        // They were there and good when the configuration was read, an instant ago.
        guard secrets.count == webhook.secrets.count, let all = WebhookSecrets(secrets) else {
            problems.append(JSONProblem(path: path + ".webhook.secrets", line: 1, problem: "cannot be read any more"))
            return nil
        }
        return Webhook(url: Sensitive(webhook.url.text), secrets: all)
    }

    private static func open(
        _ declaration: VerifierDeclaration, _ context: KindContext, _ outbound: Outbound
    ) throws(JSONProblems) -> OpenedVerifier {
        guard let kind = VerifierKinds.all.first(where: { $0.name == declaration.kind }) else {
            throw JSONProblems([
                JSONProblem(
                    path: declaration.path, line: declaration.node.line, problem: "is of a kind that nobody knows")
            ])
        }
        return try kind.open(declaration, context, outbound)
    }
}
