import Billing
import HTTPServer
import VerificationCore

/// What a page says; the shell puts it into its frame.
struct ConsolePage: Sendable {
    var status = 200
    let title: String
    /// The part of the console that it belongs to.
    var section: ConsoleSection?
    /// Where it is found again in another language.
    let place: ConsolePlace
    let content: [HTML]
    var headers: [(String, String)] = []

    init(
        _ title: String, at place: ConsolePlace, in section: ConsoleSection? = nil, status: Int = 200,
        headers: [(String, String)] = [], @HTMLBuilder _ content: () -> [HTML]
    ) {
        self.title = title
        self.place = place
        self.section = section
        self.status = status
        self.headers = headers
        self.content = content()
    }
}

/// The frame around every page.
struct ConsoleShell: Sendable {
    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }

    func response(_ page: ConsolePage) -> HTTPResponse {
        HTTPResponse(
            status: page.status,
            headers: [("Content-Type", "text/html; charset=utf-8"), ("Content-Language", words.language.rawValue)]
                + page.headers,
            body: Array(document(page).markup.utf8))
    }

    private func document(_ page: ConsolePage) -> HTML {
        HTML.document([.text(.lang, words.language.rawValue)]) {
            HTML(.head) {
                HTML(.meta, [.text(.charset, "utf-8")])
                HTML(.title) { page.title + " · " + words(.product) }
                HTML(.meta, [.text(.name, "viewport"), .text(.content, "width=device-width, initial-scale=1")])
                HTML(.meta, [.text(.name, "color-scheme"), .text(.content, "light dark")])
                HTML(.link, [.text(.rel, "stylesheet"), .href(ConsolePlace("style.css"))])
                HTML(.link, [.text(.rel, "icon"), .text(.type, "image/svg+xml"), .href(ConsolePlace("icon.svg"))])
                HTML(.script, [.flag(.defer), .source(ConsolePlace("console.js"))])
            }
            HTML(.body) {
                HTML(.a, [.class("skip"), .href(fragment: "content")]) { words(.skip) }
                header(page)
                HTML(.main, [.id("content"), .number(.tabindex, -1)]) {
                    HTML(.h1) { page.title }
                    page.content
                }
                footer(page)
            }
        }
    }

    private func header(_ page: ConsolePage) -> HTML {
        HTML(.header) {
            HTML(.p, [.class("brand")]) { HTML(.a, [.href(ConsolePlace(""))]) { words(.product) } }
            if let person = visit.session {
                HTML(.nav, [.text(.ariaLabel, words(.navigation))]) {
                    HTML(.ul) {
                        ConsoleSection.open(to: person.role).map { section in
                            HTML(.li) {
                                HTML(
                                    .a,
                                    [.href(section.place)]
                                        + (section == page.section ? [.text(.ariaCurrent, "page")] : [])
                                ) { words(section.phrase) }
                            }
                        }
                    }
                }
                HTML(.form, [.class("who"), .text(.method, "post"), .action(ConsolePlace("sign-out"))]) {
                    HTML(.span) { words(.signedInAs, person.client.rawValue, words(person.role)) }
                    ConsoleForms.token(of: person)
                    HTML(.button, [.text(.type, "submit"), .class("quiet")]) { words(.signOut) }
                }
            }
        }
    }

    private func footer(_ page: ConsolePage) -> HTML {
        let other: ConsoleLanguage = words.language == .english ? .japanese : .english
        return HTML(.footer) {
            HTML(.p) { words(.inTime, visit.zone.name) }
            HTML(.p) {
                HTML(
                    .a,
                    [
                        .href(page.place.in(other)), .text(.lang, other.rawValue),
                        .text(.hreflang, other.rawValue),
                    ]
                ) { words(.otherLanguage) }
            }
        }
    }
}

/// Pieces of forms.
enum ConsoleForms {
    /// The token that shows a form to be the session's own.
    static func token(of person: ConsoleSessions.Session) -> HTML {
        hidden("csrf", person.csrf)
    }

    static func hidden(_ name: String, _ value: String) -> HTML {
        HTML(.input, [.text(.type, "hidden"), .text(.name, name), .text(.value, value)])
    }

    /// A field with its label, and a hint where it needs one.
    static func field(
        _ id: String, _ label: String, _ attributes: [HTML.Attribute], hint: String? = nil
    ) -> HTML {
        HTML(.div, [.class("field")]) {
            HTML(.label, [.text(.for, id)]) { label }
            HTML(
                .input,
                [.text(.id, id), .text(.name, id)] + attributes
                    + (hint == nil ? [] : [.text(.ariaDescribedBy, id + "-hint")]))
            if let hint { HTML(.small, [.text(.id, id + "-hint")]) { hint } }
        }
    }

    /// A choice with its label.
    static func choice(
        _ id: String, _ label: String, _ options: [(value: String, text: String)], chosen: String?
    ) -> HTML {
        HTML(.div, [.class("field")]) {
            HTML(.label, [.text(.for, id)]) { label }
            HTML(.select, [.text(.id, id), .text(.name, id)]) {
                options.map { option in
                    HTML(
                        .option,
                        [.text(.value, option.value)] + (option.value == chosen ? [.flag(.selected)] : [])
                    ) { option.text }
                }
            }
        }
    }

    /// Something to tick, with its label behind it.
    static func tick(
        _ name: String, _ value: String, _ label: String, id: String? = nil, isRequired: Bool = false
    ) -> HTML {
        HTML(.div, [.class("tick")]) {
            HTML(
                .input,
                [
                    .text(.type, "checkbox"), .text(.id, id ?? name), .text(.name, name), .text(.value, value),
                ] + (isRequired ? [.flag(.required)] : []))
            HTML(.label, [.text(.for, id ?? name)]) { label }
        }
    }

    /// Something that somebody must not miss.
    static func notice(_ text: String, isBad: Bool = false, isGood: Bool = false) -> HTML {
        let attributes: [HTML.Attribute] =
            isBad
            ? [.class("notice bad"), .text(.role, "alert")]
            : [isGood ? .class("notice good") : .class("notice"), .text(.role, "status")]
        return HTML(.p, attributes) { text }
    }
}
