import Billing
import Foundation
import SQLiteStore
import Usage
import VerificationCore

/// Draws numbers that are the same on every machine.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A number below `bound` (SplitMix64).
    mutating func roll(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(bound))
    }

    mutating func chance(_ perMille: Int) -> Bool { roll(1000) < perMille }
    mutating func pick<Element>(_ list: [Element]) -> Element { list[roll(list.count)] }
}

/// A month of traffic as the gateway would have written it: every role, retries of steps, answers that were lost and found,
/// calls at the edges of the month in every zone that bills.
struct Traffic {
    static let month = BillingMonth("2026-11")!
    /// Instants at which some zone's month or day begins, and the last millisecond before.
    private static let edges: [Int64] = {
        let instants = [
            "2026-10-31T15:00:00Z", "2026-11-01T00:00:00Z", "2026-10-31T23:59:00Z", "2026-11-01T04:00:00Z",
            "2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-15T15:00:00Z", "2026-11-30T14:59:59Z",
            "2026-11-30T15:00:00Z", "2026-11-30T23:59:00Z", "2026-12-01T00:00:00Z", "2026-12-01T05:00:00Z",
            "2026-11-02T15:00:00Z",
        ]
        return instants.compactMap { RFC3339.timestamp($0)?.milliseconds }.flatMap { [$0 - 1, $0, $0 + 1] }
    }()
    static let from = RFC3339.timestamp("2026-10-31T00:00:00Z")!.milliseconds
    static let until = RFC3339.timestamp("2026-12-02T00:00:00Z")!.milliseconds

    private var dice = Dice(seed: 20_261_101)
    private var number = 0
    private(set) var events: [LedgerDraft] = []

    /// So many sessions, and what followed from them.
    init(sessions: Int) {
        for _ in 0..<sessions { session() }
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

/// The month in a database, made once for all tests that read it.
struct GeneratedMonth: Sendable {
    let folder: TemporaryFolder
    let store: SQLiteStore
    let book: PriceBook

    /// A month that a debug build reckons in seconds; `SEKISHO_MONTH_SESSIONS=92000` makes a hundred thousand attempts.
    static let sessions = ProcessInfo.processInfo.environment["SEKISHO_MONTH_SESSIONS"].flatMap { Int($0) } ?? 2_000

    private static let made = Task { try await GeneratedMonth() }
    static func shared() async throws -> GeneratedMonth { try await made.value }

    private init() async throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.file("month.sqlite"))
        book = try PriceBook.read(Array(Self.prices.utf8))
        let events = Traffic(sessions: Self.sessions).events
        for start in stride(from: 0, to: events.count, by: 20_000) {
            try await store.append(Array(events[start..<min(start + 20_000, events.count)]))
        }
    }

    /// Strict JSON, so that anybody's reader takes it.
    static let prices = """
        { "name": "november", "time_zone": "Asia/Tokyo", "verifiers": {
          "alpha": { "currency": "JPY", "month_by": "ended", "tariffs": [
            { "from": "2026-04-01", "until": "2026-11-16", "flat_fee": "50000.5", "minimum": "100000",
              "prices": {
                "completed_any": { "free": 1000, "kind": "graduated", "steps": [
                  { "up_to": 10000, "unit": "80.5" }, { "up_to": 30000, "unit": "70" }, { "unit": "60.25" } ] },
                "session_created": { "unit": "0.3" } },
              "not_billed": ["status_check"], "tax": { "rate": "0.10", "rounding": "down" } },
            { "from": "2026-11-16", "minimum": "99999999",
              "prices": {
                "completed_any": { "free": 500, "kind": "graduated", "steps": [
                  { "up_to": 25000, "unit": "75.333333" }, { "unit": "55.000001" } ] },
                "session_created": { "unit": "0.35" }, "status_check": { "unit": "0.1" } },
              "tax": { "rate": "0.08", "rounding": "half_up" } } ] },
          "beta": { "currency": "USD", "time_zone": "America/New_York", "month_by": "provider", "tariffs": [
            { "from": "2026-01-01",
              "prices": {
                "completed_any": { "free": 500, "kind": "volume", "steps": [
                  { "up_to": 10000, "unit": "0.0125" }, { "unit": "0.011111" } ] },
                "status_check": { "unit": "0.000001" } },
              "not_billed": ["session_created"], "tax": { "rate": "0.07", "rounding": "half_up" } } ] },
          "gamma": { "currency": "JPY", "month_by": "started", "tariffs": [
            { "from": "2026-11-03", "flat_fee": "0.5", "minimum": "10000000",
              "prices": { "completed_pass": { "unit": "120" }, "session_created": { "unit": "1" },
                "status_check": { "unit": "0" } },
              "not_billed": ["completed_fail"], "tax": { "rate": "0.10", "rounding": "up" } } ] },
          "unused": { "currency": "JPY", "tariffs": [
            { "from": "2026-01-01", "flat_fee": "3000", "prices": {}, "tax": { "rate": "0.10", "rounding": "down" } } ] }
        } }
        """
}

/// A folder that goes with its last user.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }
}

/// Runs a program and gives its status and what it said.
func run(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}
