/// What is known of the revocation of a signer and of the authorities above it.
public enum RevocationOutcome: Sendable, Hashable {
    /// No list is configured.
    case notConfigured
    /// No path leads to an anchor, so there is no list that could be asked.
    case notJudged
    /// Current lists cover the whole path and name none of it.
    case good
    /// A list names the signer or an authority above it.
    case revoked
    /// No current list covers the whole path. Never the same as good.
    case undetermined
}

/// What follows when revocation cannot be determined.
public enum RevocationPolicy: String, Sendable, CaseIterable {
    /// The verification ends with the error `revocation_unavailable`.
    case fail
    /// The check is reported as `not_checked`.
    case notChecked = "not_checked"
}
