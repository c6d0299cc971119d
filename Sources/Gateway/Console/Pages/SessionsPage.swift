import HTTPServer
import VerificationCore

/// The search for sessions. A reference may lead back to a person, so it is sent in a form's body, looked up by its
/// digest and never shown again, nor written into an address.
struct SessionsPage: Sendable {
    /// Sessions on one page.
    static let limit = 50
    /// Longer than any identifier of ours, and than a verifier's name.
    private static let longestName = 200

    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }
    private var service: SessionService { visit.service }

    /// The newest sessions, or those of a search that an address may hold.
    func response() async throws(ConsoleRefusal) -> HTTPResponse {
        let person = try visit.person(for: .sessions)
        return try await answer(
            FormFields(pairs: visit.request.http.query.filter { $0.0 != "reference" }.map { ($0.0, $0.1) }), person)
    }

    /// What a form asks for.
    func search() async throws(ConsoleRefusal) -> HTTPResponse {
        let fields = try visit.form(for: .sessions)
        return try await answer(fields, try visit.person(for: .sessions))
    }

    private func answer(
        _ fields: FormFields, _ person: ConsoleSessions.Session
    ) async throws(ConsoleRefusal) -> HTTPResponse {
        // The names of what is looked for, never what was written in.
        let names = ["id", "reference", "status", "reason", "verifier", "older"].filter { fields.value($0) != nil }
        try await visit.audit(
            .sessionsSearched, by: person.client, subject: names.isEmpty ? nil : names.joined(separator: ","))
        if let id = fields.value("id"), id.utf8.count <= Self.longestName {
            let id = String(id.filter { !$0.isWhitespace })
            do throws(ConsoleRefusal) {
                _ = try await visit.stored { [service] () async throws(StoreError) in
                    try await service.store.session(SessionID(id))
                }
                return ConsoleRedirect.to(ConsolePlace("sessions", [id]))
            } catch {
                guard error == .notFound else { throw error }
                return page([], next: nil, fields, person)
            }
        }
        let filter: SessionFilter
        var cursor: SessionCursor?
        switch query(fields) {
        case .success(let found): (filter, cursor) = found
        case .failure(let fault): return page([], next: nil, fields, person, fault: fault)
        }
        let place = cursor
        let found = try await visit.stored { [service] () async throws(StoreError) in
            try await service.store.sessions(filter, olderThan: place, limit: Self.limit + 1)
        }
        let shown = found.prefix(Self.limit)
        let next = found.count > Self.limit ? shown.last.map { SessionCursor(createdAt: $0.createdAt, id: $0.id) } : nil
        return page(Array(shown), next: next, fields, person)
    }

    /// What was not understood, by the name of its field.
    private struct Fault: Error { let field: ConsolePhrase }

    private func query(_ fields: FormFields) -> Result<(SessionFilter, SessionCursor?), Fault> {
        var filter = SessionFilter()
        if let text = fields.value("status") {
            guard let status = SessionStatus(rawValue: text) else { return .failure(Fault(field: .status)) }
            filter.statuses = [status]
        }
        if let text = fields.value("reason") {
            guard let reason = Reason(rawValue: text) else { return .failure(Fault(field: .reason)) }
            filter.reason = reason
        }
        filter.verifier = fields.value("verifier").map { VerifierID($0) }
        if let reference = fields.value("reference") {
            guard reference.unicodeScalars.count <= CreateSession.maximumReferenceLength else {
                return .failure(Fault(field: .reference))
            }
            filter.referenceIndexes = service.referenceIndexes(reference, of: nil)
        }
        guard let text = fields.value("older") else { return .success((filter, nil)) }
        guard let cursor = SessionCursor(text: text) else { return .failure(Fault(field: .older)) }
        return .success((filter, cursor))
    }

    private func page(
        _ shown: [SessionRecord], next: SessionCursor?, _ fields: FormFields, _ person: ConsoleSessions.Session,
        fault: Fault? = nil
    ) -> HTTPResponse {
        ConsoleShell(visit: visit).response(
            ConsolePage(
                words(.sessions), at: ConsolePlace("sessions"), in: .sessions, status: fault == nil ? 200 : 422
            ) {
                form(fields, person)
                if let fault {
                    ConsoleForms.notice(words(.invalidSearch, words(fault.field)), isBad: true)
                } else if shown.isEmpty {
                    ConsoleForms.notice(words(.noneFound))
                } else {
                    table(shown)
                }
                if let next { older(next, fields, person) }
            })
    }

    private func form(_ fields: FormFields, _ person: ConsoleSessions.Session) -> HTML {
        let verifiers = service.current.verifiers.keys.map(\.rawValue).sorted()
        let any = [(value: "", text: words(.any))]
        return HTML(
            .form,
            [
                .class("panel row"), .text(.method, "post"), .action(ConsolePlace("sessions")), .text(.role, "search"),
                .text(.ariaLabel, words(.search)),
            ]
        ) {
            ConsoleForms.token(of: person)
            HTML(.p, [.class("wide")]) { words(.searchLead) }
            ConsoleForms.field(
                "id", words(.sessionID),
                [
                    .text(.type, "search"), .number(.maxlength, Self.longestName), .text(.autocomplete, "off"),
                    .text(.placeholder, "ses_…"),
                ])
            ConsoleForms.field(
                "reference", words(.reference),
                [
                    .text(.type, "search"), .number(.maxlength, CreateSession.maximumReferenceLength),
                    .text(.autocomplete, "off"),
                ], hint: words(.referenceHint))
            ConsoleForms.choice(
                "status", words(.status), any + SessionStatus.allCases.map { ($0.rawValue, words($0)) },
                chosen: fields.value("status"))
            ConsoleForms.choice(
                "verifier", words(.verifier), any + verifiers.map { ($0, $0) }, chosen: fields.value("verifier"))
            ConsoleForms.choice(
                "reason", words(.reason), any + Reason.allCases.map { ($0.rawValue, words($0)) },
                chosen: fields.value("reason"))
            HTML(.button, [.text(.type, "submit")]) { words(.search) }
        }
    }

    private func table(_ shown: [SessionRecord]) -> HTML {
        DataTable(
            words(.found),
            [
                .init(title: words(.sessionID)), .init(title: words(.status)),
                .init(title: words(.reason), isWords: true),
                .init(title: words(.verifier)), .init(title: words(.client)), .init(title: words(.purpose)),
                .init(title: words(.createdAt)), .init(title: words(.endedAt)),
            ],
            rows: shown.map { record in
                [
                    .init {
                        HTML(.a, [.href(ConsolePlace("sessions", [record.id.rawValue])), .class("code")]) {
                            record.id.rawValue
                        }
                    },
                    .init { SessionMarks.status(record, words) },
                    .init {
                        (record.report?.reasons.map { words($0) } ?? record.failure.map { [words($0)] } ?? [])
                            .joined(separator: " ")
                    },
                    .init((record.answeredBy ?? record.verifier).rawValue), .init(record.client.rawValue),
                    .init(record.purpose.rawValue), .init { visit.time(record.createdAt) },
                    .init { visit.time(record.endedAt) },
                ]
            }
        ).html
    }

    /// The same search again, from where the page ends. A reference goes with it in the form's body alone; one that was
    /// looked up finds few sessions, so there is no second page of them.
    private func older(_ next: SessionCursor, _ fields: FormFields, _ person: ConsoleSessions.Session) -> HTML? {
        guard fields.value("reference") == nil else { return nil }
        return HTML(.form, [.text(.method, "post"), .action(ConsolePlace("sessions"))]) {
            ConsoleForms.token(of: person)
            ConsoleForms.hidden("older", next.text)
            ["status", "verifier", "reason"].compactMap { name in
                fields.value(name).map { ConsoleForms.hidden(name, $0) }
            }
            HTML(.button, [.text(.type, "submit"), .class("quiet")]) { words(.older) }
        }
    }
}

/// Statuses as marks.
enum SessionMarks {
    static func status(_ record: SessionRecord, _ words: ConsoleWords) -> HTML {
        let style: HTML.Attribute =
            switch record.status {
            case .verified: .class("mark good")
            case .rejected, .failed: .class("mark bad")
            case .created, .processing, .expired, .cancelled: .class("mark")
            }
        return HTML(.span, [style]) { words(record.status) }
    }
}
