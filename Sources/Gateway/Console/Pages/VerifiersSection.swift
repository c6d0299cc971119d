import Routing
import VerificationCore

/// The verifiers with their circuits, certifications and alarms.
struct VerifiersSection: Sendable {
    let visit: ConsoleVisit
    let pinned: [PinnedSessions]

    private var words: ConsoleWords { visit.words }
    private var verifiers: [OpenedVerifier] {
        visit.service.current.verifiers.values.sorted { $0.description.id.rawValue < $1.description.id.rawValue }
    }

    var html: [HTML] {
        [
            HTML(.section, [.text(.ariaLabelledBy, "verifiers")]) {
                HTML(.h2, [.id("verifiers")]) { words(.verifiers) }
                circuits
                HTML(.p) { HTML(.small) { words(.circuitsText) } }
            },
            HTML(.section, [.text(.ariaLabelledBy, "alarms")]) {
                HTML(.h2, [.id("alarms")]) { words(.alarms) }
                alarms
            },
            HTML(.section, [.text(.ariaLabelledBy, "certifications")]) {
                HTML(.h2, [.id("certifications")]) { words(.certifications) }
                certifications
            },
        ]
    }

    private var circuits: HTML {
        DataTable(
            words(.verifiers),
            [
                .init(title: words(.verifier)), .init(title: words(.ready)), .init(title: words(.circuit)),
                .init(title: words(.held)), .init(title: words(.running), isNumber: true),
                .init(title: words(.calls), isNumber: true), .init(title: words(.failures), isNumber: true),
                .init(title: words(.lastFailure)), .init(title: words(.openSessions), isNumber: true),
            ],
            rows: verifiers.map(circuit)
        ).html
    }

    private func circuit(_ opened: OpenedVerifier) -> [DataTable.Cell] {
        let id = opened.description.id
        let open = pinned.filter { $0.verifier == id }.reduce(0) { $0 + $1.count }
        let snapshot = visit.service.current.circuits.snapshot(
            of: id, at: visit.service.clock.monotonic(), wall: visit.now)
        return [
            .init {
                id.rawValue
                " "
                HTML(.small) {
                    let kind = opened.description.kind
                    VerifierKind(rawValue: kind).map { words($0) } ?? kind
                    if opened.description.isSimulated { " · " + words(.simulated) }
                }
            },
            flag(opened.isReady(at: visit.now)),
            .init {
                if let snapshot {
                    mark(words(snapshot.state), isGood: snapshot.state == .closed)
                    if let again = snapshot.triedAgainAt {
                        " "
                        HTML(.small) { words(.tryAgainAt, visit.stamp(again)) }
                    }
                } else {
                    "–"
                }
            },
            .init {
                if let hold = snapshot?.hold {
                    mark(words(hold.position), isGood: false)
                    " "
                    HTML(.small) {
                        let asked = visit.service.holds.hold(of: id)
                        words(.heldUntil, visit.stamp(asked?.until ?? hold.until), asked?.reason ?? "–")
                    }
                } else {
                    words(.no)
                }
            },
            .init(snapshot?.running ?? 0), .init(snapshot?.counts.calls ?? 0), .init(snapshot?.counts.failures ?? 0),
            .init {
                if let last = snapshot?.lastErrors.first {
                    visit.time(last.at)
                    " "
                    words(last.failure)
                } else {
                    "–"
                }
            },
            .init(open),
        ]
    }

    private var alarms: HTML {
        let states = visit.service.current.health(at: visit.now)
        let rows = states.flatMap { id, health in
            health.alarms.map { alarm -> [DataTable.Cell] in
                [
                    .init(id),
                    .init {
                        AlarmCode(rawValue: alarm.code).map { words($0) + " " } ?? ""
                        HTML(.code) { alarm.code }
                    },
                    .init(alarm.subject),
                    .init { alarm.daysLeft.map { days(Int64($0)) } ?? HTML("–") },
                ]
            }
        }
        guard !rows.isEmpty else { return HTML(.p) { words(.noAlarms) } }
        return DataTable(
            words(.alarms),
            [
                .init(title: words(.verifier)), .init(title: words(.alarm), isWords: true),
                .init(title: words(.subject)),
                .init(title: words(.validUntil)),
            ], rows: rows
        ).html
    }

    private var certifications: HTML {
        let rows = verifiers.compactMap { opened in
            opened.description.certification.map { certification -> [DataTable.Cell] in
                [
                    .init(opened.description.id.rawValue), .code(certification.regime), .init(certification.holder),
                    .init(certification.program + " " + certification.version), .init(certification.number),
                    .init {
                        visit.time(certification.validUntil)
                        " "
                        days(certification.daysLeft(at: visit.now))
                    },
                ]
            }
        }
        guard !rows.isEmpty else { return HTML(.p) { words(.noneCertified) } }
        return DataTable(
            words(.certifications),
            [
                .init(title: words(.verifier)), .init(title: words(.certification)), .init(title: words(.holder)),
                .init(title: words(.program)), .init(title: words(.number)), .init(title: words(.validUntil)),
            ], rows: rows
        ).html
    }

    /// Days before which somebody should begin to act: issuing anew takes weeks.
    private static let soon: Int64 = 30

    private func days(_ days: Int64) -> HTML {
        mark(
            days < 0
                ? words(.daysOver, String(-days)) : days == 1 ? words(.dayLeft) : words(.daysLeft, String(days)),
            isGood: days >= Self.soon)
    }

    private func flag(_ value: Bool) -> DataTable.Cell {
        .init { mark(value ? words(.yes) : words(.no), isGood: value) }
    }

    private func mark(_ text: String, isGood: Bool) -> HTML {
        HTML(.span, isGood ? [.class("mark good")] : [.class("mark bad")]) { text }
    }
}
