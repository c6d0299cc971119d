import Configuration
import Gateway
import JSONTree
import VerificationCore

/// A configuration that was read, checked and opened whole, as a start and a reload both need it. Opening changes
/// nothing outside itself.
struct OpenedConfiguration: Sendable {
    let configuration: GatewayConfiguration
    let keys: SealingKeys
    let verifiers: [OpenedVerifier]

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
        guard problems.isEmpty else { throw JSONProblems(problems) }
        return OpenedConfiguration(configuration: configuration, keys: keys, verifiers: opened)
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
