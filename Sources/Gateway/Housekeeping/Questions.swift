import VerificationCore

extension Housekeeper {
    /// Asks the verifiers that are to be asked now, shadows too, and returns how many sessions that was for.
    @discardableResult
    public func ask() async -> Int {
        await sessions.askShadows()
        do throws(StoreError) {
            return try await sessions.askDue()
        } catch {
            complain(error)
            return 0
        }
    }

    /// Asks about uncertain calls of ended sessions, and returns how many were asked about.
    @discardableResult
    public func resolveLate() async -> Int {
        do throws(StoreError) {
            return try await sessions.resolveLate()
        } catch {
            complain(error)
            return 0
        }
    }

    /// Asks as questions fall due, many at once: one slow answer holds up no other session's.
    func runQuestions() async {
        let running = sessions.runningQuestions
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let room = SessionService.maximumQuestions - running.value
                if room > 0 {
                    do throws(StoreError) {
                        for record in try await sessions.takeDue(limit: room) {
                            running.add(1)
                            group.addTask {
                                await sessions.ask(record)
                                running.add(-1)
                            }
                        }
                    } catch {
                        complain(error)
                    }
                }
                for awaited in sessions.shadows.awaited.due(at: sessions.clock.now()) {
                    group.addTask { await sessions.ask(awaited) }
                }
                try? await Task.sleep(for: Self.questionInterval)
            }
        }
    }

    private func complain(_ error: StoreError) {
        sessions.metrics.count(.storeErrors, [("code", error.rawValue)])
        sessions.log(
            .error, "housekeeping could not write", at: sessions.clock.now(), [(.code, .text(error.rawValue))])
    }
}
