import HTTPServer
import VerificationCore

/// What the console keeps between requests: who is signed in, and who failed to.
final class Console: Sendable {
    let sessions = ConsoleSessions()
    let attempts = SignInAttempts()
    let invoices = HeldInvoices()
    let auditProof = AuditProof()
    let usage = UsageCache()

    /// Nothing is fetched from elsewhere, nothing that stands in a page runs, and no other site shows it or is sent a
    /// form by it.
    static let policy =
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    /// The fields of every answer under `/console`.
    static let headers: [(String, String)] = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
        // A form's origin is only told where the referrer may be: `same-origin` keeps both within the console.
        ("Referrer-Policy", "same-origin"), ("Cache-Control", "no-store"), ("X-Frame-Options", "DENY"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}

extension Gateway {
    /// Answers a request under `/console`: with a page, whatever happens. The code is for the log.
    func console(_ request: GatewayRequest) async -> (answer: Answer, code: ProblemCode?) {
        let visit = ConsoleVisit(request, of: self)
        var answer: Answer
        var code: ProblemCode?
        do throws(ConsoleRefusal) {
            answer = try await page(visit)
        } catch {
            code = error.code
            answer = Answer(RefusalPage(visit: visit).response(error))
        }
        answer.client = visit.session?.client
        answer.response.headers += Console.headers
        if request.http.query.contains(where: { $0.0 == "lang" && ConsoleLanguage(rawValue: $0.1) != nil }) {
            answer.response.headers.append(ConsoleCookies.remember(visit.words.language))
        }
        return (answer, code)
    }

    private func page(_ visit: ConsoleVisit) async throws(ConsoleRefusal) -> Answer {
        switch try ConsoleRoute(visit.request.http) {
        case .start: return Answer(try StartPage(visit: visit).response())
        case .asset(let asset): return Answer(asset.response)
        case .signIn: return Answer(SignInPage(visit: visit).response())
        case .beginSession: return Answer(try await SignInPage(visit: visit).begin())
        case .endSession: return Answer(try await SignInPage(visit: visit).end())
        case .overview: return Answer(try await OverviewPage(visit: visit).response())
        case .sessions: return Answer(try await SessionsPage(visit: visit).response())
        case .search: return Answer(try await SessionsPage(visit: visit).search())
        case .session(let id): return try await SessionPage(visit: visit).answer(id)
        case .usage: return Answer(try await UsagePage(visit: visit).response())
        case .usageReport: return Answer(try await UsagePage(visit: visit).report())
        case .closeMonth: return Answer(try await UsagePage(visit: visit).close())
        case .loadInvoice: return Answer(try await InvoicePage(visit: visit).load())
        case .invoice(let id): return Answer(try InvoicePage(visit: visit).response(id))
        case .differences(let id): return Answer(try InvoicePage(visit: visit).differencesFile(id))
        case .acceptInvoice(let id): return Answer(try await InvoicePage(visit: visit).accept(id))
        case .audit: return Answer(try await AuditPage(visit: visit).response())
        case .auditFile: return Answer(try await AuditPage(visit: visit).file())
        case .proveAudit: return Answer(try await AuditPage(visit: visit).proveAnew())
        }
    }
}

/// The places of the console.
enum ConsoleRoute: Sendable {
    case start, asset(ConsoleAsset)
    case signIn, beginSession, endSession
    case overview
    case sessions, search, session(SessionID)
    case usage, usageReport, closeMonth, loadInvoice, invoice(String), differences(String), acceptInvoice(String)
    case audit, auditFile, proveAudit

    init(_ request: HTTPRequest) throws(ConsoleRefusal) {
        let found = Self.places(Array(request.segments.dropFirst()))
        guard !found.isEmpty else { throw .notFound }
        guard let match = found.first(where: { $0.method == request.method }) else {
            throw .wrongMethod(
                allow: found.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }.joined(separator: ", "))
        }
        self = match.route
    }

    private static func places(_ segments: [String]) -> [(method: String, route: ConsoleRoute)] {
        guard let first = segments.first else { return [("GET", .start)] }
        if first == "usage" { return usagePlaces(Array(segments.dropFirst())) }
        let second = segments.count > 1 ? segments[1] : nil
        guard segments.count <= 2 else { return [] }
        switch (first, second) {
        case ("sign-in", nil): return [("GET", .signIn), ("POST", .beginSession)]
        case ("sign-out", nil): return [("POST", .endSession)]
        case ("overview", nil): return [("GET", .overview)]
        case ("sessions", nil): return [("GET", .sessions), ("POST", .search)]
        case ("sessions", let id?): return [("GET", .session(SessionID(id)))]
        case ("audit", nil): return [("GET", .audit)]
        case ("audit", "events.json"): return [("GET", .auditFile)]
        case ("audit", "proof"): return [("POST", .proveAudit)]
        case (let name, nil): return ConsoleAsset(rawValue: name).map { [("GET", .asset($0))] } ?? []
        default: return []
        }
    }

    private static func usagePlaces(_ segments: [String]) -> [(method: String, route: ConsoleRoute)] {
        let id = segments.count > 1 ? segments[1] : ""
        switch (segments.first, segments.count) {
        case (nil, _): return [("GET", .usage)]
        case ("report", 1): return [("GET", .usageReport)]
        case ("close", 1): return [("POST", .closeMonth)]
        case ("invoices", 1): return [("POST", .loadInvoice)]
        case ("invoices", 2): return [("GET", .invoice(id))]
        case ("invoices", 3) where segments[2] == "differences.csv": return [("GET", .differences(id))]
        case ("invoices", 3) where segments[2] == "accept": return [("POST", .acceptInvoice(id))]
        default: return []
        }
    }
}
