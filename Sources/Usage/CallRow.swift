public import Billing
public import JSONTree
public import VerificationCore

/// A place among the calls of a month, from which the next page goes on.
public struct CallPlace: Sendable, Hashable {
    /// The verifier; those before it in the order of names are done.
    public let verifier: VerifierID
    /// The last call seen.
    public let cursor: UsageCursor

    /// A place.
    public init(verifier: VerifierID, cursor: UsageCursor) {
        self.verifier = verifier
        self.cursor = cursor
    }
}

/// A page of calls.
public struct CallPage: Sendable {
    /// The calls.
    public let rows: [CallRow]
    /// Where the next page begins; `nil` at the end.
    public let next: CallPlace?
}

/// A call with everything that the ledger knows of it: identifiers of ours and of the provider, and nothing of a person.
public struct CallRow: Sendable {
    /// The call.
    public let call: UsageCall
    /// The time that decides its month.
    public let billingTime: Timestamp
    /// The event that was written last of it.
    public let last: LedgerDraft

    /// The columns of the comma-separated form, which are the members of the JSON form.
    public static let columns = [
        "verifier", "sequence", "attempt", "call", "session", "role", "client", "purpose", "state", "outcome", "class",
        "quantity", "billing_time", "started_at", "ended_at", "provider_time", "provider_reference",
    ]

    /// The values in the order of ``columns``.
    private var values: [JSONValue] {
        [
            .string(last.verifier.rawValue), .integer(call.sequence), .string(last.attempt.rawValue),
            .string(orNull: last.call?.rawValue), .string(last.session.rawValue), .string(last.role.rawValue),
            .string(last.client.rawValue), .string(last.purpose.rawValue), .string(call.state.rawValue),
            .string(orNull: call.outcome?.rawValue), .string(call.billableClass.rawValue), .integer(call.quantity),
            .string(RFC3339.text(billingTime)), .string(RFC3339.text(call.startedAt)),
            .string(orNull: call.endedAt.map { RFC3339.text($0) }),
            .string(orNull: call.providerTime.map { RFC3339.text($0) }), .string(orNull: last.providerReference),
        ]
    }

    /// The call as JSON.
    public var json: JSONValue { .object(zip(Self.columns, values).map { ($0, $1) }) }

    /// The call as cells.
    public var cells: [CSVWriter.Cell] {
        values.map { value in
            switch value {
            case .string(let text): .text(text)
            case .integer(let number): .number(String(number))
            case .null, .boolean, .array, .object: .empty
            }
        }
    }
}

extension UsageReporter {
    /// Calls of a month, verifier by verifier in the order of their names, each verifier's by their billing times. Those
    /// that only the newest book has in a closed month are left out: they are late, and another month's.
    public func calls(
        of month: BillingMonth, verifier only: VerifierID?, after place: CallPlace?, limit: Int
    ) async throws(StoreError) -> CallPage {
        var verifiers = try await reading.usageVerifiers().sorted { $0.rawValue < $1.rawValue }
        if let only { verifiers.removeAll { $0 != only } }
        if let place { verifiers.removeAll { $0.rawValue < place.verifier.rawValue } }
        let calendar = try await calendar()
        var rows: [CallRow] = []
        var last: CallPlace?
        for verifier in verifiers {
            guard let search = calendar.of(verifier).searches(for: month).first else { continue }
            var cursor = place?.verifier == verifier ? place?.cursor : nil
            while true {
                // One more than is wanted says whether another page follows.
                let wanted = min(limit - rows.count, Self.pageSize - 1)
                let calls = try await reading.usageCalls(
                    of: verifier, by: search.rule, in: search.range, changedAfter: 0, after: cursor, limit: wanted + 1)
                let seen = calls.prefix(wanted)
                let taken = seen.filter { search.accepts?($0) ?? true }
                let events = try await reading.ledgerEvents(taken.map(\.lastSequence))
                let drafts = Dictionary(
                    events.map { ($0.sequence, $0.draft) }, uniquingKeysWith: { first, _ in first })
                for call in taken {
                    guard let draft = drafts[call.lastSequence] else { throw .corrupt }
                    rows.append(CallRow(call: call, billingTime: call.time(by: search.rule), last: draft))
                }
                if let call = seen.last {
                    let here = UsageCursor(time: call.time(by: search.rule), sequence: call.sequence)
                    (cursor, last) = (here, CallPlace(verifier: verifier, cursor: here))
                }
                guard calls.count > wanted else { break }
                guard rows.count < limit else { return CallPage(rows: rows, next: last) }
            }
        }
        return CallPage(rows: rows, next: nil)
    }
}
