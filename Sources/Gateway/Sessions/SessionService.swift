import Routing
import Synchronization
import VerificationCore

/// Everything that can be done to sessions. It decides; the store settles who was first.
final class SessionService: Sendable {
    let running: Mutex<Running>
    let store: any Store
    let clock: any GatewayClock
    let metrics: Metrics
    let log: Log
    let waiters = SessionWaiters()
    let inFlight = InFlight()
    let shadows = Shadows()
    let lateQuestions = LateQuestions()
    /// Notices that wait for the session they are about.
    let heldNotices = Tally()
    /// Questions that are being asked.
    let runningQuestions = Tally()
    let holds = CircuitHolds()
    /// What happened in the last hour, for the console.
    let pulse = Pulse()
    /// What is used of the configured budgets.
    let budgets = Budgets()
    /// Whether the log says that the clocks disagree: it is said once, not every second.
    let saysDispute = Atomic(false)

    init(
        running: Running, store: any Store, clock: any GatewayClock, metrics: Metrics, log: Log
    ) {
        running.circuits.configure(running.circuitSettings, at: clock.monotonic())
        self.running = Mutex(running)
        self.store = store
        self.clock = clock
        self.metrics = metrics
        self.log = log
    }

    var current: Running { running.withLock { $0 } }
    /// The sealing keys of the newest configuration; a reload changes them.
    var keys: SealingKeys { current.keys }

    /// Brings another configuration into service, in one step: new work sees all of it or nothing. What was learnt of a
    /// verifier stays as long as its name does.
    func swap(to next: Running) {
        let now = clock.monotonic()
        running.withLock { running in
            var next = next
            next.circuits = running.circuits
            next.circuits.configure(next.circuitSettings, at: now)
            running = next
        }
        log.setMinimum(next.settings.logLevel)
    }

    /// A session of the client's own; another's is as good as none.
    func ownSession(_ id: SessionID, of client: Client) async throws(Problem) -> SessionRecord {
        let record = try await stored { () async throws(StoreError) in try await self.store.session(id) }
        guard record.client == client.id else { throw Problem(.sessionNotFound) }
        return record
    }

    /// Runs a store call and turns its failure into what the caller is told, counting it.
    func stored<Value: Sendable>(
        _ body: @Sendable () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do {
            return try await body()
        } catch {
            throw problem(error)
        }
    }

    /// What a failing store means to the caller; counted, since an operator must see it.
    func problem(_ error: StoreError) -> Problem {
        if error != .notFound { metrics.count(.storeErrors, [("code", error.rawValue)]) }
        return Problem(error)
    }

    /// Opens what the session's seal still gives up.
    func view(_ record: SessionRecord) throws(Problem) -> SessionView {
        guard let wrapped = record.wrappedKey else {
            return SessionView(record: record, reference: Sensitive(nil), purpose: nil, result: Sensitive(nil))
        }
        do {
            let seal = try SessionSeal(opening: wrapped, of: record.id, keys: keys)
            var context: SealedContext?
            if let sealed = record.sealedContext {
                context = try SealedContext(decoding: try seal.open(sealed, as: .context))
            }
            var result: SealedResult?
            if let sealed = record.sealedResult {
                result = try SealedResult(decoding: try seal.open(sealed, as: .result))
            }
            return SessionView(
                record: record, reference: Sensitive(context?.reference), purpose: context?.purpose,
                result: Sensitive(result))
        } catch {
            logUnreadable(record.id)
            throw Problem(.internal)
        }
    }

    /// Says that a sealed part is damaged or that its key is missing.
    func logUnreadable(_ id: SessionID) {
        log(
            .error, "a sealed part of a session cannot be opened", at: clock.now(), [(.session, .text(id.rawValue))])
    }

    /// An identifier that nobody can guess: a prefix and 128 random bits.
    func identifier(_ prefix: String) -> String {
        var generator = SystemRandomNumberGenerator()
        return prefix + ByteText.base64URL(randomBytes(16, using: &generator))
    }

    /// A keyed digest by which a reference can be found again and not be read.
    func referenceIndex(_ reference: String, of client: ClientID) -> [UInt8] {
        keys.current.digest(of: Array("\(client)\u{0}\(reference)".utf8), label: "reference")
    }
}

/// A number that many tasks may change.
final class Tally: Sendable {
    private let number = Atomic(0)

    /// Changes it, and returns what it became.
    @discardableResult
    func add(_ amount: Int) -> Int { number.add(amount, ordering: .relaxed).newValue }

    /// What it is now.
    var value: Int { number.load(ordering: .relaxed) }
}
