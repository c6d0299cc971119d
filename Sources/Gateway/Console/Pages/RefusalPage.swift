import HTTPServer

/// The page that says why there is none.
struct RefusalPage: Sendable {
    let visit: ConsoleVisit

    func response(_ refusal: ConsoleRefusal) -> HTTPResponse {
        let words = visit.words
        if refusal == .signInFirst, visit.request.http.method == "GET" {
            return ConsoleRedirect.to(ConsolePlace("sign-in"))
        }
        let (title, lead): (ConsolePhrase, String)
        var headers: [(String, String)] = []
        switch refusal {
        case .signInFirst, .formExpired: (title, lead) = (.refused, words(.formExpired))
        case .forbidden: (title, lead) = (.forbidden, words(.forbiddenLead))
        case .notFound: (title, lead) = (.notFound, words(.notFoundLead))
        case .wrongMethod(let allow):
            (title, lead) = (.refused, words(.refusedLead))
            headers.append(("Allow", allow))
        case .malformed, .tooLarge: (title, lead) = (.refused, words(.refusedLead))
        case .failed: (title, lead) = (.failed, words(.failedLead, visit.request.id))
        }
        // A page that asks for a key is no challenge of HTTP's, so what is not signed in is forbidden.
        let status = refusal == .signInFirst ? 403 : refusal.status
        return ConsoleShell(visit: visit).response(
            ConsolePage(words(title), at: ConsolePlace(""), status: status, headers: headers) {
                ConsoleForms.notice(lead, isBad: true)
                HTML(.p) { HTML(.a, [.href(ConsolePlace(""))]) { words(.toStart) } }
            })
    }
}

/// Answers that lead to another page of the console.
enum ConsoleRedirect {
    static func to(_ place: ConsolePlace, _ headers: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: 303, headers: [("Location", place.target)] + headers)
    }
}

/// `/console` itself: the first page that somebody may see.
struct StartPage: Sendable {
    let visit: ConsoleVisit

    func response() throws(ConsoleRefusal) -> HTTPResponse {
        guard let session = visit.session, let first = ConsoleSection.open(to: session.role).first else {
            let hasBegun = visit.request.http.query.contains { $0.0 == "\(SignInPage.begun)" }
            guard hasBegun else { throw .signInFirst }
            return SignInPage(visit: visit).response(status: 403, fault: visit.words(.cookieLost))
        }
        return ConsoleRedirect.to(first.place)
    }
}
