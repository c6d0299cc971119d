import Billing
import HTTPServer
import JSONTree
import VerificationCore

/// The audit chain, newest first: who did and saw what, and whether the chain holds. It holds nothing of a person.
struct AuditPage: Sendable {
    /// Events on one page.
    static let limit = 100
    /// Longer than any name that a configuration may hold.
    private static let longestName = 200
    /// Digits of a hash that tell two events apart; the file has all of them.
    private static let digits = 8

    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }
    private var store: any Store { visit.service.store }

    /// What is looked for, as an address holds it: no value of it is a person's.
    private struct Search: Sendable {
        static let names: [StaticString] = ["action", "actor", "day", "session"]

        var filter = AuditFilter()
        var cursor: Int64?
        let fields: FormFields
        /// What was not understood, by the name of its field.
        var fault: ConsolePhrase?

        var pairs: [(StaticString, String)] {
            Self.names.compactMap { name in fields.value("\(name)").map { (name, $0) } }
        }

        init(_ fields: FormFields, in zone: BillingZone) {
            self.fields = fields
            if let text = fields.value("action") {
                if let action = AuditDraft.Action(rawValue: text) { filter.actions = [action] } else { fault = .action }
            }
            filter.actor = fields.value("actor")
            filter.session = fields.value("session").map { SessionID($0) }
            if let text = fields.value("day") {
                if let day = CivilDate(text) {
                    filter.from = zone.start(of: day)
                    filter.before = zone.start(of: CivilDate(daysSinceEpoch: day.daysSinceEpoch + 1))
                } else {
                    fault = .day
                }
            }
            if let text = fields.value("older") {
                if let sequence = Int64(text), sequence > 0 { cursor = sequence } else { fault = .older }
            }
        }
    }

    private var search: Search {
        Search(FormFields(pairs: visit.request.http.query.map { ($0.0, $0.1) }), in: visit.zone)
    }

    func response() async throws(ConsoleRefusal) -> HTTPResponse {
        let person = try visit.person(for: .audit)
        let search = search
        let (found, next) = try await events(search, limit: Self.limit, by: person)
        let proof = try await prove(most: AuditProof.mostOnPage)
        let newest = try await visit.stored { [store] () async throws(StoreError) in
            try await store.audit(AuditFilter(), before: nil, limit: 1).first?.sequence ?? 0
        }
        return ConsoleShell(visit: visit).response(
            ConsolePage(
                words(.audit), at: ConsolePlace("audit", query: search.pairs), in: .audit,
                status: search.fault == nil ? 200 : 422
            ) {
                HTML(.p, [.class("lead")]) { words(.auditLead) }
                chain(proof, newest: newest, person)
                form(search)
                if let fault = search.fault {
                    ConsoleForms.notice(words(.invalidSearch, words(fault)), isBad: true)
                } else if found.isEmpty {
                    ConsoleForms.notice(words(.noAuditEvents))
                } else {
                    table(found)
                }
                HTML(.p, [.class("actions")]) {
                    if let next {
                        HTML(
                            .a,
                            [
                                .class("button quiet"), .text(.rel, "next"),
                                .href(ConsolePlace("audit", query: search.pairs + [("older", String(next))])),
                            ]
                        ) { words(.older) }
                    }
                    if search.fault == nil, !found.isEmpty {
                        HTML(
                            .a,
                            [
                                .class("button quiet"),
                                .href(ConsolePlace("audit/events.json", query: search.pairs)),
                            ]
                        ) { words(.auditFile, String(ReadAudit.maximumLimit)) }
                    }
                }
            })
    }

    /// The events as the interface gives them, as a file.
    func file() async throws(ConsoleRefusal) -> HTTPResponse {
        let person = try visit.person(for: .audit)
        let search = search
        guard search.fault == nil else { throw .malformed }
        let (found, next) = try await events(search, limit: ReadAudit.maximumLimit, by: person)
        let json = JSONValue.object([
            ("events", .array(found.map(AuditRendering.event))), ("next", .string(orNull: next.map { "\($0)" })),
        ])
        return .download(json.encoded(), type: "application/json", name: "audit.json")
    }

    /// Proves the whole chain, from its first event.
    func proveAnew() async throws(ConsoleRefusal) -> HTTPResponse {
        _ = try visit.form(for: .audit)
        let person = try visit.person(for: .audit)
        try await visit.audit(.auditRead, by: person.client, subject: "chain")
        _ = try await prove(anew: true)
        return ConsoleRedirect.to(ConsolePlace("audit"))
    }

    private func events(
        _ search: Search, limit: Int, by person: ConsoleSessions.Session
    ) async throws(ConsoleRefusal) -> ([AuditEvent], next: Int64?) {
        guard search.fault == nil else { return ([], nil) }
        // The names of what is looked for, never what was written in.
        let names = search.pairs.map { "\($0.0)" }.joined(separator: ",")
        try await visit.audit(.auditRead, by: person.client, subject: names.isEmpty ? nil : names)
        let found = try await visit.stored { [store] () async throws(StoreError) in
            try await store.audit(search.filter, before: search.cursor, limit: limit + 1)
        }
        return (Array(found.prefix(limit)), found.count > limit ? found[limit - 1].sequence : nil)
    }

    // MARK: The chain

    private func prove(anew: Bool = false, most: Int = .max) async throws(ConsoleRefusal) -> AuditProof.State {
        let (proof, now, store) = (visit.gateway.console.auditProof, visit.now, store)
        let was = proof.state.broken
        let state = try await visit.stored { () async throws(StoreError) in
            try await proof.advance(store, anew: anew, most: most, at: now)
        }
        if let broken = state.broken, broken != was {
            visit.service.log(.error, "the audit chain is broken", at: now, [(.count, .number(broken))])
        }
        return state
    }

    private func chain(_ proof: AuditProof.State, newest: Int64, _ person: ConsoleSessions.Session) -> HTML {
        let proved = proof.last?.sequence ?? 0
        return HTML(.section, [.text(.ariaLabelledBy, "chain")]) {
            HTML(.h2, [.id("chain")]) { words(.chain) }
            if let broken = proof.broken {
                ConsoleForms.notice(words(.chainBroken, String(broken)), isBad: true)
            } else if proved < newest {
                ConsoleForms.notice(words(.chainPartly, Figures.grouped("\(proved)"), Figures.grouped("\(newest)")))
            } else {
                ConsoleForms.notice(words(.chainHolds, Figures.grouped("\(proved)")), isGood: true)
            }
            HTML(.dl) {
                if let begun = proof.begunAt {
                    HTML(.dt) { words(.chainSince) }
                    HTML(.dd) { visit.time(begun) }
                }
                if let last = proof.last {
                    HTML(.dt) { words(.chainHead, String(last.sequence)) }
                    HTML(.dd) { HTML(.code) { ByteText.hex(last.hash) } }
                }
            }
            HTML(.p) { HTML(.small) { words(.chainText) } }
            HTML(.form, [.text(.method, "post"), .action(ConsolePlace("audit/proof"))]) {
                ConsoleForms.token(of: person)
                HTML(.button, [.text(.type, "submit"), .class("quiet")]) { words(.proveAnew) }
            }
        }
    }

    // MARK: The events

    private func form(_ search: Search) -> HTML {
        let any = [(value: "", text: words(.any))]
        return HTML(
            .form,
            [
                .class("panel row"), .text(.method, "get"), .action(ConsolePlace("audit")), .text(.role, "search"),
                .text(.ariaLabel, words(.search)),
            ]
        ) {
            HTML(.p, [.class("wide")]) { words(.searchLead) }
            ConsoleForms.choice(
                "action", words(.action), any + AuditDraft.Action.allCases.map { ($0.rawValue, words($0)) },
                chosen: search.fields.value("action"))
            ConsoleForms.field("actor", words(.actor), value(of: "actor", search), hint: words(.actorHint))
            ConsoleForms.field(
                "day", words(.day),
                [.text(.type, "date"), .text(.pattern, "[0-9]{4}-[0-9]{2}-[0-9]{2}")]
                    + (search.fields.value("day").map { [.text(.value, $0)] } ?? []))
            ConsoleForms.field("session", words(.sessionID), value(of: "session", search))
            HTML(.button, [.text(.type, "submit")]) { words(.search) }
        }
    }

    private func value(of name: String, _ search: Search) -> [HTML.Attribute] {
        [.text(.type, "search"), .number(.maxlength, Self.longestName), .text(.autocomplete, "off")]
            + (search.fields.value(name).map { [.text(.value, $0)] } ?? [])
    }

    private func table(_ events: [AuditEvent]) -> HTML {
        DataTable(
            words(.auditEvents),
            [
                .init(title: words(.sequence), isNumber: true), .init(title: words(.at)), .init(title: words(.action)),
                .init(title: words(.actor)), .init(title: words(.subject)),
                .init(title: words(.outcome), isWords: true),
                .init(title: words(.auditCount), isNumber: true), .init(title: words(.configurationVersion)),
                .init(title: words(.hash)),
            ],
            rows: events.map(row)
        ).html
    }

    private func row(_ event: AuditEvent) -> [DataTable.Cell] {
        let draft = event.draft
        return [
            .init { Figures.number(event.sequence) },
            .init { visit.time(draft.at) },
            .init {
                words(draft.action)
                " "
                HTML(.code) { draft.action.rawValue }
            },
            .code(draft.actor),
            .init { subject(draft) },
            .init {
                [draft.outcome, draft.reason].compactMap { $0 }.flatMap { code -> [HTML] in
                    let said = AuditCode(rawValue: code).map { words($0) }
                    return (said.map { [HTML($0 + " ")] } ?? [])
                        + (said == code ? [] : [HTML(.code) { code }, HTML(" ")])
                }
            },
            .init { draft.count.map { Figures.number($0) } },
            .code(draft.configurationVersion),
            .code(String(ByteText.hex(event.hash).prefix(Self.digits)) + "…"),
        ]
    }

    /// What it was about; a session leads to everything that was done with it.
    private func subject(_ draft: AuditDraft) -> [HTML] {
        var pieces: [HTML] = []
        if let session = draft.session {
            pieces.append(
                HTML(.a, [.href(ConsolePlace("audit", query: [("session", session.rawValue)])), .class("code")]) {
                    session.rawValue
                })
        }
        for text in [draft.client?.rawValue, draft.subject].compactMap({ $0 }) {
            pieces += (pieces.isEmpty ? [] : [HTML(" ")]) + [HTML(.code) { text }]
        }
        return pieces
    }
}
