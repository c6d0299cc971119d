public import VerificationCore

/// Draws numbers that are the same on every machine.
public struct Dice: Sendable {
    private var state: UInt64

    /// Dice that fall as the seed says.
    public init(seed: UInt64) {
        state = seed
    }

    /// A number below `bound` (SplitMix64).
    public mutating func roll(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(bound))
    }

    /// Whether one in so many of a thousand.
    public mutating func chance(_ perMille: Int) -> Bool { roll(1000) < perMille }
    /// One of a list.
    public mutating func pick<Element>(_ list: [Element]) -> Element { list[roll(list.count)] }
}

/// A month of traffic as the gateway would have written it: every role, retries of steps, answers that were lost and found,
/// calls at the edges of the month in every zone that bills.
public struct Traffic {
    /// Instants at which some zone's month or day begins, and the last millisecond before.
    private static let edges: [Int64] = {
        let instants = [
            "2026-10-31T15:00:00Z", "2026-11-01T00:00:00Z", "2026-10-31T23:59:00Z", "2026-11-01T04:00:00Z",
            "2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-15T15:00:00Z", "2026-11-30T14:59:59Z",
            "2026-11-30T15:00:00Z", "2026-11-30T23:59:00Z", "2026-12-01T00:00:00Z", "2026-12-01T05:00:00Z",
            "2026-11-02T15:00:00Z",
        ]
        return instants.map(instant).flatMap { [$0 - 1, $0, $0 + 1] }
    }()
    private static let from = instant("2026-10-31T00:00:00Z")
    private static let until = instant("2026-12-02T00:00:00Z")

    private static func instant(_ text: String) -> Int64 {
        guard let time = RFC3339.timestamp(text) else { preconditionFailure("\(text) is no instant") }
        return time.milliseconds
    }

    private var dice = Dice(seed: 20_261_101)
    private var number = 0
    /// The events, in the order in which they were written.
    public private(set) var events: [LedgerDraft] = []

    /// So many sessions, and what followed from them.
    public init(sessions: Int) {
        for _ in 0..<sessions { session() }
        resubmission()
    }

    /// One call of a class that nothing else has, so that a price book can be without a price for it alone.
    private mutating func resubmission() {
        number += 1
        var event = LedgerDraft(
            kind: .started, attempt: AttemptID("att_\(number)a"), role: .primary, session: SessionID("ses_\(number)"),
            verifier: VerifierID("alpha"), client: ClientID("app"), purpose: PurposeID("account"),
            at: Timestamp(milliseconds: Self.instant("2026-11-20T03:00:00Z")), billableClass: .resubmission,
            configurationVersion: "v1")
        event.call = CallName(.fetch, number: 1)
        events.append(event)
        event.kind = .ended
        event.at = Timestamp(milliseconds: event.at.milliseconds + 700)
        event.outcome = .verified
        event.providerReference = "alpha-\(number)a"
        events.append(event)
    }

    private mutating func session() {
        number += 1
        let start =
            dice.chance(30) ? dice.pick(Self.edges) : Self.from + Int64(dice.roll(Int(Self.until - Self.from)))
        let verifier = dice.pick(["alpha", "alpha", "alpha", "alpha", "beta", "beta", "gamma", "gamma", "in-house"])
        let client = dice.pick(["app", "shop", "alpha", "=HYPERLINK(\"x\")", "株式会社 表, 裏"])
        let purpose = dice.pick(["account", "beta", "＠purpose"])
        var draft = LedgerDraft(
            kind: .started, attempt: AttemptID(""), role: .primary, session: SessionID("ses_\(number)"),
            verifier: VerifierID(verifier), client: ClientID(client), purpose: PurposeID(purpose),
            at: Timestamp(milliseconds: start), billableClass: .nonBillable, configurationVersion: "v1")
        let failed = attempt(&draft, "a")
        if failed, dice.chance(700) {
            // The next verifier takes over, seconds later: an attempt of its own.
            draft.role = .fallback
            draft.verifier = VerifierID(dice.pick(["alpha", "beta", "gamma"].filter { $0 != verifier }))
            _ = attempt(&draft, "b")
        }
        if dice.chance(50) {
            draft.role = .shadow
            draft.verifier = VerifierID(dice.pick(["alpha", "beta", "gamma", "in-house"].filter { $0 != verifier }))
            _ = attempt(&draft, "c")
        }
    }

    /// One attempt; whether it failed without having billed.
    private mutating func attempt(_ draft: inout LedgerDraft, _ letter: String) -> Bool {
        draft.attempt = AttemptID("att_\(number)\(letter)")
        let reference = "\(draft.verifier.rawValue)-\(number)\(letter)"
        if dice.chance(200) { call(.begin, nil, draft, .sessionCreated, nil, reference) }
        if dice.chance(3) { return false }
        let outcome: AttemptOutcome = dice.chance(700) ? .verified : dice.chance(750) ? .rejected : .failed
        let billed: BillableClass =
            switch (draft.verifier.rawValue, outcome) {
            case (_, .failed): .nonBillable
            case ("gamma", .verified): .completedPass
            case ("gamma", .rejected): .completedFail
            case ("in-house", _): .nonBillable
            default: .completedAny
            }
        call(.submit, nil, draft, billed, outcome, reference)
        for poll in 0..<(dice.chance(150) ? 1 + dice.roll(2) : 0) {
            call(.poll, poll + 1, draft, .statusCheck, nil, reference)
        }
        if dice.chance(20) { call(.fetch, 1, draft, .dataRefetch, nil, reference) }
        return outcome == .failed
    }

    private mutating func call(
        _ step: VerificationStep, _ place: Int?, _ draft: LedgerDraft, _ billableClass: BillableClass,
        _ outcome: AttemptOutcome?, _ reference: String
    ) {
        var event = draft
        event.call = CallName(step, number: place)
        // A submission says what it may cost before it leaves.
        if step != .submit { event.billableClass = billableClass }
        if dice.chance(10) { event.quantity = 3 }
        events.append(event)
        if dice.chance(2) { return }
        let isLost = dice.chance(15)
        event.kind = isLost ? .uncertain : .ended
        event.at = Timestamp(milliseconds: event.at.milliseconds + Int64(isLost ? 30_000 : 50 + dice.roll(5000)))
        event.outcome = isLost ? nil : outcome ?? .verified
        event.billableClass = billableClass
        // The beginning of a session gives a reference before an answer is lost.
        if !isLost || dice.chance(500) { event.providerReference = reference }
        if !isLost {
            if dice.chance(800) {
                event.providerTime = Timestamp(milliseconds: event.at.milliseconds - Int64(dice.roll(400)))
            }
        }
        events.append(event)
        guard isLost, dice.chance(500) else { return }
        event.kind = .resolved
        event.at = Timestamp(milliseconds: event.at.milliseconds + Int64(dice.roll(20 * 86_400_000)))
        event.outcome = outcome ?? .verified
        event.providerReference = reference
        if dice.chance(500) {
            event.providerTime = Timestamp(milliseconds: draft.at.milliseconds + Int64(dice.roll(2000)))
        }
        events.append(event)
    }
}
