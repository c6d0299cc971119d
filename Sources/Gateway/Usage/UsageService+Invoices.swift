import Billing
import Usage
import VerificationCore

extension UsageService {
    /// Compares an invoice with the ledger for somebody, and writes down that it was, and how many lines agree and do
    /// not. Nothing else changes.
    func reconcile(
        invoice file: [UInt8], of verifier: VerifierID, month: BillingMonth, by client: Client
    ) async throws(Problem) -> InvoiceCheck {
        let check = try await check(invoice: file, of: verifier, month: month)
        let counts = check.reconciliation.totals.filter { $0.count > 0 }.map { "\($0.kind.rawValue)=\($0.count)" }
        try await sessions.audit(
            .invoiceReconciled, by: client, subject: "\(verifier) \(month)",
            outcome: check.reconciliation.isClean ? "agrees" : "differs", reason: counts.joined(separator: " "),
            count: Int64(check.lines))
        return check
    }

    /// Compares an invoice with the ledger.
    func check(
        invoice file: [UInt8], of verifier: VerifierID, month: BillingMonth
    ) async throws(Problem) -> InvoiceCheck {
        let running = sessions.current
        let lines = try Self.lines(of: file, verifier, running)
        let reporter = UsageReporter(sessions.store, book: running.settings.prices)
        return try await sessions.stored { () async throws(StoreError) in
            try await InvoiceReconciler(reporter).check(lines, of: verifier, month: month)
        }
    }

    /// Writes what the accepted classes of an invoice's findings correct, and says how many events it took. What was
    /// accepted before is part of the account, so the same file finds nothing to write a second time.
    func accept(
        _ kinds: Set<Reconciliation.Class>, of file: [UInt8], verifier: VerifierID, month: BillingMonth, note: String,
        by client: Client
    ) async throws(Problem) -> Int {
        let running = sessions.current
        let lines = try Self.lines(of: file, verifier, running)
        let prices = running.settings.prices
        guard let currency = prices.verifiers[verifier]?.currency else {
            throw Problem(.invoiceInvalid, "the price book says in no currency what this verifier bills")
        }
        let order = AcceptedFindings.Order(
            verifier: verifier, month: month, currency: currency, kinds: kinds, now: sessions.clock.now(),
            actor: client.id.rawValue, note: note, configurationVersion: running.settings.version)
        var asked = sessions.auditDraft(.adjustmentsAccepted, by: client)
        asked.subject = "\(verifier) \(month)"
        asked.outcome = "asked"
        let written = try await sessions.audited(asked) { () async throws(Problem) in
            do throws(InvoiceAcceptance.Refusal) {
                return try await InvoiceAcceptance(sessions.store, book: prices).accept(lines, order).written
            } catch {
                switch error {
                case .currencyDiffers(let other):
                    throw Problem(.invoiceInvalid, "the price book has this verifier's prices in \(other)")
                case .overtaken: throw Problem(.overloaded, retryAfter: 1)
                case .store(let error): throw sessions.problem(error)
                }
            }
        }
        sessions.log(
            .info, "findings of an invoice were accepted", at: order.now,
            [
                (.client, .text(client.id.rawValue)), (.verifier, .text(verifier.rawValue)),
                (.count, .number(Int64(written))),
            ])
        return written
    }

    /// The lines of a file, as the verifier's manifest describes it.
    private static func lines(
        of file: [UInt8], _ verifier: VerifierID, _ running: Running
    ) throws(Problem) -> [InvoiceLine] {
        guard let format = running.settings.invoiceFormats[verifier] else {
            throw running.verifiers[verifier] == nil && running.settings.prices.verifiers[verifier] == nil
                ? Problem(.verifierNotFound)
                : Problem(
                    .invoiceInvalid, "nothing says what this verifier's invoice looks like: `invoice` in its manifest")
        }
        do throws(InvoiceReader.Problems) {
            return try InvoiceReader.read(file, as: format)
        } catch {
            throw Problem(
                .invoiceInvalid,
                problems: error.list.map {
                    ReloadProblem(
                        path: $0.detail.isEmpty ? "invoice" : $0.detail, line: $0.line, problem: $0.code.rawValue)
                })
        }
    }
}
