public import JSONTree
public import VerificationCore

extension JSONReader {
    /// A duration within a range.
    public func duration(in range: ClosedRange<Duration>) -> Duration? {
        guard let text = string() else { return nil }
        guard let duration = DurationText.duration(text) else {
            report("must be \(DurationText.form)")
            return nil
        }
        guard range.contains(duration) else {
            report("must be from \(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))")
            return nil
        }
        return duration
    }

    /// The duration of a member, or its default where the member is missing.
    public func duration(_ name: String, in range: ClosedRange<Duration>, default value: Duration) -> Duration {
        guard let reader = optional(name) else { return value }
        return reader.duration(in: range) ?? value
    }

    /// The whole number of a member, or its default where the member is missing.
    public func integer(_ name: String, in range: ClosedRange<Int64>, default value: Int64) -> Int {
        guard let reader = optional(name) else { return Int(value) }
        return Int(reader.integer(in: range) ?? value)
    }

    /// An instant with its offset from UTC, such as `2026-04-01T00:00:00+09:00`.
    public func timestamp(_ name: String) -> Timestamp? {
        guard let reader = required(name), let text = reader.string() else { return nil }
        if let time = RFC3339.timestamp(text) { return time }
        reader.report("must be a time with its offset (RFC 3339), such as \"2026-04-01T00:00:00+09:00\"")
        return nil
    }

    /// A day, such as `2026-04-01`.
    public func date(_ name: String) -> CivilDate? {
        guard let reader = required(name), let text = reader.string() else { return nil }
        if let date = CivilDate(text) { return date }
        reader.report("must be a day such as \"2026-04-01\"")
        return nil
    }

    /// Words for people: not empty, no control characters.
    public func words(_ name: String, limit: Int = 500) -> String? {
        guard let reader = required(name) else { return nil }
        return reader.words(limit: limit)
    }

    /// Words for people: not empty, no control characters.
    public func words(limit: Int = 500) -> String? {
        guard let text = string(limit: limit) else { return nil }
        let isBlank = text.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
        if isBlank || text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            report("must be words on one line")
            return nil
        }
        return text
    }

    /// A path in the file system; relative ones start at the working directory. `text` is what was read of this value.
    public func path(_ text: String?) -> String? {
        guard let text else { return nil }
        guard !text.isEmpty, text.utf8.count < 4096, !text.utf8.contains(0) else {
            report("must be a path")
            return nil
        }
        return text
    }

    /// A reference to a secret.
    public func secret(_ name: String) -> SecretReference? { required(name).flatMap(SecretReference.init) }

    /// The strings of an array, each once, with the reader of each.
    func uniqueStrings() -> [(text: String, reader: JSONReader)] {
        var seen: Set<String> = []
        var strings: [(String, JSONReader)] = []
        for reader in elements() ?? [] {
            guard let text = reader.string() else { continue }
            if seen.insert(text).inserted {
                strings.append((text, reader))
            } else {
                reader.report("is in the list already")
            }
        }
        return strings
    }

    /// Notes the problem that a text names nothing known, with the nearest known name, never with the text.
    func reportUnknown(_ text: String, _ what: String, among known: [String]) {
        let nearest = NearestName.of(text, among: known.sorted())
        report("names no \(what)" + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""))
    }
}
