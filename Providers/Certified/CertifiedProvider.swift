public import Configuration
public import JSONTree

/// The kind `certified`: a provider verifies, over an API that a manifest describes.
public enum CertifiedProvider {
    /// The kind's name in a configuration.
    public static let kind = "certified"

    /// Notes everything that is wrong with a declaration and with its manifest; a `KindChecker`. It reads the files and secrets
    /// that the declaration names, and calls nobody.
    public static func check(_ declaration: VerifierDeclaration, in context: KindContext, problems: JSONProblemList) {
        _ = CertifiedConfiguration(declaration, in: context, problems: problems)
    }

    /// Opens a verifier that sends by a client, or throws everything that is wrong with its declaration.
    public static func open(
        _ declaration: VerifierDeclaration, in context: KindContext, client: any OutboundSending
    ) throws(JSONProblems) -> CertifiedVerifier {
        let problems = JSONProblemList()
        let configuration = CertifiedConfiguration(declaration, in: context, problems: problems)
        try problems.throwIfAny()
        guard let configuration else {
            throw JSONProblems([
                JSONProblem(path: declaration.path, line: declaration.node.line, problem: "is incomplete")
            ])
        }
        let access = configuration.access(by: client)
        do throws(CredentialProblem) {
            let authenticator = try Authenticators.open(configuration.manifest.authentication, access: access)
            var receiver: (any NotificationReceiver)?
            if let webhooks = configuration.manifest.webhooks {
                receiver = try NotificationReceivers.open(webhooks, access: access)
            }
            return CertifiedVerifier(configuration, access: access, authenticator: authenticator, receiver: receiver)
        } catch {
            throw JSONProblems([
                JSONProblem(
                    path: "\(declaration.path).credentials.\(error.credential)", line: declaration.node.line,
                    problem: error.problem)
            ])
        }
    }
}
