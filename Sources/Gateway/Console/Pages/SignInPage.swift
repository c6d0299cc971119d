import Cryptography
import HTTPServer
import VerificationCore

/// Signing in and out.
struct SignInPage: Sendable {
    /// No key is longer.
    static let longestKey = 512
    /// Says in an address that somebody has just signed in: who has no cookie there never will.
    static let begun: StaticString = "begun"

    let visit: ConsoleVisit

    private var words: ConsoleWords { visit.words }
    private var service: SessionService { visit.service }

    func response(status: Int = 200, fault: String? = nil, headers: [(String, String)] = []) -> HTTPResponse {
        ConsoleShell(visit: visit).response(
            ConsolePage(words(.signIn), at: ConsolePlace("sign-in"), status: status, headers: headers) {
                if let fault { ConsoleForms.notice(fault, isBad: true) }
                HTML(.p, [.class("lead")]) { words(.signInLead) }
                HTML(.form, [.class("panel"), .text(.method, "post"), .action(ConsolePlace("sign-in"))]) {
                    ConsoleForms.field(
                        "key", words(.key),
                        [
                            .text(.type, "password"), .flag(.required), .text(.autocomplete, "current-password"),
                            .number(.maxlength, Self.longestKey), .flag(.autofocus),
                        ], hint: words(.keyHint))
                    HTML(.button, [.text(.type, "submit")]) { words(.signIn) }
                }
                HTML(.p) { HTML(.small) { words(.noConsoleForApps) } }
            })
    }

    /// Begins a session for the client whose key was sent. An app's key is as good as none: what it opens is not here.
    func begin() async throws(ConsoleRefusal) -> HTTPResponse {
        try visit.refuseForeignOrigin()
        let now = service.clock.monotonic()
        let address = visit.request.http.remoteAddress
        let attempts = visit.gateway.console.attempts
        let key = Sensitive(Self.trimmed(try FormFields(visit.request.http).value("key") ?? ""))
        guard let client = service.current.client(withKey: key), !ConsoleSection.open(to: client.role).isEmpty else {
            // A right key is never held up: behind a proxy all share its address, and one person's mistakes, or a
            // stranger's, would keep everybody out. A limit adds nothing against guessing: keys are long and random,
            // and the interface takes them without one.
            if let seconds = attempts.wait(address, at: now) {
                return response(
                    status: 429, fault: words(.tooManyAttempts, String(seconds)),
                    headers: [("Retry-After", String(seconds))])
            }
            attempts.failed(address, at: now)
            service.log(.warning, "a sign-in to the console was refused", at: visit.now)
            return response(status: 403, fault: words(.keyWrong))
        }
        try await visit.audit(.signedIn, by: client.id)
        // A new token for each sign-in: one that was there before is worth nothing afterwards.
        if let old = visit.token { visit.gateway.console.sessions.end(old) }
        let keyHash = key.withValue { Hash.digest($0, .sha256) }
        let token = visit.gateway.console.sessions.begin(client, keyHash: keyHash, at: now)
        service.log(
            .info, "somebody signed in to the console", at: visit.now, [(.client, .text(client.id.rawValue))])
        return ConsoleRedirect.to(ConsolePlace("", query: [(Self.begun, "yes")]), [ConsoleCookies.begin(token)])
    }

    /// Ends the session.
    func end() async throws(ConsoleRefusal) -> HTTPResponse {
        guard let person = visit.session, let token = visit.token else { throw .signInFirst }
        try visit.check(try FormFields(visit.request.http).value("csrf"), of: person)
        // Whoever wants to go is let go, also where it cannot be written down.
        visit.gateway.console.sessions.end(token)
        visit.gateway.console.invoices.drop(of: person.csrf)
        await visit.service.auditLate(visit.service.auditDraft(.signedOut, by: person.client.rawValue))
        return ConsoleRedirect.to(ConsolePlace("sign-in"), [ConsoleCookies.end()])
    }

    /// What is pasted often ends with a line.
    private static func trimmed(_ text: String) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        return Array(text.utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
