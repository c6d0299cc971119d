/// What usage can be shown by.
public enum UsageGrouping: String, Sendable, CaseIterable, Hashable {
    case verifier, client, purpose, day
}

extension UsageGrouping {
    /// Groupings with commas between, each once; an empty text is none of them; `nil` where a name is unknown.
    public static func list(_ text: String) -> [UsageGrouping]? {
        guard !text.isEmpty else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let groupings = names.compactMap { UsageGrouping(rawValue: $0) }
        return groupings.count == names.count && Set(groupings).count == names.count ? groupings : nil
    }
}
