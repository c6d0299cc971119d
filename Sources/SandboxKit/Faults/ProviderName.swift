/// The providers that the sandbox plays.
public enum ProviderName: String, Sendable, CaseIterable, Hashable {
    /// Answers at once; a key in a header, JSON, and an idempotency key that it honours.
    case alpha
    /// OAuth 2.0, forms, a nonce and a wallet identity of its own; answers when it is polled.
    case beta
    /// Signed requests; answers by a signed webhook.
    case gamma
}

/// What a call to a provider, or from it, is about.
public enum ProviderStep: String, Sendable, CaseIterable, Hashable {
    /// A token is asked for.
    case token
    /// A verification is opened.
    case begin
    /// Evidence is handed over.
    case submit
    /// The result is asked for.
    case poll
    /// It is asked what became of a submission.
    case fetch
    /// Data is to be erased.
    case erase
    /// A notification goes out.
    case webhook
}
