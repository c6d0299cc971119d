import Billing
import JSONTree
import Routing
import VerificationCore

/// A verifier as operators see it. Keys are shown by their digests, as envelopes name them.
struct VerifierRendering {
    private let sessions: SessionService
    private let now: Timestamp
    private let standings: [BudgetBook.Standing]

    init(_ sessions: SessionService) {
        self.sessions = sessions
        self.now = sessions.clock.now()
        self.standings = sessions.budgets.standings(at: now)
    }

    func verifier(_ opened: OpenedVerifier) -> JSONValue {
        let description = opened.description
        let health = opened.health?.health(at: now) ?? VerifierHealth(isReady: true, alarms: [])
        return .object([
            ("id", .string(description.id.rawValue)),
            ("kind", .string(description.kind)),
            ("simulated", .boolean(description.isSimulated)),
            ("ready", .boolean(health.isReady)),
            ("alarms", .array(health.alarms.map(HealthRendering.alarm))),
            ("certificates", .array(health.certificates.map(certificate))),
            ("document_types", texts(description.documentTypes)),
            ("steps", texts(description.steps.map(\.rawValue))),
            ("notified", .boolean(description.isNotified)),
            ("nonce_origin", .string(description.nonceOrigin.rawValue)),
            ("wallet", description.walletKeys.map(wallet) ?? .null),
            ("certification", description.certification.map(certification) ?? .null),
            ("circuit", circuit(of: description.id)),
            ("budgets", .array(standings.filter { $0.budget.isOf(description.id) }.map(Self.budget))),
        ])
    }

    /// The circuit, what an operator holds it to, and the calls that it was judged by.
    func circuit(of id: VerifierID) -> JSONValue {
        guard
            let snapshot = sessions.current.circuits.snapshot(of: id, at: sessions.clock.monotonic(), wall: now)
        else { return .null }
        let held = snapshot.hold.map { hold in
            // The circuit lives by the monotonic clock, whose instant is a hair off the one that was asked for.
            let asked = sessions.holds.hold(of: id)
            return JSONValue.object([
                ("state", .string(hold.position == .open ? "held_open" : "held_closed")),
                ("until", SessionRendering.time(asked?.until ?? hold.until)),
                ("reason", .string(orNull: asked?.reason)),
            ])
        }
        let errors = snapshot.lastErrors.map { error in
            JSONValue.object([
                ("at", SessionRendering.time(error.at)), ("code", .string(error.failure.rawValue)),
            ])
        }
        return .object([
            ("state", .string(snapshot.state.rawValue)),
            ("since", SessionRendering.time(snapshot.since)),
            ("tried_again_at", snapshot.triedAgainAt.map(SessionRendering.time) ?? .null),
            ("held", held ?? .null),
            ("running", .integer(snapshot.running)),
            ("concurrency", snapshot.settings.concurrency.map { .integer($0) } ?? .null),
            ("calls", .integer(snapshot.counts.calls)),
            ("failures", .integer(snapshot.counts.failures)),
            ("window_seconds", .integer(snapshot.settings.window.components.seconds)),
            ("last_errors", .array(errors)),
        ])
    }

    /// A budget that the verifier is counted in, and what is used of it: by itself and by others, where it is of several.
    private static func budget(_ standing: BudgetBook.Standing) -> JSONValue {
        .object(
            standing.budget.members + [
                ("from", .string(standing.from.description)),
                ("used", standing.budget.value(standing.used)),
                ("promised", standing.budget.value(standing.promised)),
            ])
    }

    private func wallet(_ keys: WalletKeys) -> JSONValue {
        .object([
            ("merchant_identifier", .string(keys.identity.merchantIdentifier)),
            ("team_identifier", .string(keys.identity.teamIdentifier)),
            ("key_sha256", texts(keys.keyHashes.map { ByteText.hex($0) })),
        ])
    }

    private func certificate(_ certificate: HeldCertificate) -> JSONValue {
        .object([
            ("use", .string(certificate.use.rawValue)), ("name", .string(certificate.name)),
            ("valid_from", SessionRendering.time(certificate.validFrom)),
            ("valid_until", SessionRendering.time(certificate.validUntil)),
            ("days_left", .integer(certificate.daysLeft(at: now))),
        ])
    }

    private func certification(_ certification: Certification) -> JSONValue {
        SessionRendering.certification(
            certification,
            and: [
                ("current", .boolean(certification.isCurrent(at: now))),
                ("days_left", .integer(certification.daysLeft(at: now))),
            ])
    }

    private func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.sorted().map { .string($0) }) }
}

/// What a verifier says of its own state, as JSON.
enum HealthRendering {
    static func alarm(_ alarm: VerifierHealth.Alarm) -> JSONValue {
        .object([
            ("code", .string(alarm.code)), ("subject", .string(alarm.subject)),
            ("days_left", alarm.daysLeft.map { .integer($0) } ?? .null),
        ])
    }
}

extension Certification {
    /// Whole days until its last instant; negative once that has passed.
    func daysLeft(at now: Timestamp) -> Int64 {
        let day: Int64 = 86_400
        let seconds = validUntil.duration(since: now).components.seconds
        return seconds >= 0 ? seconds / day : (seconds - day + 1) / day
    }
}
