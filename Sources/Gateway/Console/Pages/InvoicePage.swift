import Billing
import HTTPServer
import Usage
import VerificationCore

/// A provider's invoice beside the ledger: loaded, looked through, and what is agreed to written.
struct InvoicePage: Sendable {
    /// Findings of one class on the page; the file has all of them.
    static let mostShown = 200

    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }
    private var service: UsageService { UsageService(sessions: visit.service) }

    // MARK: Loading

    func form(_ month: BillingMonth, _ person: ConsoleSessions.Session) -> HTML {
        let verifiers = visit.service.current.settings.invoiceFormats.keys.map(\.rawValue).sorted()
        return HTML(.section, [.text(.ariaLabelledBy, "invoice")]) {
            HTML(.h2, [.id("invoice")]) { words(.loadInvoice) }
            if verifiers.isEmpty {
                HTML(.p) { words(.noInvoiceFormats) }
            } else {
                HTML(.p, [.class("lead")]) { words(.loadInvoiceLead) }
                HTML(
                    .form,
                    [
                        .class("panel"), .text(.method, "post"), .text(.enctype, "multipart/form-data"),
                        .action(ConsolePlace("usage/invoices")),
                    ]
                ) {
                    ConsoleForms.token(of: person)
                    ConsoleForms.hidden("month", month.description)
                    ConsoleForms.choice("verifier", words(.verifier), verifiers.map { ($0, $0) }, chosen: nil)
                    ConsoleForms.field(
                        "file", words(.invoiceFile),
                        [.text(.type, "file"), .text(.accept, ".csv,text/csv"), .flag(.required)])
                    HTML(.button, [.text(.type, "submit")]) { words(.compare) }
                }
            }
        }
    }

    /// Takes a file, compares it, and leads to what was found.
    func load() async throws(ConsoleRefusal) -> HTTPResponse {
        let person = try visit.person(for: .usage)
        let form: MultipartForm
        do throws(Problem) {
            form = try MultipartForm(
                visit.request.http.body, contentType: visit.request.http.headers["Content-Type"] ?? "")
        } catch {
            throw .malformed
        }
        let fields = FormFields(pairs: form.fields.map { (name: $0.0, value: $0.1) })
        try visit.check(fields.value("csrf"), of: person)
        guard let verifier = fields.value("verifier").map({ VerifierID($0) }),
            let month = fields.value("month").flatMap({ BillingMonth($0) }), let file = form.file(named: "file")
        else { throw .malformed }
        let client = try visit.client(for: .usage)
        let check: InvoiceCheck
        do throws(Problem) {
            check = try await service.reconcile(invoice: file, of: verifier, month: month, by: client)
        } catch {
            guard error.code == .invoiceInvalid else { throw ConsoleRefusal(error) }
            return try await UsagePage(visit: visit).page(
                of: month,
                fault: UsagePage.Fault(
                    status: 422, text: words(.invoiceUnreadable), details: error.problems.map(detail)))
        }
        var generator = SystemRandomNumberGenerator()
        let invoice = HeldInvoices.Invoice(
            id: ByteText.base64URL(randomBytes(16, using: &generator)), owner: person.csrf, file: file, check: check)
        visit.gateway.console.invoices.keep(invoice)
        return ConsoleRedirect.to(ConsolePlace("usage/invoices", [invoice.id]))
    }

    private func detail(_ problem: ReloadProblem) -> UsagePage.Fault.Detail {
        UsagePage.Fault.Detail(
            place: problem.path, line: problem.line,
            problem: InvoiceReader.Problem.Code(rawValue: problem.problem).map { words($0) } ?? "",
            code: problem.problem)
    }

    // MARK: Looking through

    func response(_ id: String) throws(ConsoleRefusal) -> HTTPResponse {
        let (invoice, person) = try held(id)
        let check = invoice.check
        return ConsoleShell(visit: visit).response(
            ConsolePage(
                words(.invoiceOf, check.verifier.rawValue, check.month.description),
                at: ConsolePlace("usage/invoices", [id]), in: .usage
            ) {
                HTML(.p) {
                    HTML(.a, [.href(ConsolePlace("usage", query: [("month", check.month.description)]))]) {
                        words(.backToMonth, check.month.description)
                    }
                }
                if let written = invoice.written { ConsoleForms.notice(words(.accepted, String(written))) }
                ConsoleForms.notice(
                    check.reconciliation.isClean
                        ? words(.invoiceAgrees, String(check.lines)) : words(.invoiceDiffers, String(check.lines)),
                    isBad: !check.reconciliation.isClean)
                totals(check)
                HTML(.p, [.class("actions")]) {
                    HTML(
                        .a, [.class("button quiet"), .href(ConsolePlace("usage/invoices", [id, "differences.csv"]))]
                    ) { words(.differencesFile) }
                }
                Reconciliation.Class.allCases.filter { $0 != .matched }.flatMap { differences(check, $0) }
                if !check.reconciliation.isClean { acceptance(id, check, person) }
            })
    }

    private func held(_ id: String) throws(ConsoleRefusal) -> (HeldInvoices.Invoice, ConsoleSessions.Session) {
        let person = try visit.person(for: .usage)
        guard let invoice = visit.gateway.console.invoices.invoice(id, of: person.csrf) else { throw .notFound }
        return (invoice, person)
    }

    private func money(_ amount: ExactAmount?, _ check: InvoiceCheck) -> HTML {
        guard let amount else { return HTML("–") }
        guard let currency = check.currency else { return HTML(Figures.grouped(amount.description)) }
        return Figures.money(amount.description, currency)
    }

    private func totals(_ check: InvoiceCheck) -> HTML {
        DataTable(
            words(.totalsByClass),
            [
                .init(title: words(.finding)), .init(title: words(.lines), isNumber: true),
                .init(title: words(.difference), isNumber: true), .init(title: words(.meaning), isWords: true),
            ],
            rows: check.reconciliation.totals.map { total in
                [
                    .init(words(total.kind)), .init { Figures.number(Int64(total.count)) },
                    .init { total.count == 0 || total.kind == .matched ? HTML("–") : money(total.difference, check) },
                    .init(words(total.kind.meaning)),
                ]
            }
        ).html
    }

    private func differences(_ check: InvoiceCheck, _ kind: Reconciliation.Class) -> [HTML] {
        let found = check.reconciliation.findings(of: kind)
        guard !found.isEmpty else { return [] }
        return [
            HTML(.h2) { words(kind) + " (\(found.count))" },
            HTML(.p) { words(kind.meaning) },
            DataTable(
                words(kind),
                [
                    .init(title: words(.providerReference)), .init(title: words(.lineOfInvoice), isNumber: true),
                    .init(title: words(.at)), .init(title: words(.billed)),
                    .init(title: words(.theirs), isNumber: true),
                    .init(title: words(.ours), isNumber: true), .init(title: words(.difference), isNumber: true),
                    .init(title: words(.sessionID)),
                ],
                rows: found.prefix(Self.mostShown).map { row($0, check) }
            ).html,
        ]
            + (found.count > Self.mostShown
                ? [HTML(.p) { words(.moreInFile, String(found.count - Self.mostShown)) }] : [])
    }

    private func row(_ finding: Reconciliation.Finding, _ check: InvoiceCheck) -> [DataTable.Cell] {
        let (line, call) = (finding.line, finding.call)
        let kind = line?.billableClass ?? call?.billableClass
        return [
            .code(line?.reference ?? call?.reference ?? line?.ownReference ?? "–"),
            .init(line.map { String($0.line) } ?? "–"),
            .init { visit.time(line?.time ?? call?.time) },
            .init(kind.map { words($0) } ?? "–"),
            side(line?.amount, line?.quantity, check), side(call?.amount, call?.quantity, check),
            .init { money(finding.difference, check) },
            .code(call?.session ?? "–"),
        ]
    }

    /// An amount, and how many where it is not one.
    private func side(_ amount: ExactAmount?, _ quantity: Int64?, _ check: InvoiceCheck) -> DataTable.Cell {
        .init {
            money(amount, check)
            if let quantity, quantity != 1 { " ×\(quantity)" }
        }
    }

    // MARK: Agreeing

    private func acceptance(_ id: String, _ check: InvoiceCheck, _ person: ConsoleSessions.Session) -> HTML {
        let found = Reconciliation.Class.allCases.filter {
            $0 != .matched && !check.reconciliation.findings(of: $0).isEmpty
        }
        return HTML(.section, [.text(.ariaLabelledBy, "accept")]) {
            HTML(.h2, [.id("accept")]) { words(.accept) }
            HTML(.p, [.class("lead")]) { words(.acceptLead) }
            HTML(
                .form,
                [.class("panel"), .text(.method, "post"), .action(ConsolePlace("usage/invoices", [id, "accept"]))]
            ) {
                ConsoleForms.token(of: person)
                HTML(.fieldset) {
                    HTML(.legend) { words(.acceptWhich) }
                    found.map { kind in
                        ConsoleForms.tick(
                            "class", kind.rawValue, words(kind), id: "class-" + kind.rawValue)
                    }
                }
                ConsoleForms.field(
                    "note", words(.acceptNote),
                    [.text(.type, "text"), .flag(.required), .number(.maxlength, UsagePage.longestNote)],
                    hint: words(.noteHint))
                HTML(.button, [.text(.type, "submit")]) { words(.accept) }
            }
        }
    }

    /// Writes what is agreed to, and compares again.
    func accept(_ id: String) async throws(ConsoleRefusal) -> HTTPResponse {
        let fields = try visit.form(for: .usage)
        var (invoice, _) = try held(id)
        let client = try visit.client(for: .usage)
        let kinds = fields.values("class").compactMap { Reconciliation.Class(rawValue: $0) }
        guard kinds.count == fields.values("class").count, !kinds.isEmpty, let note = fields.value("note"),
            note.unicodeScalars.count <= UsagePage.longestNote
        else { throw .malformed }
        let (service, file, check) = (service, invoice.file, invoice.check)
        invoice.written = try await visit.asked { () async throws(Problem) in
            try await service.accept(
                Set(kinds), of: file, verifier: check.verifier, month: check.month, note: note, by: client)
        }
        invoice.check = try await visit.asked { () async throws(Problem) in
            try await service.check(invoice: file, of: check.verifier, month: check.month)
        }
        visit.gateway.console.invoices.keep(invoice)
        return ConsoleRedirect.to(ConsolePlace("usage/invoices", [id]))
    }

    /// The differences as a file.
    func differencesFile(_ id: String) throws(ConsoleRefusal) -> HTTPResponse {
        let (invoice, _) = try held(id)
        return .download(
            invoice.check.csv(byteOrderMark: true), type: UsageMedia.csv,
            name: "differences-\(invoice.check.month).csv")
    }
}
