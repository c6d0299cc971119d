import Billing
import Usage
import VerificationCore

/// What finance asks of the running gateway, and writes through it. The endpoints and the console both stand on it.
struct UsageService: Sendable {
    let sessions: SessionService

    /// The price book of the newest configuration.
    var book: PriceBook { sessions.current.settings.prices }
    private var reporter: UsageReporter { UsageReporter(sessions.store, book: book) }

    /// The month that it is now, in the zone of the price book.
    var currentMonth: BillingMonth { book.zone.month(of: sessions.clock.now()) }

    /// A month: computed while it is open, read from its statement once it is closed.
    func month(_ month: BillingMonth, by groupings: [UsageGrouping]) async throws(Problem) -> MonthlyUsage {
        let reporter = reporter
        return try await sessions.stored { () async throws(StoreError) in
            try await reporter.usage(of: month, by: groupings)
        }
    }

    /// A page of a month's calls.
    func calls(
        of month: BillingMonth, verifier: VerifierID?, after place: CallPlace?, limit: Int
    ) async throws(Problem) -> CallPage {
        let reporter = reporter
        return try await sessions.stored { () async throws(StoreError) in
            try await reporter.calls(of: month, verifier: verifier, after: place, limit: limit)
        }
    }

    /// The statement of a closed month, as it was written.
    func statement(of month: BillingMonth) async throws(Problem) -> [UInt8] {
        let bytes = try await sessions.stored { [sessions] () async throws(StoreError) in
            try await sessions.store.statement(of: month.description)
        }
        guard let bytes else { throw Problem(.statementNotFound) }
        return bytes
    }

    /// The closings, oldest first.
    func closings() async throws(Problem) -> [LedgerEvent] {
        try await sessions.stored { [sessions] () async throws(StoreError) in try await sessions.store.closings() }
    }

    /// Why a month was not closed.
    enum CloseFault: Error, Sendable {
        /// The clocks disagree about the time.
        case clocksDisagree
        /// It cannot be closed.
        case refused(MonthClosing.Refusal)
        /// Something else went wrong.
        case failed(Problem)
    }

    /// Closes a month.
    func close(
        _ month: BillingMonth, includingUnsettled: Bool, note: String?, by client: Client
    ) async throws(Problem) -> MonthClosing.Closed {
        do throws(CloseFault) {
            return try await tryClosing(month, includingUnsettled: includingUnsettled, note: note, by: client)
        } catch {
            switch error {
            case .clocksDisagree:
                throw Problem(.monthNotClosable, "the wall clock and the monotonic clock disagree about the time")
            case .refused(let refusal): throw problem(refusal)
            case .failed(let problem): throw problem
            }
        }
    }

    /// Closes a month, and says why not in a form that can be put into any language.
    func tryClosing(
        _ month: BillingMonth, includingUnsettled: Bool, note: String?, by client: Client
    ) async throws(CloseFault) -> MonthClosing.Closed {
        // A month ends by the clock, so none is closed while the clocks disagree about it.
        guard !sessions.clock.isDisputed else { throw .clocksDisagree }
        let order = MonthClosing.Order(
            month: month, now: sessions.clock.now(), actor: client.id.rawValue, note: note,
            includingUnsettled: includingUnsettled, configurationVersion: sessions.current.settings.version)
        // Written down first: a month that nobody could say was closed stays open. A refusal stands after it.
        var asked = sessions.auditDraft(.monthClosed, by: client)
        asked.subject = month.description
        asked.outcome = "asked"
        do throws(Problem) {
            try await sessions.audit(asked)
        } catch {
            throw .failed(error)
        }
        do throws(MonthClosing.Refusal) {
            let closed = try await MonthClosing(sessions.store, book: book).close(order)
            sessions.log(
                .info, "a month was closed", at: order.now,
                [(.client, .text(client.id.rawValue)), (.subject, .text(month.description))])
            return closed
        } catch {
            await sessions.auditLate(asked.failed(problem(error).code, at: sessions.clock.now()))
            throw .refused(error)
        }
    }

    private func problem(_ refusal: MonthClosing.Refusal) -> Problem {
        switch refusal {
        case .notEnded: return Problem(.monthNotClosable, "the month has not ended everywhere it is billed")
        case .alreadyClosed: return Problem(.monthNotClosable, "the month is closed already")
        case .previousOpen(let month):
            return Problem(.monthNotClosable, "the month before it has calls and is open: close \(month) first")
        case .unsettled(let count, let first):
            return Problem(
                .monthNotClosable,
                "\(count) calls are open or uncertain; include_unsettled closes the month without them",
                problems: first.map {
                    ReloadProblem(path: "events.\($0)", problem: "the call that starts here is open or uncertain")
                })
        case .overtaken: return Problem(.monthNotClosable, "events were written meanwhile, again and again; try again")
        case .store(let error): return sessions.problem(error)
        }
    }
}
