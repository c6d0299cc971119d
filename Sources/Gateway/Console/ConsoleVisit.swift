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

    init(_ request: GatewayRequest, of gateway: Gateway) {
        self.gateway = gateway
        self.request = request
        words = ConsoleWords(language: ConsoleLanguage(request.http))
        token = ConsoleCookies.value(ConsoleCookies.session, in: request.http.headers)
        now = gateway.sessions.clock.now()
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

    /// An instant for people, in Japan's time, which has no clock changes.
    func time(_ time: Timestamp) -> HTML {
        HTML(.time, [.text(.datetime, RFC3339.text(time))]) { JapanTime.text(time) }
    }

    func time(_ instant: Timestamp?) -> HTML { instant.map { time($0) } ?? HTML("–") }
}

/// Japan's time: nine hours ahead, and no summer time since 1951.
enum JapanTime {
    static func text(_ time: Timestamp) -> String {
        let local = RFC3339.text(time.advanced(by: .seconds(9 * 3600)))
        return local.prefix(10) + " " + local.dropFirst(11).prefix(8)
    }

    /// Hours and minutes.
    static func minute(_ time: Timestamp) -> String { String(text(time).dropFirst(11).prefix(5)) }
}
