import Billing
import Testing
import VerificationCore

@Suite struct BudgetTests {
    private let alpha = VerifierID("alpha")
    private let app = ClientID("app")

    private func time(_ text: String) throws -> Timestamp { try #require(RFC3339.timestamp(text)) }

    private func book(_ budgets: Budget...) throws -> BudgetBook {
        BudgetBook(budgets, zone: try #require(BillingZone("Asia/Tokyo")))
    }

    private func budget(
        _ verifier: VerifierID? = nil, _ client: ClientID? = nil, _ period: Budget.Period = .month,
        _ unit: Budget.Unit = .attempts, soft: Int64? = nil, hard: Int64? = nil
    ) -> Budget {
        Budget(verifier: verifier, client: client, period: period, unit: unit, soft: soft, hard: hard)
    }

    @Test func `a budget counts its own verifier and client, and no other's`() throws {
        var book = try book(
            budget(alpha, app, hard: 1), budget(alpha, hard: 2), budget(nil, app, hard: 3), budget(hard: 4))
        let now = try time("2026-11-10T00:00:00Z")
        book.add(1, of: .attempts, verifier: alpha, client: ClientID("shop"), at: now)
        book.add(1, of: .attempts, verifier: VerifierID("beta"), client: app, at: now)
        book.add(7, of: .billable, verifier: alpha, client: app, at: now)
        #expect(book.used(at: now) == [0, 1, 1, 2])
        #expect(!book.isSpent(alpha, for: app, at: now))
        book.add(1, of: .attempts, verifier: alpha, client: app, at: now)
        #expect(book.used(at: now) == [1, 2, 2, 3])
        #expect(book.isSpent(alpha, for: app, at: now))
        #expect(book.isSpent(alpha, for: ClientID("shop"), at: now))
        #expect(!book.isSpent(VerifierID("beta"), for: ClientID("shop"), at: now))
        book.add(1, of: .attempts, verifier: VerifierID("beta"), client: app, at: now)
        #expect(book.isSpent(VerifierID("gamma"), for: ClientID("shop"), at: now))
    }

    @Test func `U01 U03 a budget begins anew at midnight in Tokyo, on the day and on the first of the month`() throws {
        var book = try book(budget(alpha, nil, .day, hard: 1), budget(alpha, hard: 2))
        let (last, next) = (try time("2026-11-30T14:59:59.999Z"), try time("2026-11-30T15:00:00Z"))
        book.add(1, of: .attempts, verifier: alpha, client: app, at: try time("2026-11-29T14:59:59.999Z"))
        #expect(book.used(at: last) == [0, 1])
        book.add(1, of: .attempts, verifier: alpha, client: app, at: last)
        #expect(book.isSpent(alpha, for: app, at: last))
        #expect(!book.isSpent(alpha, for: app, at: next))
        #expect(book.used(at: next) == [0, 0])
        // Written after midnight, and still November's.
        book.add(1, of: .attempts, verifier: alpha, client: app, at: next)
        book.add(1, of: .attempts, verifier: alpha, client: app, at: last)
        #expect(book.used(at: next) == [1, 1])
        #expect(book.used(at: last) == [2, 3])
        #expect(book.beginning(at: next) == next)
        #expect(book.beginning(at: last) == (try time("2026-10-31T15:00:00Z")))
    }

    @Test func `each limit is told once in its period, and only when it is reached`() throws {
        let one = budget(alpha, nil, .day, .billable, soft: 2, hard: 3)
        var book = try book(one)
        let now = try time("2026-11-10T00:00:00Z")
        book.add(1, of: .billable, verifier: alpha, client: app, at: now)
        #expect(book.reached(at: now).isEmpty)
        book.add(1, of: .billable, verifier: alpha, client: app, at: now)
        #expect(book.reached(at: now).map(\.limit) == [.soft])
        #expect(book.reached(at: now).isEmpty)
        #expect(!book.isSpent(alpha, for: app, at: now))
        book.add(5, of: .billable, verifier: alpha, client: app, at: now)
        #expect(book.reached(at: now).map(\.limit) == [.hard])
        let tomorrow = try time("2026-11-11T00:00:00Z")
        #expect(book.reached(at: tomorrow).isEmpty)
        book.add(3, of: .billable, verifier: alpha, client: app, at: tomorrow)
        #expect(book.reached(at: tomorrow).map(\.limit) == [.soft, .hard])
    }

    @Test func `a count never goes down and never over the edge`() throws {
        var book = try book(budget(hard: .max))
        let now = try time("2026-11-10T00:00:00Z")
        book.add(-5, of: .attempts, verifier: alpha, client: app, at: now)
        book.add(.max, of: .attempts, verifier: alpha, client: app, at: now)
        book.add(.max, of: .attempts, verifier: alpha, client: app, at: now)
        #expect(book.used(at: now) == [.max])
        #expect(book.isSpent(alpha, for: app, at: now))
    }
}
