import VerificationCore

/// A search for sessions, as the statements that answer it.
///
/// For each statement one condition is given to its index, and the others get a plus sign, which keeps SQLite from
/// choosing one of them: without statistics it would guess. Several values of the chosen condition are one statement
/// each, because only then does the index give the order, so that no statement reads more than it returns needs.
struct SessionSearch {
    struct Statement {
        let sql: String
        let values: [SQLValue]
    }

    /// The most sessions that one search returns: it is read on one thread and held in memory.
    static let maximum = 1000

    let statements: [Statement]
    let limit: Int
    private let indexes: Set<[UInt8]>

    init(_ filter: SessionFilter, olderThan cursor: SessionCursor?, limit: Int) {
        self.limit = max(0, min(limit, Self.maximum))
        indexes = Set(filter.referenceIndexes)
        let leading = Leading(filter)
        var conditions: [String] = []
        var values: [SQLValue] = []
        func add(_ condition: String, _ more: SQLValue...) {
            conditions.append(condition)
            values += more
        }
        if leading != .status, !filter.statuses.isEmpty {
            let known = filter.statuses.map(\.rawValue).sorted()
            add("+s.status IN (\(known.map { "'\($0)'" }.joined(separator: ", ")))")
        }
        if leading != .client, let client = filter.client { add("+s.client = ?", .text(client.rawValue)) }
        if leading != .verifier, let verifier = filter.verifier { add("+s.verifier = ?", .text(verifier.rawValue)) }
        if let purpose = filter.purpose { add("s.purpose = ?", .text(purpose.rawValue)) }
        if let reason = filter.reason { add("instr(s.report || ';', ?) > 0", .text("=\(reason.rawValue);")) }
        if let from = filter.createdFrom { add("s.created_at >= ?", .time(from)) }
        if let before = filter.createdBefore { add("s.created_at < ?", .time(before)) }
        if let cursor { add("(s.created_at, s.id) < (?, ?)", .time(cursor.createdAt), .text(cursor.id.rawValue)) }
        let order = " ORDER BY s.created_at DESC, s.id DESC LIMIT ?"
        let count = SQLValue.integer(Int64(self.limit))
        statements = leading.parts(of: filter).map { part in
            let all = (part.condition.map { [$0] } ?? []) + conditions
            let place = all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")
            return Statement(sql: SessionRow.select + place + order, values: part.values + values + [count])
        }
    }

    /// Reads all statements from one state of the database.
    func run(_ connection: Connection) throws(StoreError) -> [SessionRecord] {
        guard limit > 0 else { return [] }
        try connection.execute("SAVEPOINT search")
        var found: [SessionRecord] = []
        do throws(StoreError) {
            for statement in statements {
                found += try connection.query(statement.sql, statement.values) { row throws(StoreError) in
                    try SessionRow(row).record
                }
            }
        } catch {
            try? connection.run("RELEASE search")
            throw error
        }
        try connection.execute("RELEASE search")
        // The statement finds the bytes of an index wherever they are in the slot.
        if !indexes.isEmpty { found.removeAll { !($0.referenceIndex.map(indexes.contains) ?? false) } }
        if statements.count > 1 {
            found.sort { ($0.createdAt, $0.id.rawValue) > ($1.createdAt, $1.id.rawValue) }
        }
        return Array(found.prefix(limit))
    }
}

/// The condition that an index answers: the one that most likely holds for the fewest sessions.
private enum Leading {
    case reference, status, client, verifier, time

    /// States that few of many sessions are in.
    private static let rare: Set<SessionStatus> = [.created, .processing, .failed, .cancelled]

    init(_ filter: SessionFilter) {
        if !filter.referenceIndexes.isEmpty {
            self = .reference
        } else if !filter.statuses.isEmpty, filter.statuses.isSubset(of: Self.rare) {
            self = .status
        } else if filter.client != nil {
            self = .client
        } else if filter.verifier != nil {
            self = .verifier
        } else if !filter.statuses.isEmpty {
            self = .status
        } else {
            self = .time
        }
    }

    /// The condition as one part for each of its values.
    func parts(of filter: SessionFilter) -> [(condition: String?, values: [SQLValue])] {
        switch self {
        case .reference:
            // The bucket by its index, the whole by the key slot.
            Set(filter.referenceIndexes).map { index in
                (
                    "s.reference_bucket = ? AND k.bytes IS NOT NULL AND instr(k.bytes, ?) > 0",
                    [.blob(SessionRow.bucket(index)), .blob(index)]
                )
            }
        case .status:
            filter.statuses.map(\.rawValue).sorted().map { ("s.status = ?", [.text($0)]) }
        case .client: filter.client.map { [("s.client = ?", [.text($0.rawValue)])] } ?? []
        case .verifier: filter.verifier.map { [("s.verifier = ?", [.text($0.rawValue)])] } ?? []
        case .time: [(nil, [])]
        }
    }
}
