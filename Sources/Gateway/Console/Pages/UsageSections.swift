import Billing
import Usage
import VerificationCore

/// A month's figures: in short, as pictures and as tables.
struct UsageSections: Sendable {
    /// Providers that have a colour of their own; the others share the last.
    private static let mostSeries = 6

    let words: ConsoleWords
    let usage: MonthlyUsage
    /// The same month by verifier and day.
    let days: UsageReport

    private var report: UsageReport { usage.report }

    var html: [HTML] {
        var sections = [tiles]
        if report.rows.isEmpty { sections.append(ConsoleForms.notice(words(.noCallsInMonth))) }
        if !report.invoices.isEmpty {
            sections.append(
                HTML(.section, [.text(.ariaLabelledBy, "invoices")]) {
                    HTML(.h2, [.id("invoices")]) { words(.expectedInvoices) }
                    HTML(.p) { words(.expectedInvoicesText) }
                    invoices
                })
        }
        if !report.rows.isEmpty { sections += pictured }
        if !usage.adjustments.isEmpty || !usage.late.isEmpty || usage.lateUnpriced > 0 { sections.append(corrections) }
        return sections
    }

    private var pictured: [HTML] {
        var sections: [HTML] = []
        sections.append(
            HTML(.section, [.text(.ariaLabelledBy, "providers")]) {
                HTML(.h2, [.id("providers")]) { words(.perProvider) }
                HTML(.p) { words(.perProviderText) }
                providers
            })
        sections.append(
            HTML(.section, [.text(.ariaLabelledBy, "days")]) {
                HTML(.h2, [.id("days")]) { words(.perDay) }
                HTML(.h3) { words(.attempts) }
                attemptsChart
                ForEachCurrency(report: days).list.prefix(1).flatMap { currency in
                    [HTML(.h3) { words(.amountIn, currency.code) }, amountChart(currency)]
                }
                HTML(.details) {
                    HTML(.summary) { words(.asTable) }
                    dayTable
                }
            })
        return sections
    }

    // MARK: In short

    private var tiles: HTML {
        let counts = report.rows.reduce(UsageCounts()) { $0 + $1.counts }
        let primary = report.totals.first { $0.role == .primary }
        return HTML(.ul, [.class("tiles")]) {
            report.sums.map { sum in
                tile(
                    words(.totalToPay), Figures.money(minorUnits: sum.total, sum.currency),
                    words(.taxIncluded, Figures.grouped(sum.currency.text(minorUnits: sum.tax))))
            }
            tile(words(.attempts), Figures.number(counts.attempts), "")
            tile(words(.verified), Figures.number(counts.verified), "")
            if let primary {
                primary.amounts.keys.sorted { $0.code < $1.code }.compactMap { currency in
                    primary.costPerVerified(in: currency).map {
                        tile(words(.costPerVerified), Figures.money($0, currency), words(.primaryOnly))
                    }
                }
            }
            if counts.uncertain > 0 { tile(words(.uncertain), Figures.number(counts.uncertain), words(.uncertainText)) }
            if counts.unpriced > 0 { tile(words(.unpriced), Figures.number(counts.unpriced), words(.unpricedText)) }
        }
    }

    private func tile(_ label: String, _ value: HTML, _ small: String) -> HTML {
        HTML(.li) {
            label
            HTML(.strong) { value }
            if !small.isEmpty { HTML(.small) { small } }
        }
    }

    // MARK: Tables

    private var invoices: HTML {
        DataTable(
            words(.expectedInvoices),
            [
                .init(title: words(.verifier)), .init(title: words(.terms), isNumber: true),
                .init(title: words(.net), isNumber: true), .init(title: words(.tax), isNumber: true),
                .init(title: words(.total), isNumber: true),
            ],
            rows: report.invoices.map { entry in
                let invoice = entry.invoice
                return [
                    .init(entry.verifier.rawValue),
                    .init { Figures.money((invoice.flatFee + invoice.topUp).description, invoice.currency) },
                    .init { Figures.money(minorUnits: invoice.net, invoice.currency) },
                    .init { Figures.money(minorUnits: invoice.tax, invoice.currency) },
                    .init { Figures.money(minorUnits: invoice.total, invoice.currency) },
                ]
            },
            sums: report.sums.map { sum in
                [
                    .init(words(.sum) + " " + sum.currency.code), .init(""),
                    .init { Figures.money(minorUnits: sum.net, sum.currency) },
                    .init { Figures.money(minorUnits: sum.tax, sum.currency) },
                    .init { Figures.money(minorUnits: sum.total, sum.currency) },
                ]
            }
        ).html
    }

    private var countColumns: [DataTable.Column] {
        [.attempts, .verified, .rejected, .failedCount, .uncertain, .billable, .unpriced].map {
            .init(title: words($0), isNumber: true)
        }
    }

    private func cells(_ counts: UsageCounts) -> [DataTable.Cell] {
        [
            counts.attempts, counts.verified, counts.rejected, counts.failed, counts.uncertain, counts.billable,
            counts.unpriced,
        ].map { count in .init { Figures.number(count) } }
    }

    private var providers: HTML {
        func cells(_ row: UsageReport.Row, _ name: String) -> [DataTable.Cell] {
            [.init(name), .init(words(row.role))] + self.cells(row.counts) + [
                amounts(row.amounts),
                .init {
                    row.amounts.keys.sorted { $0.code < $1.code }.compactMap { currency in
                        row.costPerVerified(in: currency).map { Figures.money($0, currency) }
                    }
                },
                milliseconds(row.latency50), milliseconds(row.latency95),
            ]
        }
        return DataTable(
            words(.perProvider),
            [.init(title: words(.verifier)), .init(title: words(.role))] + countColumns + [
                .init(title: words(.amount), isNumber: true), .init(title: words(.costPerVerified), isNumber: true),
                .init(title: words(.half), isNumber: true), .init(title: words(.most), isNumber: true),
            ],
            rows: report.rows.map { cells($0, $0.key.first ?? "–") },
            sums: report.totals.map { cells($0, words(.sum)) }
        ).html
    }

    private var dayTable: HTML {
        DataTable(
            words(.perDay),
            [.init(title: words(.day)), .init(title: words(.verifier))] + countColumns + [
                .init(title: words(.amount), isNumber: true)
            ],
            rows: dayRows.sorted { ($0.key.day, $0.key.verifier) < ($1.key.day, $1.key.verifier) }.map { key, sum in
                [.init(key.day), .init(key.verifier)] + cells(sum.counts) + [amounts(sum.amounts)]
            }
        ).html
    }

    private var corrections: HTML {
        let all = usage.adjustments.map { ($0, ConsolePhrase.adjustment) } + usage.late.map { ($0, .lateCall) }
        return HTML(.section, [.text(.ariaLabelledBy, "corrections")]) {
            HTML(.h2, [.id("corrections")]) { words(.corrections) }
            HTML(.p) { words(.correctionsText) }
            if usage.lateUnpriced > 0 {
                ConsoleForms.notice(words(.lateUnpriced, String(usage.lateUnpriced)), isBad: true)
            }
            DataTable(
                words(.corrections),
                [
                    .init(title: words(.verifier)), .init(title: words(.kind)), .init(title: words(.correctedMonth)),
                    .init(title: words(.quantity), isNumber: true), .init(title: words(.amount), isNumber: true),
                ],
                rows: all.map { sum, phrase in
                    [
                        .init(sum.verifier.rawValue), .init(words(phrase)), .init(sum.month?.description ?? "–"),
                        .init(sum.count), .init { Figures.money(sum.amount.description, sum.currency) },
                    ]
                }
            ).html
        }
    }

    private func amounts(_ amounts: [Currency: ExactAmount]) -> DataTable.Cell {
        .init {
            amounts.sorted { $0.key.code < $1.key.code }.map { Figures.money($0.value.description, $0.key) }
        }
    }

    private func milliseconds(_ value: UInt32?) -> DataTable.Cell {
        .init(value.map { words(.underMilliseconds, String($0)) } ?? "–")
    }

    // MARK: Pictures

    private struct DayKey: Hashable {
        let verifier: String
        let day: String
    }

    private struct DaySum {
        var counts = UsageCounts()
        var amounts: [Currency: ExactAmount] = [:]
    }

    /// All roles of a verifier and a day together.
    private var dayRows: [DayKey: DaySum] {
        var sums: [DayKey: DaySum] = [:]
        for row in days.rows where row.key.count == 2 {
            let key = DayKey(verifier: row.key[0], day: row.key[1])
            var sum = sums[key] ?? DaySum()
            sum.counts = sum.counts + row.counts
            for (currency, amount) in row.amounts { sum.amounts[currency, default: .zero] += amount }
            sums[key] = sum
        }
        return sums
    }

    /// The names that have a series of their own, and whether there are others.
    private var series: (names: [String], hasOthers: Bool) {
        let names = Set(days.rows.compactMap(\.key.first)).sorted()
        guard names.count > Self.mostSeries else { return (names, false) }
        return (Array(names.prefix(Self.mostSeries - 1)), true)
    }

    private func bars(_ value: (DaySum) -> Int64, _ say: (DaySum) -> String) -> [BarChart.Bar] {
        let (names, hasOthers) = series
        let rows = Dictionary(grouping: dayRows, by: \.key.day)
        return report.month.days.map { date in
            let day = date.description
            let entries = (rows[day] ?? []).sorted { $0.key.verifier < $1.key.verifier }
            var values = names.map { name in entries.first { $0.key.verifier == name }.map { value($0.value) } ?? 0 }
            if hasOthers {
                values.append(
                    entries.filter { !names.contains($0.key.verifier) }.reduce(0) { $0 + value($1.value) })
            }
            let parts = entries.map { "\($0.key.verifier) \(say($0.value))" }
            return BarChart.Bar(
                label: String(day.suffix(5)), values: values,
                text: "\(day): " + (parts.isEmpty ? "–" : parts.joined(separator: ", ")))
        }
    }

    private var entries: [BarChart.Series] {
        let (names, hasOthers) = series
        return (names + (hasOthers ? [words(.others)] : [])).enumerated().map {
            BarChart.Series(label: $1, style: .at($0))
        }
    }

    private var attemptsChart: HTML {
        BarChart(
            name: "attempts-chart", title: words(.attemptsPerDay), description: words(.sameAsTable), series: entries,
            bars: bars({ $0.counts.attempts }, { Figures.grouped(String($0.counts.attempts)) }),
            scale: { Figures.grouped(String($0)) }
        ).html
    }

    private func amountChart(_ currency: Currency) -> HTML {
        func amount(_ sum: DaySum) -> ExactAmount { sum.amounts[currency] ?? .zero }
        return BarChart(
            name: "amount-chart", title: words(.amountPerDay, currency.code), description: words(.sameAsTable),
            series: entries,
            // A picture shows whole units; the figures are those of the table.
            bars: bars(
                { amount($0).minorUnits(of: currency, .halfUp) },
                { Figures.grouped(amount($0).description) + " " + currency.code }),
            scale: { Figures.grouped(currency.text(minorUnits: $0)) + " " + currency.code }
        ).html
    }
}

/// The currencies of a report's rows.
struct ForEachCurrency {
    let report: UsageReport

    var list: [Currency] { Set(report.rows.flatMap(\.amounts.keys)).sorted { $0.code < $1.code } }
}

/// Figures for people, with the plain figure beside them for programs.
enum Figures {
    static func number(_ value: Int64) -> HTML {
        HTML(.span, [.text(.dataValue, String(value))]) { grouped(String(value)) }
    }

    static func money(_ amount: String, _ currency: Currency) -> HTML {
        HTML(.span, [.class("money"), .text(.dataValue, amount)]) { grouped(amount) + " " + currency.code }
    }

    static func money(minorUnits: Int64, _ currency: Currency) -> HTML {
        money(currency.text(minorUnits: minorUnits), currency)
    }

    /// A plain decimal with commas between thousands.
    static func grouped(_ text: String) -> String {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let whole = parts.first else { return text }
        let sign = whole.hasPrefix("-") ? "-" : ""
        let digits = Array(whole.drop { $0 == "-" })
        var result = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return sign + result + (parts.count > 1 ? "." + parts[1] : "")
    }
}
