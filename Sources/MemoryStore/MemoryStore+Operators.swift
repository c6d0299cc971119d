public import VerificationCore

extension MemoryStore {
    public func sessions(
        _ filter: SessionFilter, olderThan cursor: SessionCursor?, limit: Int
    ) async throws(StoreError) -> [SessionRecord] {
        try read { state throws(StoreError) in
            let found = state.sessions.values.filter { record in
                filter.matches(record)
                    && (cursor.map { (record.createdAt, record.id.rawValue) < ($0.createdAt, $0.id.rawValue) } ?? true)
            }.sorted { ($0.createdAt, $0.id.rawValue) > ($1.createdAt, $1.id.rawValue) }
            return Array(found.prefix(max(0, limit)))
        }
    }

    public func pinned() async throws(StoreError) -> [PinnedSessions] {
        try read { state throws(StoreError) in
            let groups = Dictionary(grouping: state.sessions.values.filter { !$0.status.isFinal }) {
                PinnedSessions(
                    verifier: $0.verifier, status: $0.status, configurationVersion: $0.configurationVersion, count: 0)
            }
            return groups.map { group, members in
                PinnedSessions(
                    verifier: group.verifier, status: group.status, configurationVersion: group.configurationVersion,
                    count: members.count)
            }.sorted {
                ($0.verifier.rawValue, $0.configurationVersion, $0.status.rawValue)
                    < ($1.verifier.rawValue, $1.configurationVersion, $1.status.rawValue)
            }
        }
    }

    public func addShadowCounts(_ counts: [ShadowCount]) async throws(StoreError) {
        try transaction { state throws(StoreError) in
            for var count in counts {
                let more = count.count
                count.count = 0
                state.shadowCounts[count, default: 0] += more
            }
        }
    }

    public func shadowCounts(from: CivilDate, until: CivilDate) async throws(StoreError) -> [ShadowCount] {
        try read { state throws(StoreError) in
            state.shadowCounts.compactMap { key, count in
                guard from <= key.day, key.day < until else { return nil }
                var key = key
                key.count = count
                return key
            }.sorted { $0.order < $1.order }
        }
    }

    public func replaceSetting(_ name: String, with value: [UInt8]?) async throws(StoreError) {
        try transaction { state throws(StoreError) in state.settings[name] = value }
    }
}

extension ShadowCount {
    fileprivate var order: (CivilDate, String, String, String, String) {
        (day, primary.rawValue, shadow.rawValue, subject, outcome.rawValue)
    }
}

extension SessionFilter {
    /// Whether a session is looked for.
    fileprivate func matches(_ record: SessionRecord) -> Bool {
        (statuses.isEmpty || statuses.contains(record.status))
            && (verifier.map { $0 == record.verifier } ?? true)
            && (client.map { $0 == record.client } ?? true)
            && (purpose.map { $0 == record.purpose } ?? true)
            && (reason.map { record.report?.reasons.contains($0) ?? false } ?? true)
            && (createdFrom.map { $0 <= record.createdAt } ?? true)
            && (createdBefore.map { record.createdAt < $0 } ?? true)
            && (referenceIndexes.isEmpty || (record.referenceIndex.map(referenceIndexes.contains) ?? false))
    }
}
