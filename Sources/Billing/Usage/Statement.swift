public import JSONTree
public import VerificationCore

/// What a closed month was: written once, hashed into the ledger's chain, and never changed.
public struct Statement: Sendable {
    /// The layout's name; another layout gets another one.
    public static let layout = "sekisho-statement-2"
    /// The layout before, which does not hold the prices. What was written in it is still read.
    static let firstLayout = "sekisho-statement-1"

    /// The prices that the month is closed by: what comes late is priced by them, whatever becomes of the price book.
    public let book: PriceBook
    /// The report by verifier.
    public let report: UsageReport
    /// The rows by everything that a report can be by: from them each coarser one is added up.
    public let detail: [UsageReport.Row]
    /// Adjustments that are settled in this month, whatever month they correct.
    public let adjustments: [Adjustment]
    /// The last event of the ledger that it takes into account; `nil` where the ledger was empty.
    public let head: LedgerEvent?
    /// When it was closed.
    public let closedAt: Timestamp
    /// By whom.
    public let actor: String
    /// Calls that were still open or uncertain when it was closed, by the sequence numbers of their `started`.
    public let unsettled: [Int64]

    /// A statement. `detail` is the same month by ``UsageReport/everyGrouping``.
    public init(
        book: PriceBook, report: UsageReport, detail: UsageReport, adjustments: [Adjustment], head: LedgerEvent?,
        closedAt: Timestamp, actor: String, unsettled: [Int64]
    ) {
        self.book = book
        self.report = report
        self.detail = detail.rows
        self.adjustments = adjustments
        self.head = head
        self.closedAt = closedAt
        self.actor = actor
        self.unsettled = unsettled
    }

    /// The bytes that are kept and hashed: JSON without blanks, its members in a fixed order.
    public func encoded() -> [UInt8] {
        JSONValue.object([
            // The prices come first: they are often read without the rest, which may be long.
            ("layout", .string(Self.layout)), ("prices", book.json), ("month", .string(report.month.description)),
            ("closed_at", .string(RFC3339.text(closedAt))), ("closed_by", .string(actor)),
            ("ledger_head", .integer(head?.sequence ?? 0)),
            ("ledger_hash", head.map { .string(ByteText.hex($0.hash)) } ?? .null),
            ("report", report.json),
            ("detail", .array(detail.map { UsageReport.json($0, by: UsageReport.everyGrouping) })),
            ("adjustments", .array(adjustments.map(\.json))),
            ("unsettled", .array(unsettled.map { .integer($0) })),
        ]).encoded()
    }

    /// What a statement begins with, up to its prices.
    static let headOfPrices = Array("{\"layout\":\"\(layout)\",\"prices\":".utf8)

    /// Whether the bytes of a statement should hold the prices that its month was closed by.
    public static func hasPrices(_ bytes: [UInt8]) -> Bool {
        !bytes.starts(with: "{\"layout\":\"\(firstLayout)\",".utf8)
    }

    /// A correction in its place in the ledger.
    public struct Adjustment: Sendable, Hashable {
        /// The place; `nil` for one that is written together with the closing.
        public let sequence: Int64?
        /// The event.
        public let draft: LedgerDraft

        /// An adjustment.
        public init(sequence: Int64?, draft: LedgerDraft) {
            self.sequence = sequence
            self.draft = draft
        }

        /// The amount, where it corrects money.
        public var amount: ExactAmount? { draft.amount.map { ExactAmount(millionths: $0) } }

        /// The adjustment as it stands in statements and answers.
        public var json: JSONValue {
            .object([
                ("sequence", sequence.map { .integer($0) } ?? .null),
                ("settles", draft.settles.map { .integer($0) } ?? .null),
                ("verifier", .string(draft.verifier.rawValue)), ("month", draft.month.map { .string($0) } ?? .null),
                ("class", .string(draft.billableClass.rawValue)), ("quantity", .integer(draft.quantity)),
                ("amount", amount.map { .string($0.description) } ?? .null),
                ("currency", draft.currency.map { .string($0) } ?? .null), ("at", .string(RFC3339.text(draft.at))),
                ("by", draft.actor.map { .string($0) } ?? .null), ("note", draft.note.map { .string($0) } ?? .null),
            ])
        }
    }
}
