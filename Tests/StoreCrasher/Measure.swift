import ConformanceKit
import Glibc
import SQLiteStore
import VerificationCore

/// Fills a database with so many calls, two events each, and says how long writing, a report's reading and the look-ups
/// take, and what memory they took. Figures count only from a release build.
///
/// Half of them are of `alpha` and the rest of two others, for twenty clients and three purposes; one in a thousand stays
/// open. They begin at 00:00 on 2025-06-01 in Tokyo where nothing else is said, and a million of them end with the month.
func measure(_ path: String, calls: Int, from midnight: Int64 = midnight) async {
    let store = opened(path)
    let clock = ContinuousClock()
    do throws(StoreError) {
        let begun = clock.now
        for first in stride(from: 0, to: calls, by: 250) {
            let drafts = (first..<min(first + 250, calls)).flatMap { number in
                let (started, ended) = call(number, from: midnight)
                return number % 1000 == 7 ? [started] : [started, ended]
            }
            try await store.append(drafts)
        }
        say("WROTE \(calls) calls in \(clock.now - begun)")
        let before = residentKibibytes()
        let reading = clock.now
        var (seen, quantity) = (0, Int64(0))
        for verifier in try await store.usageVerifiers() {
            var cursor: UsageCursor?
            while true {
                let page = try await store.usageCalls(
                    of: verifier, by: .ended, in: Timestamp(milliseconds: 0)..<Sample.after(1 << 50), changedAfter: 0,
                    after: cursor, limit: 10_000)
                guard let last = page.last else { break }
                for call in page { quantity += call.quantity }
                seen += page.count
                cursor = UsageCursor(time: last.time(by: .ended), sequence: last.sequence)
            }
        }
        say(
            "READ \(seen) calls, quantity \(quantity), in \(clock.now - reading); \(residentKibibytes() - before) KiB more"
        )
        let looking = clock.now
        let open = try await store.openCalls(limit: 10_000).count
        let events = try await store.ledger(of: SessionID("ses_\(calls / 2)")).count
        say("FOUND \(open) open calls and \(events) events of one session in \(clock.now - looking)")
        await store.close()
        await check(path)
    } catch {
        say("ERROR \(error)")
    }
}

/// Midnight in Tokyo.
let midnight: Int64 = 1_748_703_600_000
/// A call every 2.55 seconds.
private let distance: Int64 = 2550

private func call(_ number: Int, from midnight: Int64) -> (started: LedgerDraft, ended: LedgerDraft) {
    var started = Sample.event(.started, number)
    started.verifier = VerifierID(["alpha", "gamma", "alpha", "in-house"][number % 4])
    started.client = ClientID("client-\(number / 7 % 20)")
    started.purpose = PurposeID(["account", "age", "address"][number / 3 % 3])
    started.billableClass = .completedAny
    started.providerReference = nil
    started.at = Timestamp(milliseconds: midnight + Int64(number) * distance)
    var ended = started
    ended.kind = .ended
    ended.outcome = AttemptOutcome.allCases[number % 3]
    ended.at = started.at.advanced(by: .milliseconds(number % 900))
    ended.providerReference = "ref-\(number)"
    return (started, ended)
}

/// Says how long the proof of everything takes.
private func check(_ path: String) async {
    let clock = ContinuousClock()
    do {
        let reader = try LedgerReader(path: path)
        let begun = clock.now
        let wrong = try await reader.firstDisagreement()
        say("CHECKED, \(wrong.map { "wrong at \($0)" } ?? "all agrees"), in \(clock.now - begun)")
        await reader.close()
    } catch {
        say("ERROR \(error)")
    }
}

/// The most memory that the process ever had.
private func residentKibibytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss)
}
