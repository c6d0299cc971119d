import Billing
import HTTPServer
import JSONTree
import Usage
import VerificationCore

/// What each provider did and cost in a month, and the closing of it.
struct UsagePage: Sendable {
    /// A sentence or two.
    static let longestNote = 500
    /// What the page shows the month by; for both it is read once.
    static let shapes: [[UsageGrouping]] = [[.verifier], [.verifier, .day]]

    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }
    private var service: UsageService { UsageService(sessions: visit.service) }

    /// Something to be said above the month, with its details.
    struct Fault: Sendable {
        var status: Int
        var text: String
        var details: [Detail] = []

        /// One place that hinders it.
        struct Detail: Sendable {
            let place: String
            var line: Int?
            let problem: String
            /// The code of the problem, where it has one.
            var code: String?
        }
    }

    func response() async throws(ConsoleRefusal) -> HTTPResponse {
        let person = try visit.person(for: .usage)
        let month = try month(visit.request.http.query.last { $0.0 == "month" }?.1)
        try await visit.audit(.usageRead, by: person.client, subject: month.description)
        return try await page(of: month)
    }

    /// The page of a month; last month where none is named, because that is the one to be closed.
    func month(_ text: String?) throws(ConsoleRefusal) -> BillingMonth {
        guard let text, !text.isEmpty else { return service.currentMonth.previous }
        guard let month = BillingMonth(text) else { throw .malformed }
        return month
    }

    func page(of month: BillingMonth, fault: Fault? = nil) async throws(ConsoleRefusal) -> HTTPResponse {
        let person = try visit.person(for: .usage)
        let usages = try await kept(month)
        let (usage, days) = (usages[0], usages[1])
        let place = ConsolePlace("usage", query: [("month", month.description)])
        let sections = UsageSections(words: words, usage: usage, days: days.report)
        return ConsoleShell(visit: visit).response(
            ConsolePage(
                words(.usageOf, month.description), at: place, in: .usage, status: fault?.status ?? 200
            ) {
                if let fault { self.fault(fault) }
                months(month)
                state(usage)
                sections.html
                downloads(month, isClosed: usage.closing != nil)
                InvoicePage(visit: visit).form(month, person)
                if usage.closing == nil { closing(month, person) }
            })
    }

    /// The month in the shapes of the page.
    private func kept(_ month: BillingMonth) async throws(ConsoleRefusal) -> [MonthlyUsage] {
        let (cache, store, book, now) = (visit.gateway.console.usage, visit.service.store, service.book, visit.now)
        return try await visit.stored { () async throws(StoreError) in
            try await cache.usages(of: month, by: Self.shapes, in: store, book: book, at: now)
        }
    }

    private func fault(_ fault: Fault) -> [HTML] {
        [ConsoleForms.notice(fault.text, isBad: true)]
            + (fault.details.isEmpty
                ? []
                : [
                    DataTable(
                        words(.problem),
                        [
                            .init(title: words(.place)), .init(title: words(.line), isNumber: true),
                            .init(title: words(.problem), isWords: true),
                        ],
                        rows: fault.details.map { detail in
                            [
                                .code(detail.place), .init(detail.line.map { String($0) } ?? "–"),
                                .init {
                                    detail.problem
                                    " "
                                    detail.code.map { code in HTML(.code) { code } }
                                },
                            ]
                        }
                    ).html
                ])
    }

    private func months(_ month: BillingMonth) -> HTML {
        func link(_ month: BillingMonth, _ phrase: ConsolePhrase) -> HTML {
            HTML(.a, [.class("button quiet"), .href(ConsolePlace("usage", query: [("month", month.description)]))]) {
                words(phrase) + " " + month.description
            }
        }
        return HTML(
            .form,
            [.class("month"), .text(.method, "get"), .action(ConsolePlace("usage")), .text(.ariaLabel, words(.month))]
        ) {
            link(month.previous, .previous)
            ConsoleForms.field(
                "month", words(.month),
                [
                    .text(.type, "month"), .text(.value, month.description), .text(.pattern, "[0-9]{4}-[0-9]{2}"),
                    .flag(.required), .text(.placeholder, "2026-11"),
                ])
            HTML(.button, [.text(.type, "submit"), .class("quiet")]) { words(.show) }
            link(month.next, .next)
        }
    }

    private func state(_ usage: MonthlyUsage) -> [HTML] {
        var notices: [HTML] = []
        if let closing = usage.closing {
            let draft = closing.event.draft
            notices.append(
                ConsoleForms.notice(
                    words(.monthClosed, visit.stamp(draft.at), draft.actor ?? "–")
                        + (draft.note.map { " " + $0 } ?? "")
                ))
            if closing.unsettled > 0 {
                notices.append(ConsoleForms.notice(words(.closedUnsettled, String(closing.unsettled))))
            }
        } else if service.currentMonth <= usage.month {
            notices.append(ConsoleForms.notice(words(.monthRuns)))
        } else {
            notices.append(ConsoleForms.notice(words(.monthOpen)))
        }
        if !usage.report.unpricedVerifiers.isEmpty {
            notices.append(
                ConsoleForms.notice(
                    words(.noPrices, usage.report.unpricedVerifiers.map(\.rawValue).joined(separator: ", ")),
                    isBad: true))
        }
        return notices
    }

    private func downloads(_ month: BillingMonth, isClosed: Bool) -> HTML {
        func link(_ text: String, _ query: [(StaticString, String)]) -> HTML {
            HTML(
                .a,
                [
                    .class("button quiet"),
                    .href(ConsolePlace("usage/report", query: [("month", month.description)] + query)),
                ]
            ) { text }
        }
        return HTML(.section, [.text(.ariaLabelledBy, "downloads")]) {
            HTML(.h2, [.id("downloads")]) { words(.downloads) }
            HTML(.p, [.class("actions")]) {
                link(words(.csvByVerifier), [("by", "verifier"), ("format", "csv")])
                link(words(.csvByDay), [("by", "verifier,day"), ("format", "csv")])
                link("JSON", [("by", "verifier,client,purpose,day"), ("format", "json")])
                if isClosed { link(words(.statement), [("format", "statement")]) }
            }
        }
    }

    private func closing(_ month: BillingMonth, _ person: ConsoleSessions.Session) -> HTML? {
        guard month < service.currentMonth else { return nil }
        return HTML(.section, [.text(.ariaLabelledBy, "close")]) {
            HTML(.h2, [.id("close")]) { words(.closeMonth, month.description) }
            HTML(.p, [.class("lead")]) { words(.closeLead) }
            HTML(.form, [.class("panel"), .text(.method, "post"), .action(ConsolePlace("usage/close"))]) {
                ConsoleForms.token(of: person)
                ConsoleForms.hidden("month", month.description)
                ConsoleForms.field(
                    "note", words(.note), [.text(.type, "text"), .number(.maxlength, Self.longestNote)],
                    hint: words(.noteHint))
                ConsoleForms.tick("unsettled", "yes", words(.closeWithUnsettled))
                ConsoleForms.tick("sure", "yes", words(.closeSure), isRequired: true)
                HTML(.button, [.text(.type, "submit")]) { words(.closeMonth, month.description) }
            }
        }
    }

    /// The month as a file.
    func report() async throws(ConsoleRefusal) -> HTTPResponse {
        let person = try visit.person(for: .usage)
        let query = FormFields(pairs: visit.request.http.query.map { ($0.0, $0.1) })
        let month = try month(query.value("month"))
        let name = "usage-\(month)"
        let service = service
        try await visit.audit(.usageDownloaded, by: person.client, subject: month.description)
        if query.value("format") == "statement" {
            let bytes = try await visit.asked { () async throws(Problem) in try await service.statement(of: month) }
            return .download(bytes, type: "application/json", name: "statement-\(month).json")
        }
        guard let groupings = UsageGrouping.list(query.value("by") ?? "verifier") else { throw .malformed }
        let usage: MonthlyUsage
        if let place = Self.shapes.firstIndex(of: groupings) {
            usage = try await kept(month)[place]
        } else {
            usage = try await visit.asked { () async throws(Problem) in
                try await service.month(month, by: groupings)
            }
        }
        switch query.value("format") {
        case "csv": return .download(usage.csv(byteOrderMark: true), type: UsageMedia.csv, name: name + ".csv")
        case "json": return .download(usage.json.encoded(), type: "application/json", name: name + ".json")
        default: throw .malformed
        }
    }

    /// Closes a month, or shows why it cannot be.
    func close() async throws(ConsoleRefusal) -> HTTPResponse {
        let fields = try visit.form(for: .usage)
        let client = try visit.client(for: .usage)
        guard let text = fields.value("month"), let month = BillingMonth(text), fields.value("sure") == "yes" else {
            throw .malformed
        }
        let note = fields.value("note")
        guard note?.unicodeScalars.count ?? 0 <= Self.longestNote else { throw .malformed }
        do throws(UsageService.CloseFault) {
            _ = try await service.tryClosing(
                month, includingUnsettled: fields.value("unsettled") == "yes", note: note, by: client)
        } catch {
            return try await page(of: month, fault: try fault(error))
        }
        return ConsoleRedirect.to(ConsolePlace("usage", query: [("month", month.description)]))
    }

    private func fault(_ fault: UsageService.CloseFault) throws(ConsoleRefusal) -> Fault {
        let why: String
        switch fault {
        case .clocksDisagree: why = words(.clocksDisagree)
        case .failed(let problem): throw ConsoleRefusal(problem)
        case .refused(let refusal):
            switch refusal {
            case .notEnded: why = words(.notEnded)
            case .alreadyClosed: why = words(.closedAlready)
            case .previousOpen(let month): why = words(.closeFirst, month.description)
            case .overtaken: why = words(.overtaken)
            case .store(let error): throw ConsoleRefusal(visit.service.problem(error))
            case .unsettled(let count, let first):
                return Fault(
                    status: 409, text: words(.notClosedUnsettled, String(count), String(first.count)),
                    details: first.map {
                        Fault.Detail(place: "events.\($0)", problem: words(.unsettledCall))
                    })
            }
        }
        return Fault(status: 409, text: words(.notClosed) + " " + why)
    }
}

extension ConsoleVisit {
    /// The client whose key signed in, as it is configured today.
    func client(for section: ConsoleSection) throws(ConsoleRefusal) -> Client {
        let person = try person(for: section)
        guard let client = service.current.settings.clients.first(where: { $0.id == person.client }) else {
            throw .signInFirst
        }
        return client
    }

    /// Runs what the interface's endpoints stand on too.
    func asked<Value: Sendable>(
        _ body: @Sendable () async throws(Problem) -> Value
    ) async throws(ConsoleRefusal) -> Value {
        do throws(Problem) {
            return try await body()
        } catch {
            throw ConsoleRefusal(error)
        }
    }
}

extension ConsoleRefusal {
    /// What a problem of the interface's is on a page.
    init(_ problem: Problem) {
        self = problem.code.status == 404 ? .notFound : .failed(problem.code)
    }
}

extension HTTPResponse {
    /// A file that the browser keeps and does not show.
    static func download(_ body: [UInt8], type: String, name: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", type), ("Content-Disposition", "attachment; filename=\"\(name)\"")], body: body)
    }
}
