import JSONTree
import VerificationCore

extension ConfigurationReading {
    /// The most names that one method can have had: a law that moves its letters every year for a lifetime.
    private static let mostEntries = 100

    /// The legal methods by their codes. Their days leave no gap and do not overlap, and the last one that began holds
    /// today: a verification under a method that the law does not name is worth nothing.
    func legalMethods() -> [String: LegalMethodTable] {
        guard let dictionary = root.optionalObject("legal_methods") else { return [:] }
        var tables: [String: LegalMethodTable] = [:]
        for (code, reader) in dictionary.entries() {
            if !ConfiguredName.isValid(code) {
                reader.report("has a name that is not plain: \(ConfiguredName.form)")
            }
            if let table = table(code, reader) { tables[code] = table }
        }
        return tables
    }

    private func table(_ code: String, _ list: JSONReader) -> LegalMethodTable? {
        guard let readers = list.elements() else { return nil }
        guard (1...Self.mostEntries).contains(readers.count) else {
            list.report("must hold 1 to \(Self.mostEntries) names of the method")
            return nil
        }
        var entries: [LegalMethodTable.Entry] = []
        for reader in readers {
            guard let entry = entry(reader, after: entries.last) else { return nil }
            entries.append(entry)
        }
        let table = LegalMethodTable(code: code, entries: entries)
        // What is recalled from a store was judged when it ran.
        if !isRecalled, table.method(on: LegalCalendar.day(of: now)) == nil {
            list.report("has no name for the method today")
        }
        return table
    }

    private func entry(_ reader: JSONReader, after last: LegalMethodTable.Entry?) -> LegalMethodTable.Entry? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let policy = reader.optional("policy").flatMap { $0.words(limit: 200) }
        let procedure = reader.words("procedure", limit: 200)
        let until = reader.optional("until") == nil ? nil : reader.date("until")
        guard let from = reader.date("from"), let procedure else { return nil }
        if let until, until <= from {
            reader.report("must come after from: it is the first day after", member: "until")
        }
        if let last {
            if from <= last.from {
                reader.report("must come after the from of the name before", member: "from")
            } else if let end = last.until, from < end {
                reader.report("overlaps the name before, which holds until \(end)", member: "from")
            } else if let end = last.until, from > end {
                reader.report("leaves a gap: the name before holds until \(end)", member: "from")
            }
        }
        // Where it is not said again, the law is the one of the name before.
        return LegalMethodTable.Entry(from: from, until: until, policy: policy ?? last?.policy, procedure: procedure)
    }

    /// What a purpose says of its method: a code, or the method itself as the law names it.
    func purposeMethod(
        _ purpose: JSONReader, among tables: [String: LegalMethodTable]
    ) -> (method: LegalMethod?, table: LegalMethodTable?) {
        guard let reader = purpose.optional("legal_method") else { return (nil, nil) }
        guard let code = reader.node.string else {
            guard reader.node.members != nil else {
                reader.report("must be a code of legal_methods, or an object with procedure and law_as_of")
                return (nil, nil)
            }
            return (inlineMethod(reader), nil)
        }
        if !isDeclared(code, in: "legal_methods") {
            reader.reportUnknown(code, "legal method", among: Array(tables.keys))
        }
        return (nil, tables[code])
    }

    private func inlineMethod(_ reader: JSONReader) -> LegalMethod? {
        defer { reader.rejectUnknownKeys() }
        let policy = reader.optional("policy")?.words(limit: 200)
        let procedure = reader.words("procedure", limit: 200)
        guard let date = reader.date("law_as_of"), let procedure else { return nil }
        return LegalMethod(policy: policy, procedure: procedure, lawAsOf: date)
    }
}
