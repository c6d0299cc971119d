import Synchronization
import TestSupport
import VerificationCore

@testable import Gateway

/// A verifier with another side that keeps its own books: what it was sent, what it decided, and what it charged for.
final class ScriptedProvider: PollingVerifier, FetchingVerifier, ErasingVerifier, NotifiedVerifier, HealthReporting {
    /// What the other side does with a call.
    enum Act: Sendable {
        /// Takes it and verifies.
        case verified(ClaimSet)
        /// Takes it and verifies, and names the program that did.
        case verifiedBy(program: String, version: String)
        /// Takes it and rejects.
        case rejected
        /// Takes it and says that the verdict comes later; then it is this one.
        case later(Duration?, isVerified: Bool)
        /// Takes it, and its answer is lost. It verified.
        case answerLost
        /// Never sees it, and nobody can tell.
        case requestLost
        /// Never sees it, and that is known.
        case unreachable
        /// Answers that it does not take it.
        case refused(VerificationError.Code, Duration?)
        /// Waits before it goes on as the next says.
        indirect case slow(Duration, Act)
        /// Takes it and verifies, and its answer waits at a gate.
        case takenThen(Gate)
        /// Waits at a gate before it goes on.
        indirect case gated(Gate, Act)
    }

    /// What the other side knows of one attempt.
    struct Case: Sendable {
        var isVerified: Bool
        var isDecided: Bool
        var isErased = false
    }

    struct Books: Sendable {
        var cases: [AttemptID: Case] = [:]
        /// How often each call was taken, by its idempotency key: two of one are charged once, as a provider that knows
        /// keys does. More than one is a repeat that only the key made harmless.
        var taken: [String: Int] = [:]
        var calls: [VerificationStep: Int] = [:]
    }

    let description: VerifierDescription
    let claims: ClaimSet
    let isReady: @Sendable () -> Bool
    /// Whether it is asked with what the session remembers, and knows nothing any more of what it erased.
    let needsMemory: Bool
    private let submit: @Sendable (Int) -> Act
    private let begin: @Sendable (Int) -> Act
    private let ask: @Sendable (VerificationStep, Int) -> Act?
    private let books = Mutex(Books())

    /// A provider. `ask` says what happens to the n-th poll or fetch; `nil` lets its books answer.
    init(
        _ description: VerifierDescription, claims: ClaimSet = Rig.claims, needsMemory: Bool = false,
        isReady: @escaping @Sendable () -> Bool = { true },
        begin: @escaping @Sendable (Int) -> Act = { _ in .verified([:]) },
        ask: @escaping @Sendable (VerificationStep, Int) -> Act? = { _, _ in nil },
        submit: @escaping @Sendable (Int) -> Act
    ) {
        self.description = description
        self.claims = claims
        self.needsMemory = needsMemory
        self.isReady = isReady
        self.begin = begin
        self.ask = ask
        self.submit = submit
    }

    var opened: OpenedVerifier { OpenedVerifier(description: description, verifier: self, health: self) }
    var book: Books { books.withLock { $0 } }
    func calls(_ step: VerificationStep) -> Int { book.calls[step] ?? 0 }
    /// Submissions that it took, and so charges for.
    var submissionsTaken: [String: Int] { book.taken.filter { $0.key.hasSuffix("-submit") } }

    func health(at now: Timestamp) -> VerifierHealth { VerifierHealth(isReady: isReady(), alarms: []) }

    func begin(
        _ request: VerificationRequest, in attempt: AttemptContext
    ) async throws(VerificationError) -> Challenge {
        if description.steps.contains(.begin) {
            _ = try await perform(begin(count(.begin)), attempt)
        }
        let nonce = description.nonceOrigin == .gateway ? request.nonce : providerNonce(attempt.attempt)
        return Challenge(
            request: request, nonce: nonce,
            walletIdentity: description.walletKeys?.identity
                ?? WalletIdentity(merchantIdentifier: "merchant.test", teamIdentifier: "TEAM"),
            state: Sensitive(Array(attempt.attempt.rawValue.utf8)),
            providerReference: description.steps.contains(.begin) ? Self.reference(attempt.attempt) : nil)
    }

    func conclude(
        _ evidence: Evidence, for challenge: Challenge, in attempt: AttemptContext
    ) async throws(VerificationError) -> Conclusion {
        guard challenge.state.withValue({ $0 }) == Array(attempt.attempt.rawValue.utf8) else {
            throw VerificationError(.challengeUnusable, "state lost")
        }
        return try await perform(submit(count(.submit)), attempt)
    }

    func poll(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError) -> Conclusion {
        try recall(challenge, attempt)
        if let act = ask(.poll, count(.poll)) { return try await perform(act, attempt) }
        guard let known = books.withLock({ $0.cases[attempt.attempt] }), !needsMemory || !known.isErased else {
            throw VerificationError(.providerProtocolError, "nobody knows it")
        }
        return conclusion(of: known, attempt.attempt)
    }

    func fetch(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError) -> Fetched {
        try recall(challenge, attempt)
        if let act = ask(.fetch, count(.fetch)) { return .conclusion(try await perform(act, attempt)) }
        guard let known = books.withLock({ $0.cases[attempt.attempt] }) else { return .neverReceived }
        return .conclusion(conclusion(of: known, attempt.attempt))
    }

    func erase(_ challenge: Challenge, in attempt: AttemptContext) async throws(VerificationError) {
        _ = count(.erase)
        books.withLock { $0.cases[attempt.attempt]?.isErased = true }
    }

    /// Decides what it put off.
    func decide(_ attempt: AttemptID) { books.withLock { $0.cases[attempt]?.isDecided = true } }
    func decideAll() {
        books.withLock { books in
            for id in books.cases.keys { books.cases[id]?.isDecided = true }
        }
    }

    /// What it calls an attempt.
    static func reference(_ attempt: AttemptID) -> String { "ref-" + attempt.rawValue }

    /// A notice as it sends them: its own name, the reference, and `verified`, `rejected`, `pending`, `odd` or nothing.
    static func notice(_ id: String, _ reference: String, _ word: String, signature: String = "good") -> Notification {
        Notification(
            headers: [(name: "Signature", value: signature)],
            body: Sensitive(Array("\(id)|\(reference)|\(word)".utf8)))
    }

    func receive(_ notification: Notification, at now: Timestamp) throws(NotificationError) -> Notice {
        guard let signature = notification.headers.first(where: { $0.name == "Signature" })?.value else {
            throw .signatureInvalid
        }
        guard signature != "old" else { throw .outsideTolerance }
        guard signature == "good" else { throw .signatureInvalid }
        let parts = notification.body.withValue { String(decoding: $0, as: UTF8.self) }
            .split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { throw .malformed }
        return Notice(id: parts[0], providerReference: parts[1], body: notification.body)
    }

    func conclude(
        _ notice: Notice, for challenge: Challenge, in attempt: AttemptContext
    ) throws(VerificationError) -> Conclusion? {
        try recall(challenge, attempt)
        let word = notice.body.withValue { String(decoding: $0, as: UTF8.self) }.split(separator: "|").last ?? ""
        let facts = ProviderFacts(reference: notice.providerReference)
        switch word {
        case "verified": return verdict(true, facts)
        case "rejected": return verdict(false, facts)
        case "pending": return .pending(Pending())
        case "odd": throw VerificationError(.providerProtocolError, "an odd notice")
        default: return nil
        }
    }

    private func recall(_ challenge: Challenge, _ attempt: AttemptContext) throws(VerificationError) {
        guard !needsMemory || challenge.state.withValue({ $0 }) == Array(attempt.attempt.rawValue.utf8) else {
            throw VerificationError(.challengeUnusable, "state lost")
        }
    }

    private func count(_ step: VerificationStep) -> Int {
        books.withLock { books in
            books.calls[step, default: 0] += 1
            return books.calls[step] ?? 0
        }
    }

    private func providerNonce(_ attempt: AttemptID) -> Nonce {
        Nonce(Array(attempt.rawValue.utf8.prefix(26))) ?? Nonce([1])!
    }

    private func take(_ attempt: AttemptContext, isVerified: Bool, isDecided: Bool) {
        books.withLock { books in
            books.taken[attempt.idempotencyKey, default: 0] += 1
            // The same call taken again is answered as it was.
            if books.cases[attempt.attempt] == nil {
                books.cases[attempt.attempt] = Case(isVerified: isVerified, isDecided: isDecided)
            }
        }
    }

    private func perform(_ act: Act, _ attempt: AttemptContext) async throws(VerificationError) -> Conclusion {
        let facts = ProviderFacts(reference: Self.reference(attempt.attempt))
        switch act {
        case .verified:
            take(attempt, isVerified: true, isDecided: true)
            return verdict(true, facts)
        case .verifiedBy(let program, let version):
            take(attempt, isVerified: true, isDecided: true)
            var named = facts
            (named.program, named.programVersion) = (program, version)
            return verdict(true, named)
        case .rejected:
            take(attempt, isVerified: false, isDecided: true)
            return verdict(false, facts)
        case .later(let pause, let isVerified):
            take(attempt, isVerified: isVerified, isDecided: false)
            return .pending(Pending(retryAfter: pause, provider: facts))
        case .answerLost:
            take(attempt, isVerified: true, isDecided: true)
            throw VerificationError(.providerTimeout, "the answer was lost", mayHaveBilled: true)
        case .requestLost: throw VerificationError(.providerTimeout, "the request was lost", mayHaveBilled: true)
        case .unreachable: throw VerificationError(.providerUnavailable, "nobody is there")
        case .refused(let code, let pause): throw VerificationError(code, "not now", retryAfter: pause)
        case .slow(let pause, let next):
            try? await Task.sleep(for: pause)
            return try await perform(next, attempt)
        case .takenThen(let gate):
            take(attempt, isVerified: true, isDecided: true)
            await gate.wait()
            return verdict(true, facts)
        case .gated(let gate, let next):
            await gate.wait()
            return try await perform(next, attempt)
        }
    }

    private func conclusion(of known: Case, _ attempt: AttemptID) -> Conclusion {
        let facts = ProviderFacts(reference: Self.reference(attempt))
        return known.isDecided ? verdict(known.isVerified, facts) : .pending(Pending(provider: facts))
    }

    private func verdict(_ isVerified: Bool, _ facts: ProviderFacts) -> Conclusion {
        var report = Report()
        report.pass(.elements)
        guard isVerified else {
            report.fail(.providerVerdict, .providerRejected)
            return .verdict(.rejected(report, nil), incidents: [], provider: facts)
        }
        report.pass(.providerVerdict)
        guard
            let verified = VerifiedClaims(
                Sensitive(claims), document: Sensitive(DocumentFacts(type: "org.iso.23220.1.jp.mnc")), report: report,
                required: .certified)
        else { return .pending(Pending()) }
        return .verdict(.verified(verified, report), incidents: [], provider: facts)
    }
}

/// A gate that tasks wait at until it is opened.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.arrived += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// How many have come to the gate.
    var arrived: Int { state.withLock { $0.arrived } }

    /// Waits until so many have come to the gate.
    func untilArrived(_ count: Int = 1) async {
        _ = try? await eventually(every: .milliseconds(5)) { arrived >= count }
    }
}
