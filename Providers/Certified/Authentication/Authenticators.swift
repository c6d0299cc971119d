/// Opens what a manifest declares of authentication.
enum Authenticators {
    /// One authenticator for all declarations together, or the first secret that cannot be used as declared.
    static func open(
        _ declarations: [AuthenticationDeclaration], access: ProviderAccess
    ) throws(CredentialProblem) -> any RequestAuthenticator {
        guard declarations.isEmpty else {
            throw CredentialProblem(
                credential: declarations[0].credentials.min() ?? "", problem: "cannot be used by this version yet")
        }
        return NoAuthentication()
    }
}
