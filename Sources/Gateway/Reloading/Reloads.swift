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
    }

    private let turns = Mutex(Turns())
    private let told: Mutex<History>

    init(loadedAt: Timestamp) {
        told = Mutex(History(loadedAt: loadedAt))
    }

    /// When what runs was loaded, and what came of the last reload.
    var history: History { told.withLock { $0 } }

    /// Reloads by `perform`, which never runs twice at once.
    func reload(_ perform: @escaping @Sendable () async -> ReloadReport) async -> ReloadReport {
        let task = turns.withLock { turns -> Task<ReloadReport, Never> in
            if let next = turns.next { return next }
            let before = turns.running
            let task = Task { [self] in
                if let before {
                    _ = await before.value
                    self.turns.withLock { $0 = Turns(running: $0.next) }
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
        return await task.value
    }
}
