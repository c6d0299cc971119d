import HTTPServer
import VerificationCore

/// One session with its checks in their order and its calls. Nothing that is sealed is opened here.
struct SessionPage: Sendable {
    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }

    func answer(_ id: SessionID) async throws(ConsoleRefusal) -> Answer {
        let person = try visit.person(for: .sessions)
        let store = visit.service.store
        let record = try await visit.stored { () async throws(StoreError) in try await store.session(id) }
        try await visit.audit(.checksRead, by: person.client, session: record)
        let events = try await visit.stored { () async throws(StoreError) in try await store.ledger(of: id) }
        let response = ConsoleShell(visit: visit).response(
            ConsolePage(
                words(.session, id.rawValue), at: ConsolePlace("sessions", [id.rawValue]), in: .sessions
            ) {
                HTML(.p) { HTML(.a, [.href(ConsolePlace("sessions"))]) { words(.back) } }
                summary(record)
                checks(record)
                calls(events)
                HTML(.p) { HTML(.small) { words(.noClaimsHere) } }
            })
        return Answer(response, session: record)
    }

    private func summary(_ record: SessionRecord) -> HTML {
        let reasons = record.report?.reasons ?? []
        return HTML(.section, [.text(.ariaLabelledBy, "summary")]) {
            HTML(.h2, [.id("summary")]) { words(.summary) }
            HTML(.dl) {
                entry(.status) { SessionMarks.status(record, words) }
                if !reasons.isEmpty {
                    entry(.why) {
                        HTML(.ul) {
                            reasons.map { reason in
                                HTML(.li) {
                                    words(reason)
                                    " "
                                    HTML(.code) { reason.rawValue }
                                }
                            }
                        }
                    }
                }
                if let failure = record.failure {
                    entry(.failure) {
                        words(failure)
                        " "
                        HTML(.code) { failure.rawValue }
                    }
                }
                if let reason = record.cancelReason {
                    entry(.cancelled) {
                        CancelSession.Outcome(rawValue: reason).map { words($0) + " " } ?? ""
                        HTML(.code) { reason }
                    }
                }
                entry(.client) { record.client.rawValue }
                entry(.purpose) { record.purpose.rawValue }
                entry(.documentType) { HTML(.code) { record.documentType } }
                entry(.verdictFrom) {
                    (record.answeredBy ?? record.verifier).rawValue
                    if record.isSimulated { " (" + words(.simulated) + ")" }
                }
                routing(record)
                if let certification = record.certification {
                    entry(.certification) { certification.number + " (" + certification.holder + ")" }
                }
                if let reference = record.providerReference { entry(.providerReference) { HTML(.code) { reference } } }
                entry(.createdAt) { visit.time(record.createdAt) }
                entry(.expiresAt) { visit.time(record.expiresAt) }
                entry(.submittedAt) { visit.time(record.claimedAt) }
                entry(.endedAt) { visit.time(record.endedAt) }
                if let erased = record.erasedAt { entry(.erasedAt) { visit.time(erased) } }
                entry(.configurationVersion) { HTML(.code) { record.configurationVersion } }
            }
        }
    }

    private func routing(_ record: SessionRecord) -> [HTML] {
        var entries: [HTML] = []
        if let rule = record.routing.rule { entries += entry(.rule) { HTML(.code) { rule } } }
        if !record.routing.passedOver.isEmpty {
            entries += entry(.passedOver) {
                record.routing.passedOver.map { "\($0.verifier): \(words($0.reason))" }.joined(separator: "; ")
            }
        }
        if let wait = record.wait { entries += entry(.waiting) { words(wait.step) } }
        return entries
    }

    private func entry(_ phrase: ConsolePhrase, @HTMLBuilder _ content: () -> [HTML]) -> [HTML] {
        [HTML(.dt) { words(phrase) }, HTML(.dd, [], content)]
    }

    private func checks(_ record: SessionRecord) -> HTML {
        HTML(.section, [.text(.ariaLabelledBy, "checks")]) {
            HTML(.h2, [.id("checks")]) { words(.checks) }
            if let report = record.report {
                HTML(.ol, [.class("checks")]) {
                    CheckName.allCases.filter { $0 != .providerVerdict || report[$0] != .notChecked }
                        .map { check(report[$0], $0) }
                }
            } else {
                HTML(.p) { words(.noChecksYet) }
            }
        }
    }

    private func check(_ outcome: CheckOutcome, _ name: CheckName) -> HTML {
        let style: HTML.Attribute =
            switch outcome {
            case .passed: .class("mark good")
            case .failed: .class("mark bad")
            case .notChecked: .class("mark")
            }
        return HTML(.li) {
            HTML(.span, [.class("name")]) { words(name) }
            " "
            HTML(.span, [style]) { words(outcome) }
            if let reason = outcome.reason {
                " "
                HTML(.span, [.class("reason")]) {
                    words(reason)
                    " "
                    HTML(.code) { reason.rawValue }
                }
            }
        }
    }

    private func calls(_ events: [LedgerEvent]) -> HTML {
        HTML(.section, [.text(.ariaLabelledBy, "calls")]) {
            HTML(.h2, [.id("calls")]) { words(.callsOfSession) }
            if events.isEmpty {
                HTML(.p) { words(.noCalls) }
            } else {
                HTML(.p) { words(.callsOfSessionText) }
                DataTable(
                    words(.callsOfSession),
                    [
                        .init(title: words(.at)), .init(title: words(.verifier)), .init(title: words(.role)),
                        .init(title: words(.call)), .init(title: words(.event)), .init(title: words(.outcome)),
                        .init(title: words(.billed)), .init(title: words(.quantity), isNumber: true),
                    ],
                    rows: events.map { event in
                        let draft = event.draft
                        return [
                            .init { visit.time(draft.at) }, .init(draft.verifier.rawValue), .init(words(draft.role)),
                            draft.call.map { .code($0.rawValue) } ?? .init("–"),
                            .init(words(draft.kind)), .init(draft.outcome.map { words($0) } ?? "–"),
                            .init(words(draft.billableClass)), .init(draft.quantity),
                        ]
                    }
                ).html
            }
        }
    }
}
