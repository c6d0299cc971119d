/// Opens what a manifest declares of webhooks.
enum NotificationReceivers {
    /// A receiver, or the first secret that cannot be used as declared.
    static func open(
        _ declaration: WebhooksDeclaration, access: ProviderAccess
    ) throws(CredentialProblem) -> any NotificationReceiver {
        throw CredentialProblem(
            credential: declaration.credentials.first ?? "", problem: "cannot be used by this version yet")
    }
}
