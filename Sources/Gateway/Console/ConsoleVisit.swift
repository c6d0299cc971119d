import Billing
import HTTPServer
import VerificationCore

/// One request of the console, with who makes it and what it is answered in.
struct ConsoleVisit: Sendable {
    let gateway: Gateway
    let request: GatewayRequest
    let words: ConsoleWords
    /// The token of the session, as the cookie has it.
    let token: String?
    /// Who is signed in.
    let session: ConsoleSessions.Session?
    let now: Timestamp
    /// Where the day and the clock of every page are read off: the zone in which months are billed.
    let zone: BillingZone

    init(_ request: GatewayRequest, of gateway: Gateway) {
        self.gateway = gateway
        self.request = request
        words = ConsoleWords(language: ConsoleLanguage(request.http))
        token = ConsoleCookies.value(ConsoleCookies.session, in: request.http.headers)
        now = gateway.sessions.clock.now()
        zone = gateway.sessions.current.settings.prices.zone
        session = token.flatMap {
            gateway.console.sessions.session(
                $0, among: gateway.sessions.current.settings.clients, at: gateway.sessions.clock.monotonic())
        }
    }

    var service: SessionService { gateway.sessions }

    /// Who is signed in, if the role is the section's.
    func person(for section: ConsoleSection) throws(ConsoleRefusal) -> ConsoleSessions.Session {
        guard let session else { throw .signInFirst }
        guard section.role == session.role else { throw .forbidden }
        return session
    }

    /// The fields of a form that somebody signed in sent, and nobody else made them send.
    func form(for section: ConsoleSection) throws(ConsoleRefusal) -> FormFields {
        let person = try person(for: section)
        let fields = try FormFields(request.http)
        try check(fields.value("csrf"), of: person)
        return fields
    }

    /// Whether a form carries the session's own token.
    func check(_ token: String?, of person: ConsoleSessions.Session) throws(ConsoleRefusal) {
        try refuseForeignOrigin()
        guard let token, ConsoleSecrets.areEqual(token, person.csrf) else { throw .formExpired }
    }

    /// A form of another site's is refused by what the browser says of it, beside the token (and before there is one).
    func refuseForeignOrigin() throws(ConsoleRefusal) {
        let headers = request.http.headers
        if let site = headers["Sec-Fetch-Site"] {
            guard site == "same-origin" || site == "none" else { throw .formExpired }
        } else if let origin = headers["Origin"] {
            guard let host = headers["Host"], origin == "https://" + host || origin == "http://" + host else {
                throw .formExpired
            }
        }
    }

    /// Runs a store call.
    func stored<Value: Sendable>(
        _ body: @Sendable () async throws(StoreError) -> Value
    ) async throws(ConsoleRefusal) -> Value {
        do throws(StoreError) {
            return try await body()
        } catch {
            guard error != .notFound else { throw .notFound }
            throw .failed(service.problem(error).code)
        }
    }

    /// Writes down what somebody did or saw, before the page leaves: what cannot be written down is not shown.
    func audit(
        _ action: AuditDraft.Action, by client: ClientID, session: SessionRecord? = nil, subject: String? = nil
    ) async throws(ConsoleRefusal) {
        var draft = service.auditDraft(action, by: client.rawValue)
        draft.session = session?.id
        draft.client = session?.client
        draft.subject = subject
        draft.outcome = "console"
        do throws(Problem) {
            try await service.audit(draft)
        } catch {
            throw .failed(error.code)
        }
    }

    /// An instant for people.
    func time(_ time: Timestamp) -> HTML {
        HTML(.time, [.text(.datetime, RFC3339.text(time))]) { stamp(time) }
    }

    func time(_ instant: Timestamp?) -> HTML { instant.map { time($0) } ?? HTML("–") }

    /// Day and time, as `2026-11-30 09:00:00`.
    func stamp(_ time: Timestamp) -> String {
        let (day, second) = zone.clock(of: time)
        return "\(day) \(Self.minute(second)):\(Self.two(second % 60))"
    }

    /// Hours and minutes.
    func minute(_ time: Timestamp) -> String { Self.minute(zone.clock(of: time).second) }

    private static func minute(_ second: Int64) -> String { two(second / 3600) + ":" + two(second / 60 % 60) }

    private static func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
}
