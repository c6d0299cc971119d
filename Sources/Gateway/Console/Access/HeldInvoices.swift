import Synchronization
import Usage
import VerificationCore

/// Invoices that somebody looks at: kept in memory between the pages, and gone with them.
final class HeldInvoices: Sendable {
    /// An invoice with what was found.
    struct Invoice: Sendable {
        let id: String
        /// The token of the forms of whoever loaded it: nobody else sees it.
        let owner: String
        let file: [UInt8]
        var check: InvoiceCheck
        /// How many events were written of it, where some were.
        var written: Int?
    }

    /// As many at once: each may be as large as a request and what was found in it.
    static let most = 4
    /// The most bytes of their files: what is found in one takes several times as much. The newest is kept whatever it has.
    static let mostBytes = 32 << 20

    private let kept = Mutex<[Invoice]>([])

    /// Keeps an invoice; the oldest makes room.
    func keep(_ invoice: Invoice) {
        kept.withLock { kept in
            kept.removeAll { $0.id == invoice.id }
            kept.append(invoice)
            while kept.count > Self.most
                || kept.count > 1 && kept.reduce(0, { $0 + $1.file.count }) > Self.mostBytes
            {
                kept.removeFirst()
            }
        }
    }

    /// The owner's invoice.
    func invoice(_ id: String, of owner: String) -> Invoice? {
        kept.withLock { $0.first { $0.id == id && ConsoleSecrets.areEqual($0.owner, owner) } }
    }

    /// Lets go of everything of an owner.
    func drop(of owner: String) {
        kept.withLock { $0.removeAll { $0.owner == owner } }
    }
}
