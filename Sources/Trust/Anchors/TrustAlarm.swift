/// Something about the configured trust that an operator has to know.
public struct TrustAlarm: Sendable, Hashable {
    /// What it is about; the names are the interface.
    public enum Code: String, Sendable, CaseIterable {
        /// An anchor has run out and is not used any more.
        case trustAnchorExpired = "trust_anchor_expired"
        /// An anchor runs out within 30 days.
        case trustAnchorExpiring = "trust_anchor_expiring"
        /// An anchor's time has not come yet.
        case trustAnchorNotYetValid = "trust_anchor_not_yet_valid"
        /// A CRL is out of date, or ahead of the clock, or does not say when the next is due.
        case revocationListStale = "revocation_list_stale"
        /// A CRL is signed by none of the anchors.
        case revocationListUnattributed = "revocation_list_unattributed"
        /// The last try to fetch a CRL brought nothing that could be used.
        case revocationListFetchFailed = "revocation_list_fetch_failed"
        /// A CRL that is to be fetched is not here yet.
        case revocationListMissing = "revocation_list_missing"
    }

    /// What it is about.
    public let code: Code
    /// The file or the address.
    public let source: String
    /// The name in the anchor or of the CRL's issuer; why a fetch failed.
    public let subject: String
    /// Whole days until the anchor runs out, where it is expiring.
    public let daysLeft: Int?

    init(_ code: Code, source: String, subject: String, daysLeft: Int? = nil) {
        self.code = code
        self.source = source
        self.subject = subject
        self.daysLeft = daysLeft
    }
}
