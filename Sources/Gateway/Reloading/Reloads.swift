import Synchronization
import VerificationCore

/// Reloads, one after the other. One that is asked for while another runs begins when that one is over, because the
/// files may have changed since it read them; all that are asked for meanwhile share it.
final class Reloads: Sendable {
    /// What an operator is shown of the configuration that runs.
    struct History: Sendable {
        /// When what runs was loaded.
        var loadedAt: Timestamp
        /// The last reload, whatever came of it.
        var last: ReloadReport?
    }

    private struct Turns {
        var running: Task<ReloadReport, Never>?
        var next: Task<ReloadReport, Never>?
        /// How many have a turn, or share one, and were not answered yet.
        var callers = 0
    }

    private let turns = Mutex(Turns())
    private let told: Mutex<History>

    init(loadedAt: Timestamp) {
        told = Mutex(History(loadedAt: loadedAt))
    }

    /// When what runs was loaded, and what came of the last reload.
    var history: History { told.withLock { $0 } }

    /// How many wait for a reload, the one that runs included.
    var callers: Int { turns.withLock { $0.callers } }

    /// Reloads by `perform`, which never runs twice at once.
    func reload(_ perform: @escaping @Sendable () async -> ReloadReport) async -> ReloadReport {
        let task = turns.withLock { turns -> Task<ReloadReport, Never> in
            turns.callers += 1
            if let next = turns.next { return next }
            let before = turns.running
            let task = Task { [self] in
                if let before {
                    _ = await before.value
                    self.turns.withLock { ($0.running, $0.next) = ($0.next, nil) }
                }
                let report = await perform()
                told.withLock { told in
                    told.last = report
                    if report.outcome == .applied { told.loadedAt = report.at }
                }
                // Where somebody waits, that one moves up by itself.
                self.turns.withLock { if $0.next == nil { $0.running = nil } }
                return report
            }
            if before == nil { turns.running = task } else { turns.next = task }
            return task
        }
        let report = await task.value
        turns.withLock { $0.callers -= 1 }
        return report
    }
}
