import Billing
import Testing
import VerificationCore

/// A book that is asked in the middle of an expectation.
private final class HeldBook {
    var book: BudgetBook

    init(_ book: BudgetBook) { self.book = book }

    func begin(_ call: BudgetCall, _ use: BudgetUse, at time: Timestamp) { book.begin(call, use, at: time) }
    func settle(_ call: BudgetCall, as billableClass: BillableClass, _ quantity: Int64) {
        book.settle(call, as: billableClass, quantity)
    }
    func add(_ use: BudgetUse, at time: Timestamp) { book.add(use, at: time) }
    func correct(_ month: BillingMonth, _ use: BudgetUse, amount: ExactAmount?, currency: Currency?) {
        book.correct(month, use, amount: amount, currency: currency)
    }
    func reserve(_ uses: [BudgetCall: BudgetUse], until end: Timestamp, at now: Timestamp) -> Bool {
        book.reserve(uses, until: end, at: now)
    }
    func isSpent(for uses: [BudgetUse], at now: Timestamp) -> Bool { book.isSpent(for: uses, at: now) }
    func standings(at now: Timestamp) -> [BudgetBook.Standing] { book.standings(at: now) }
    func untold(at now: Timestamp) -> [(reached: BudgetBook.Reached, used: ExactAmount)] { book.untold(at: now) }
    func used(at now: Timestamp) -> [String] { standings(at: now).map { "\($0.used)" } }
}

@Suite struct BudgetTests {
    private let alpha = VerifierID("alpha")
    private let beta = VerifierID("beta")
    private let app = ClientID("app")
    private let shop = ClientID("shop")

    private func time(_ text: String) throws -> Timestamp { try #require(RFC3339.timestamp(text)) }

    /// Alpha costs 80 yen for each verdict and 70 from the third on; beta bills in dollars.
    private func prices() throws -> PriceBook {
        func tariff(_ steps: [Price.Step]) throws -> Tariff {
            Tariff(
                from: try #require(CivilDate("2026-01-01")), until: nil, prices: [.completedAny: Price(steps: steps)],
                notBilled: [], flatFee: ExactAmount(9999), minimum: ExactAmount(9999),
                taxRate: try #require(TaxRate("0")), rounding: .down)
        }
        func prices(_ currency: String, _ steps: [Price.Step]) throws -> VerifierPrices {
            VerifierPrices(
                currency: try #require(Currency(currency)), zone: .standard, billingTime: .ended,
                tariffs: [try tariff(steps)])
        }
        return PriceBook(
            name: "test", zone: try #require(BillingZone("Asia/Tokyo")),
            verifiers: [
                alpha: try prices(
                    "JPY", [.init(upTo: 2, unit: ExactAmount(80)), .init(upTo: nil, unit: ExactAmount(70))]),
                beta: try prices("USD", [.init(upTo: nil, unit: ExactAmount(1))]),
            ])
    }

    private func book(_ budgets: Budget...) throws -> HeldBook { HeldBook(BudgetBook(budgets, prices: try prices())) }

    private func budget(
        _ verifier: VerifierID? = nil, _ client: ClientID? = nil, _ period: Budget.Period = .month,
        _ unit: Budget.Unit = .attempts, _ currency: Currency? = nil, soft: Int64? = nil, hard: Int64? = nil
    ) -> Budget {
        Budget(
            verifier: verifier, client: client, period: period, unit: unit, currency: currency,
            soft: soft.map { ExactAmount($0) }, hard: hard.map { ExactAmount($0) })
    }

    private func use(
        _ verifier: VerifierID, _ client: ClientID, _ billableClass: BillableClass = .completedAny,
        _ quantity: Int64 = 1, isSubmission: Bool = true
    ) -> BudgetUse {
        BudgetUse(
            verifier: verifier, client: client, isSubmission: isSubmission, billableClass: billableClass,
            quantity: quantity)
    }

    private func call(_ number: Int, _ name: CallName = CallName(.submit)) -> BudgetCall {
        BudgetCall(AttemptID("att_\(number)"), name)
    }

    @Test func `a budget counts its own verifier and client, and no other's`() throws {
        let book = try book(
            budget(alpha, app, hard: 1), budget(alpha, hard: 2), budget(nil, app, hard: 3), budget(hard: 4))
        let now = try time("2026-11-10T00:00:00Z")
        book.begin(call(1), use(alpha, shop), at: now)
        book.begin(call(2), use(beta, app), at: now)
        book.begin(call(3), use(alpha, app, .sessionCreated, isSubmission: false), at: now)
        #expect(book.used(at: now) == ["0", "1", "1", "2"])
        #expect(!book.isSpent(for: [use(alpha, app)], at: now))
        book.begin(call(4), use(alpha, app), at: now)
        #expect(book.used(at: now) == ["1", "2", "2", "3"])
        #expect(book.isSpent(for: [use(alpha, app)], at: now))
        #expect(book.isSpent(for: [use(alpha, shop)], at: now))
        #expect(!book.isSpent(for: [use(beta, shop)], at: now))
        book.begin(call(5), use(beta, app), at: now)
        #expect(book.isSpent(for: [use(VerifierID("gamma"), shop)], at: now))
    }

    @Test func `U01 U03 a budget begins anew at midnight in Tokyo, on the day and on the first of the month`() throws {
        let book = try book(
            budget(alpha, nil, .day, hard: 1), budget(alpha, hard: 2), budget(alpha, nil, .month, .billable, hard: 9))
        let (last, next) = (try time("2026-11-30T14:59:59.999Z"), try time("2026-11-30T15:00:00Z"))
        book.begin(call(1), use(alpha, app), at: try time("2026-11-29T14:59:59.999Z"))
        #expect(book.used(at: last) == ["0", "1", "1"])
        book.begin(call(2), use(alpha, app), at: last)
        #expect(book.isSpent(for: [use(alpha, app)], at: last))
        #expect(!book.isSpent(for: [use(alpha, app)], at: next))
        #expect(book.used(at: next) == ["0", "0", "0"])
        // Written after midnight, and still November's; and what is known of it only in December is November's too.
        book.begin(call(3), use(alpha, app), at: next)
        book.begin(call(4), use(alpha, app), at: last)
        book.settle(call(4), as: .completedAny, 5)
        #expect(book.used(at: next) == ["1", "1", "1"])
        #expect(book.used(at: last) == ["2", "3", "7"])
        #expect(book.book.beginning(at: next) == next)
        #expect(book.book.beginning(at: last) == (try time("2026-10-31T15:00:00Z")))
    }

    @Test func `what a call is billed as counts when it is known, and until then what it may be`() throws {
        let book = try book(budget(alpha, nil, .month, .billable, hard: 10))
        let now = try time("2026-11-10T00:00:00Z")
        book.begin(call(1), use(alpha, app, .completedAny, 3), at: now)
        book.begin(call(1, CallName(.poll, number: 1)), use(alpha, app, .statusCheck, 2), at: now)
        book.begin(call(2), use(alpha, app, .nonBillable, 7), at: now)
        #expect(book.used(at: now) == ["5"])
        book.settle(call(1), as: .nonBillable, 1)
        #expect(book.used(at: now) == ["2"])
        book.settle(call(1, CallName(.poll, number: 1)), as: .statusCheck, 4)
        #expect(book.used(at: now) == ["4"])
        // It is known once: a second word on it is of a call that was counted before.
        book.settle(call(1, CallName(.poll, number: 1)), as: .statusCheck, 4)
        book.settle(call(99), as: .completedAny, 9)
        #expect(book.used(at: now) == ["4"])
    }

    @Test func `places hold a limit for many at once, and are given back when they begin, end or run out`() throws {
        let book = try book(budget(alpha, hard: 2), budget(alpha, nil, .month, .billable, hard: 6))
        let now = try time("2026-11-10T00:00:00Z")
        func place(_ number: Int, until seconds: Int64 = 900) -> Bool {
            book.reserve([call(number): use(alpha, app)], until: now.advanced(by: .seconds(seconds)), at: now)
        }
        #expect(place(1))
        #expect(place(2, until: 10))
        #expect(!place(3))
        #expect(book.standings(at: now).map { "\($0.used) \($0.promised)" } == ["0 2", "0 2"])
        // Begun, it is used, and its place does not count beside it.
        book.begin(call(1), use(alpha, app), at: now)
        #expect(book.standings(at: now).map { "\($0.used) \($0.promised)" } == ["1 2", "1 2"])
        #expect(!place(3))
        book.book.release([call(2)])
        #expect(place(3, until: 10))
        #expect(!place(4))
        let later = now.advanced(by: .seconds(11))
        #expect(!book.isSpent(for: [use(alpha, app)], at: later))
        book.book.sweep(at: later)
        #expect(book.standings(at: later).map { "\($0.promised)" } == ["1", "1"])
    }

    @Test func `a rest that is too small for the next is held back, and the limit is told of`() throws {
        let book = try book(budget(alpha, nil, .month, .billable, soft: 9, hard: 10))
        let now = try time("2026-11-10T00:00:00Z")
        let three = use(alpha, app, .completedAny, 3)
        for number in 1...3 {
            #expect(book.reserve([call(number): three], until: now, at: now))
            // Those who wait for a place are no limit.
            if number == 3 { #expect(book.isSpent(for: [three, three], at: now)) }
        }
        #expect(book.isSpent(for: [three], at: now))
        #expect(book.untold(at: now).isEmpty)
        for number in 1...3 { book.begin(call(number), three, at: now) }
        #expect(book.untold(at: now).map(\.reached.limit) == [.soft])
        #expect(book.isSpent(for: [three], at: now))
        #expect(!book.isSpent(for: [use(alpha, app, .completedAny, 1)], at: now))
        #expect(book.untold(at: now).map(\.reached.limit) == [.soft, .hard])
        #expect(book.untold(at: now).map { "\($0.used)" } == ["9", "9"])
    }

    @Test func `each limit is told once in its period, and only when it is reached`() throws {
        let book = try book(budget(alpha, nil, .day, .billable, soft: 2, hard: 3))
        let now = try time("2026-11-10T00:00:00Z")
        func tell() -> [BudgetBook.Limit] {
            book.untold(at: now).compactMap { book.book.tell($0.reached) ? $0.reached.limit : nil }
        }
        book.begin(call(1), use(alpha, app), at: now)
        #expect(tell().isEmpty)
        book.begin(call(2), use(alpha, app), at: now)
        #expect(book.untold(at: now).map(\.reached.limit) == [.soft])
        #expect(tell() == [.soft])
        #expect(tell().isEmpty)
        #expect(!book.isSpent(for: [use(alpha, app)], at: now))
        book.begin(call(3), use(alpha, app, .completedAny, 5), at: now)
        #expect(tell() == [.hard])
        let tomorrow = try time("2026-11-11T00:00:00Z")
        #expect(book.untold(at: tomorrow).isEmpty)
        book.begin(call(4), use(alpha, app, .completedAny, 3), at: tomorrow)
        #expect(book.untold(at: tomorrow).map(\.reached.limit) == [.soft, .hard])
        #expect(book.untold(at: tomorrow).allSatisfy { $0.reached.from.description == "2026-11-11" })
    }

    @Test func `money is counted by the price book, tiers and all, and only in its own currency`() throws {
        let book = try book(
            budget(nil, nil, .month, .amount, .yen, hard: 300), budget(alpha, app, .month, .amount, .yen, hard: 1000),
            budget(nil, nil, .day, .amount, Currency("USD"), hard: 3))
        let now = try time("2026-11-10T00:00:00Z")
        let yesterday = try time("2026-11-09T00:00:00Z")
        book.add(use(alpha, shop), at: yesterday)
        book.add(use(beta, app), at: yesterday)
        book.begin(call(1), use(alpha, app), at: now)
        // Neither the flat fee nor the minimum is anybody's call.
        #expect(book.used(at: now) == ["160", "80", "0"])
        #expect(book.used(at: yesterday) == ["160", "80", "1"])
        #expect(!book.isSpent(for: [use(alpha, app)], at: now))
        // The third costs 70; a fourth would go beyond 300.
        book.begin(call(2), use(alpha, app), at: now)
        book.settle(call(2), as: .completedAny, 1)
        #expect(book.used(at: now) == ["230", "150", "0"])
        #expect(book.reserve([call(3): use(alpha, app)], until: now, at: now))
        #expect(!book.reserve([call(4): use(alpha, app)], until: now, at: now))
        #expect(book.reserve([call(5): use(beta, app)], until: now, at: now))
        // Not billed after all: then what came after it is the second.
        book.settle(call(1), as: .nonBillable, 1)
        #expect(book.used(at: now) == ["160", "80", "0"])
        // What has no price is in no sum.
        book.add(use(alpha, app, .statusCheck, 100), at: now)
        book.add(use(VerifierID("gamma"), app), at: now)
        #expect(book.used(at: now) == ["160", "80", "0"])
    }

    @Test func `a correction counts in the month that it corrects, and in no day`() throws {
        let book = try book(
            budget(alpha, nil, .month, .billable, hard: 9), budget(alpha, app, .month, .billable, hard: 9),
            budget(alpha, nil, .day, .billable, hard: 9), budget(alpha, nil, .month, .amount, .yen, hard: 999),
            budget(alpha, hard: 9))
        let now = try time("2026-11-10T00:00:00Z")
        let november = try #require(BillingMonth("2026-11"))
        book.add(use(alpha, app), at: now)
        // A line of an invoice that nothing of ours stands behind is no client's.
        book.correct(november, use(alpha, ClientID(""), .completedAny, 4), amount: ExactAmount(320), currency: .yen)
        book.correct(november, use(alpha, app, .completedAny, -1), amount: ExactAmount(5), currency: Currency("USD"))
        book.correct(november.previous, use(alpha, app, .completedAny, 7), amount: ExactAmount(1), currency: .yen)
        #expect(book.used(at: now) == ["4", "0", "1", "400", "1"])
    }

    @Test func `a count never goes below nothing and never over the edge`() throws {
        let book = try book(budget(nil, nil, .month, .billable, hard: .max))
        let now = try time("2026-11-10T00:00:00Z")
        book.add(use(alpha, app, .completedAny, -5), at: now)
        #expect(book.used(at: now) == ["0"])
        book.add(use(alpha, app, .completedAny, .max), at: now)
        book.add(use(alpha, app, .completedAny, .max), at: now)
        #expect(book.used(at: now) == ["\(Int64.max)"])
        #expect(book.isSpent(for: [use(alpha, app)], at: now))
    }
}
