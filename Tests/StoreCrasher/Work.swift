import ConformanceKit
import Glibc
import SQLiteStore
import VerificationCore

/// Says a line in one write, so that a kill leaves a whole line or none.
func say(_ words: String) {
    let line = words + "\n"
    _ = line.withCString { write(1, $0, strlen($0)) }
}

func opened(_ path: String) -> SQLiteStore {
    do throws(StoreOpeningError) {
        return try SQLiteStore(path: path)
    } catch {
        say("ERROR \(error)")
        exit(1)
    }
}

/// Creates, claims and concludes sessions without end, several at once, and says each only once it is acknowledged.
/// It also claims sessions of earlier rounds, whose nonces may be spent, and delivers what the outbox holds.
func work(on path: String, round: Int) async {
    let store = opened(path)
    await withTaskGroup(of: Void.self) { group in
        for worker in 0..<8 {
            group.addTask {
                for step in 0..<1_000_000 {
                    await act(on: store, number: (round * 8 + worker) * 1_000_000 + step, earlier: round > 0)
                }
            }
        }
        for _ in 0..<2 { group.addTask { while true { await deliver(from: store) } } }
    }
}

/// Takes messages for good, so that nobody ever takes them again, and delivers every second one.
private func deliver(from store: SQLiteStore) async {
    do throws(StoreError) {
        let taken = try await store.takeDueMessages(
            at: Sample.after(1000), lease: Sample.after(1 << 40), limit: 5)
        for message in taken {
            let name = message.session.rawValue.dropFirst("ses_".utf8.count)
            say("T \(name)")
            guard name.utf8.last.map({ $0 % 2 == 0 }) == true else { continue }
            try await store.settle(message.id, .delivered)
            say("D \(name)")
        }
    } catch {
        say("ERROR \(error)")
    }
    try? await Task.sleep(for: .milliseconds(5))
}

private func act(on store: SQLiteStore, number: Int, earlier: Bool) async {
    let id = SessionID("ses_\(number)")
    do throws(StoreError) {
        _ = try await store.create(Sample.told(number), idempotency: nil, ledger: [])
        say("C \(number)")
        // Every third stays open, for the rounds to come.
        if number % 3 != 0, try await claim(id, in: store) {
            say("K \(number)")
            if number % 6 == 4 {
                _ = try await store.suspend(id, Sample.suspension(number), ledger: [Sample.event(.started, number)])
                say("S \(number)")
                let ended = Sample.event(.ended, number, outcome: .verified)
                _ = try await store.conclude(id, with: Sample.ending(number), ledger: [ended])
                say("V \(number)")
            } else if number % 3 == 1 {
                _ = try await store.conclude(id, with: Sample.ending(number), ledger: Sample.pair(number))
                say("V \(number)")
            }
        }
        if earlier, number >= 8_000_000 {
            let old = number - 8_000_000
            if try await claim(SessionID("ses_\(old)"), in: store) { say("K \(old)") }
        }
    } catch {
        if error != .notFound { say("ERROR \(error)") }
    }
}

private func claim(_ id: SessionID, in store: SQLiteStore) async throws(StoreError) -> Bool {
    let outcome = try await store.claim(
        id, at: Sample.after(500), processingDeadline: Sample.after(2000), idempotency: nil, ledger: [])
    if case .claimed = outcome { return true }
    return false
}

/// Opens the database and holds it until it is killed.
func openOnly(_ path: String) async {
    let store = opened(path)
    say("OPEN")
    try? await Task.sleep(for: .seconds(60))
    await store.close()
}
