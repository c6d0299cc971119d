import Billing
import Testing
import VerificationCore

@Suite struct ZoneTests {
    private func time(_ text: String) throws -> Timestamp { try #require(RFC3339.timestamp(text)) }

    @Test(arguments: [
        ("2026-10-31T23:59:59.999+09:00", "2026-10"), ("2026-11-01T00:00:00+09:00", "2026-11"),
        ("2026-11-01T08:59:59.999+09:00", "2026-11"), ("2026-11-01T09:00:00+09:00", "2026-11"),
        ("2026-11-30T23:59:59.999+09:00", "2026-11"), ("2026-12-01T00:00:00+09:00", "2026-12"),
        ("2028-02-29T12:00:00+09:00", "2028-02"), ("2027-03-01T00:00:00+09:00", "2027-03"),
    ])
    func `U01 an instant is in one month, that of Tokyo`(instant: String, month: String) throws {
        let zone = try #require(BillingZone("Asia/Tokyo"))
        let instant = try time(instant)
        #expect(zone.month(of: instant).description == month)
        let range = zone.range(of: try #require(BillingMonth(month)))
        #expect(range.contains(instant))
        #expect(!zone.range(of: try #require(BillingMonth(month)).next).contains(instant))
        #expect(!zone.range(of: try #require(BillingMonth(month)).previous).contains(instant))
    }

    @Test func `U03 the days of a month are the month, without a gap`() throws {
        for name in ["Asia/Tokyo", "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut"] {
            let zone = try #require(BillingZone(name))
            for text in ["2026-02", "2026-03", "2026-10", "2026-11", "2028-02"] {
                let month = try #require(BillingMonth(text))
                let range = zone.range(of: month)
                var next = range.lowerBound
                for day in month.days {
                    #expect(zone.start(of: day) == next)
                    #expect(zone.day(of: next) == day)
                    next = zone.start(of: CivilDate(daysSinceEpoch: day.daysSinceEpoch + 1))
                    #expect(zone.day(of: Timestamp(milliseconds: next.milliseconds - 1)) == day)
                }
                #expect(next == range.upperBound)
            }
        }
    }

    @Test func `a clock change makes a day of 23 or 25 hours`() throws {
        let zone = try #require(BillingZone("Europe/Berlin"))
        let spring = try #require(CivilDate("2026-03-29"))
        let autumn = try #require(CivilDate("2026-10-25"))
        #expect(length(of: spring, in: zone) == .seconds(23 * 3600))
        #expect(length(of: autumn, in: zone) == .seconds(25 * 3600))
        // Beirut's clocks go forward at midnight: the day begins at one.
        let beirut = try #require(BillingZone("Asia/Beirut"))
        #expect(zone.start(of: spring) == (try time("2026-03-29T00:00:00+01:00")))
        #expect(beirut.start(of: spring) == (try time("2026-03-29T01:00:00+03:00")))
    }

    @Test func `the first and the last month that can be written have their days, their instants and their neighbours`()
        throws
    {
        let zone = try #require(BillingZone("Asia/Tokyo"))
        for (text, before, after) in [
            ("9999-12", "9999-11", "10000-01"), ("0000-01", "-001-12", "0000-02"), ("1999-12", "1999-11", "2000-01"),
        ] {
            let month = try #require(BillingMonth(text))
            let range = zone.range(of: month)
            #expect(month.days.count == 31 && month.description == text)
            #expect(month.previous.days.count == (before.hasSuffix("11") ? 30 : 31))
            #expect(zone.range(of: month.previous).upperBound == range.lowerBound)
            #expect(zone.range(of: month.next).lowerBound == range.upperBound && month.next.description == after)
            #expect(month.previous < month && month < month.next && month.next.previous == month)
        }
    }

    @Test func `names that mean several zones are refused`() {
        for name in ["JST", "EST", "GMT+9", "", "Tokyo", "Asia/Nowhere", "../etc/passwd"] {
            #expect(BillingZone(name) == nil, "\(name)")
        }
        for text in ["2026-13", "2026-1", "26-01", "2026-00", "2026-11-01", "２０２６-11"] {
            #expect(BillingMonth(text) == nil, "\(text)")
        }
    }

    private func length(of day: CivilDate, in zone: BillingZone) -> Duration {
        zone.start(of: CivilDate(daysSinceEpoch: day.daysSinceEpoch + 1)).duration(since: zone.start(of: day))
    }
}
