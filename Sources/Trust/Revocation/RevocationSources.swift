public import VerificationCore

/// The CRLs that are configured, and the policy for what they do not tell.
public struct RevocationSources: Sendable {
    /// What follows when the lists do not tell.
    public let policy: RevocationPolicy
    /// Every list of a file, of whichever authority.
    public let lists: [RevocationList]
    /// The lists that are fetched; `nil` where none is.
    public let fetched: FetchedSources?

    /// Lists that were read before, and those that are fetched.
    public init(lists: [RevocationList], fetched: FetchedSources? = nil, policy: RevocationPolicy) {
        self.lists = lists
        self.fetched = fetched
        self.policy = policy
    }

    /// Reads CRLs, DER or PEM, from files or folders; every file must be good.
    public static func load(
        paths: [String], fetched: FetchedSources? = nil, policy: RevocationPolicy
    ) throws(TrustError) -> RevocationSources {
        var lists: [RevocationList] = []
        var problems: [TrustProblem] = []
        for path in paths {
            for file in TrustFiles.expand(path, maximumLength: RevocationList.maximumLength, &problems) {
                for block in TrustBlocks.blocks(of: file, label: "X509 CRL", &problems) {
                    do throws(CertificateError) {
                        lists.append(try RevocationList(der: block.der, source: file.path))
                    } catch {
                        problems.append(
                            TrustProblem(path: file.path, block: block.number, fault: .revocationList(error)))
                    }
                }
            }
        }
        if !problems.isEmpty { throw TrustError(problems) }
        return RevocationSources(lists: lists, fetched: fetched, policy: policy)
    }

    /// The lists that an authority signed.
    func lists(of authority: Certificate) -> [RevocationList] {
        lists.filter { $0.isIssued(by: authority) }
    }

    /// What lists that its issuer signed say of a certificate: those of files, and those that were fetched.
    func judge(
        _ certificate: Certificate, issuedBy issuer: Certificate, by lists: [RevocationList], at now: Timestamp
    ) -> RevocationOutcome {
        var applicable = lists.filter { $0.fields.scope.covers(certificate) && $0.thisUpdate <= now }
            .map { (list: $0, isRecent: true) }
        if let fetched {
            applicable += fetched.entries(of: issuer, at: now).filter {
                $0.list.fields.scope.covers(certificate) && $0.list.thisUpdate <= now
            }
        }
        guard let newest = applicable.map(\.list.thisUpdate).max() else { return .undetermined }
        let newestLists = applicable.filter { $0.list.thisUpdate == newest }
        // A list that is out of date still knows what it knows: revocation is not undone by waiting.
        if newestLists.contains(where: { $0.list.names(certificate) }) { return .revoked }
        return newestLists.contains { $0.isRecent && $0.list.isCurrent(at: now) } ? .good : .undetermined
    }

    /// What has to be told of the lists at an instant: those that are not current, and those that no anchor signed.
    public func alarms(under trust: TrustStore, at now: Timestamp) -> [TrustAlarm] {
        let told = lists.flatMap { list -> [TrustAlarm] in
            var alarms: [TrustAlarm] = []
            if !list.isCurrent(at: now) {
                alarms.append(TrustAlarm(.revocationListStale, source: list.source, subject: list.issuer.text))
            }
            if !trust.anchors.contains(where: { list.isIssued(by: $0.certificate) }) {
                alarms.append(TrustAlarm(.revocationListUnattributed, source: list.source, subject: list.issuer.text))
            }
            return alarms
        }
        return told + (fetched?.alarms(at: now) ?? [])
    }
}
