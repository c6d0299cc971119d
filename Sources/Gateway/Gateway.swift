public import HTTPServer
public import VerificationCore

/// The gateway: takes requests, decides who may do what, and gives every answer its shape.
///
/// It knows verifiers and stores by their protocols only; the composition root hands them over.
public final class Gateway: Sendable {
    /// Where a provider's invoice is posted to: such a body may be larger than others.
    public static let invoicePaths = ["/v1/usage/reconciliations", "/console/usage/invoices"]

    let sessions: SessionService
    let source: any ConfigurationSource
    let reloads: Reloads
    let console = Console()
    private let openAPI: [UInt8]

    /// A gateway over a store that the sealing keys have been checked against.
    public init(
        running: Running, source: any ConfigurationSource, store: any Store, clock: any GatewayClock, metrics: Metrics,
        log: Log, openAPI: [UInt8]
    ) {
        self.source = source
        self.reloads = Reloads(loadedAt: clock.now())
        self.sessions = SessionService(
            running: running, store: store, clock: clock, metrics: metrics, log: log)
        self.openAPI = openAPI
    }

    /// Answers a request, counts it and writes its one line.
    public func respond(to http: HTTPRequest) async -> HTTPResponse {
        let started = sessions.clock.monotonic()
        let request = GatewayRequest(http: http, id: sessions.identifier("req_"), client: client(of: http))
        let route = Route(http)
        var answer: Answer
        var code: ProblemCode?
        do {
            try refuseRepeats(in: http.headers)
            if case .console = route {
                (answer, code) = await console(request)
            } else {
                answer = try await dispatch(route, request)
            }
        } catch {
            code = error.code
            answer = Answer(error.response(requestID: request.id))
        }
        answer.response.headers.append(("X-Request-Id", request.id))
        let duration = sessions.clock.monotonic() - started
        record(answer, code: code, request: request, route: route, duration: duration)
        return answer.response
    }

    /// The problem document for a request that the guard refused before it reached ``respond(to:)``.
    public func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        let id = sessions.identifier("req_")
        let problem = Problem(refusal)
        sessions.metrics.count(.refusals, [("code", problem.code.rawValue)])
        var response = problem.response(requestID: id)
        response.headers.append(("X-Request-Id", id))
        sessions.log(
            .info, "a request was refused", at: sessions.clock.now(),
            [
                (.requestID, .text(id)), (.code, .text(problem.code.rawValue)),
                (.status, .number(Int64(response.status))),
            ])
        return response
    }

    /// Ends long waits and lets no new one begin, so that a shutdown does not wait for them.
    public func prepareToStop() {
        sessions.waiters.stop()
    }

    /// Writes a line for every alarm of a verifier's: an anchor or a certificate that has ended or soon will.
    public func logAlarms() {
        let now = sessions.clock.now()
        for (id, opened) in sessions.current.verifiers {
            for alarm in opened.health?.health(at: now).alarms ?? [] {
                var details: [(Log.Key, Log.Value)] = [
                    (.verifier, .text(id.rawValue)), (.alarm, .text(alarm.code)), (.subject, .text(alarm.subject)),
                ]
                if let days = alarm.daysLeft { details.append((.daysLeft, .number(Int64(days)))) }
                sessions.log(.warning, "a verifier gives alarm", at: now, details)
            }
        }
    }

    private func client(of http: HTTPRequest) -> Client? {
        let scheme = "bearer "
        guard let header = http.headers["Authorization"], header.lowercased().hasPrefix(scheme) else { return nil }
        return sessions.current.client(withKey: Sensitive(Array(header.utf8.dropFirst(scheme.utf8.count))))
    }

    /// Two readers may take two different ones of a repeated field, so it is refused where it decides something.
    private func refuseRepeats(in headers: HTTPHeaders) throws(Problem) {
        for name in ["Authorization", "Content-Type", "Idempotency-Key"] where headers.values(of: name).count > 1 {
            throw Problem(.requestMalformed, "\(name) occurs more than once")
        }
    }

    private func dispatch(_ route: Route, _ request: GatewayRequest) async throws(Problem) -> Answer {
        switch route {
        case .health: return Probes(gateway: self).health()
        case .readiness: return await Probes(gateway: self).readiness()
        case .metrics: return await Probes(gateway: self).metrics()
        case .openAPI:
            return Answer(
                HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: openAPI))
        case .createSession: return try await CreateSession(sessions: sessions).answer(request)
        case .readSession(let id): return try await ReadSession(sessions: sessions).answer(request, id: id)
        case .eraseSession(let id): return try await EraseSession(sessions: sessions).answer(request, id: id)
        case .submit(let id): return try await SubmitEvidence(sessions: sessions).answer(request, id: id)
        case .cancel(let id): return try await CancelSession(sessions: sessions).answer(request, id: id)
        case .verifiedClaims(let id):
            return try await ReadVerifiedClaims(sessions: sessions).answer(request, id: id)
        case .listSessions: return try await ListSessions(sessions: sessions).answer(request)
        case .checks(let id): return try await ReadChecks(sessions: sessions).answer(request, id: id)
        case .record(let id): return try await ReadRecord(sessions: sessions).answer(request, id: id)
        case .deletion(let id): return try await ReadDeletion(sessions: sessions).answer(request, id: id)
        case .tellEvent(let id): return try await TellEvent(sessions: sessions).answer(request, id: id)
        case .hold(let id): return try await HoldSession(sessions: sessions).place(request, id: id)
        case .release(let id): return try await HoldSession(sessions: sessions).release(request, id: id)
        case .audit: return try await ReadAudit(sessions: sessions).answer(request)
        case .verifiers: return try ListVerifiers(sessions: sessions).answer(request)
        case .setCircuit(let id): return try await SetCircuit(sessions: sessions).answer(request, id: id)
        case .receiveNotice(let id): return try await ReceiveNotice(sessions: sessions).answer(request, id: id)
        case .routes: return try ListRoutes(sessions: sessions).answer(request)
        case .shadow: return try await ReadShadow(sessions: sessions).answer(request)
        case .reload: return try await ReloadConfiguration(gateway: self).answer(request)
        case .usage: return try await ReadUsage(sessions: sessions).answer(request)
        case .usageAttempts: return try await ReadUsageAttempts(sessions: sessions).answer(request)
        case .listClosings: return try await ListClosings(sessions: sessions).answer(request)
        case .closeMonth: return try await CloseMonth(sessions: sessions).answer(request)
        case .readStatement(let month):
            return try await ReadStatement(sessions: sessions).answer(request, month: month)
        case .reconcile: return try await ReconcileInvoice(sessions: sessions).answer(request)
        case .outbox: return try await ReadOutbox(sessions: sessions).answer(request)
        case .retryMessage(let id): return try await RetryMessage(sessions: sessions).answer(request, id: id)
        case .console: throw Problem(.routeNotFound)
        case .wrongMethod(let allow): throw Problem(.methodNotAllowed, allow: allow)
        case .unknown: throw Problem(.routeNotFound)
        }
    }

    private func record(
        _ answer: Answer, code: ProblemCode?, request: GatewayRequest, route: Route, duration: Duration
    ) {
        let status = answer.response.status
        sessions.metrics.count(.requests, [("route", route.pattern), ("status", String(status))])
        sessions.metrics.observe(route: route.pattern, duration)
        if case .submit = route, status < 400 { sessions.pulse.note(submission: duration, at: sessions.clock.now()) }
        let (seconds, attoseconds) = duration.components
        var line: [(Log.Key, Log.Value)] = [
            (.requestID, .text(request.id)), (.route, .text(route.pattern)), (.status, .number(Int64(status))),
            (.duration, .number(seconds * 1000 + attoseconds / 1_000_000_000_000_000)),
        ]
        if let client = answer.client ?? request.client?.id { line.append((.client, .text(client.rawValue))) }
        if let session = answer.session { line.append((.session, .text(session.rawValue))) }
        if let verifier = answer.verifier { line.append((.verifier, .text(verifier.rawValue))) }
        if let code { line.append((.code, .text(code.rawValue))) }
        let level: Log.Level = status >= 500 ? .error : (route.isProbe ? .debug : .info)
        sessions.log(level, "answered", at: sessions.clock.now(), line)
    }
}
