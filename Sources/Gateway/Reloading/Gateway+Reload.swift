public import VerificationCore

extension Gateway {
    /// Brings the newest configuration into service: opened and checked whole, then swapped in one step. One with a
    /// problem changes nothing. Sessions in flight keep the verifier that they were given.
    ///
    /// Who had it done stands in the audit chain; a change that cannot be written there is refused.
    public func reload(by actor: String = AuditDraft.system) async -> ReloadReport {
        await reloads.reload { [self] in await performReload(by: actor) }
    }

    /// Notes in the store which configuration runs, and the configuration without its secrets by its version.
    public func keepConfiguration() async throws(StoreError) {
        try await Self.keep(sessions.current.settings, in: sessions.store)
        try await sessions.store.appendAudit([sessions.auditDraft(.gatewayStarted, by: AuditDraft.system)])
    }

    private func performReload(by actor: String) async -> ReloadReport {
        let before = sessions.current
        do throws(ReloadRefusal) {
            let next = try await source.open(at: sessions.clock.now())
            try await check(next.keys, after: before.keys)
            do throws(StoreError) {
                try await Self.keep(next.settings, in: sessions.store)
                let event = event(.applied, version: next.settings.version, before: before, by: actor)
                try await sessions.store.appendAudit([event])
            } catch {
                throw ReloadRefusal([Self.problem(error)])
            }
            sessions.swap(to: next)
            await restoreHolds()
            await Housekeeper(of: self).tellBudgets(at: sessions.clock.now())
            return report(.applied, version: next.settings.version, before: before)
        } catch {
            var event = event(.refused, version: before.settings.version, before: before, by: actor)
            event.count = Int64(error.problems.count)
            await sessions.auditLate(event)
            return report(.refused, version: before.settings.version, before: before, error.problems)
        }
    }

    private func event(
        _ outcome: ReloadReport.Outcome, version: String, before: Running, by actor: String
    ) -> AuditDraft {
        var draft = sessions.auditDraft(.configurationReloaded, by: actor)
        draft.outcome = outcome.rawValue
        draft.configurationVersion = version
        draft.subject = before.settings.version
        return draft
    }

    /// Keys must open what the store holds, before anything is sealed by them. The key that seals until now must stay as
    /// one that opens: a session may be sealed by it in this very moment.
    private func check(_ keys: SealingKeys, after before: SealingKeys) async throws(ReloadRefusal) {
        let place = "sealing.keys"
        guard keys.key(named: before.current.id) != nil else {
            throw ReloadRefusal([
                ReloadProblem(
                    path: place,
                    problem: "the key that seals now, \(before.current.id), must stay behind the new one until nothing "
                        + "is sealed by it")
            ])
        }
        var missing: [String] = []
        do {
            missing = try await keys.missing(from: sessions.store)
            if missing.isEmpty { _ = try await keys.check(against: sessions.store) }
        } catch let error as SealingKeys.Problem {
            throw ReloadRefusal([ReloadProblem(path: place, problem: error.description)])
        } catch let error as StoreError {
            throw ReloadRefusal([Self.problem(error)])
        } catch {
            throw ReloadRefusal([Self.problem(StoreError.internal)])
        }
        guard missing.isEmpty else {
            throw ReloadRefusal(
                missing.map {
                    ReloadProblem(path: place, problem: "sessions are still sealed by the key \($0), which is gone")
                })
        }
    }

    /// What an operator held stays held, over a restart and when a verifier comes back.
    public func restoreHolds() async {
        do throws(StoreError) {
            try await sessions.restoreHolds()
        } catch {
            sessions.metrics.count(.storeErrors, [("code", error.rawValue)])
            sessions.log(
                .error, "what operators hold could not be read", at: sessions.clock.now(),
                [(.code, .text(error.rawValue))])
        }
    }

    private static func keep(_ settings: GatewaySettings, in store: any Store) async throws(StoreError) {
        _ = try await store.keepSetting("configuration:" + settings.version, settings.document)
        try await store.replaceSetting("configuration.running", with: Array(settings.version.utf8))
        if let inventory = settings.inventory {
            try await store.replaceSetting(Inventory.setting, with: inventory.encoded())
        }
    }

    private static func problem(_ error: StoreError) -> ReloadProblem {
        ReloadProblem(path: "store", problem: "the store could not be used: \(error.rawValue)")
    }

    private func report(
        _ outcome: ReloadReport.Outcome, version: String, before: Running, _ problems: [ReloadProblem] = []
    ) -> ReloadReport {
        let now = sessions.clock.now()
        sessions.metrics.count(.reloads, [("outcome", outcome.rawValue)])
        switch outcome {
        case .applied:
            sessions.log(
                .info, "the configuration was reloaded", at: now,
                [(.configuration, .text(version)), (.previous, .text(before.settings.version))])
            logAlarms()
        case .refused:
            sessions.log(
                .error, "a reload was refused: what ran before goes on", at: now,
                [(.configuration, .text(version)), (.count, .number(Int64(problems.count)))])
            for problem in problems.prefix(Self.mostLoggedProblems) {
                var details: [(Log.Key, Log.Value)] = [
                    (.path, .text(problem.path)), (.problem, .text(problem.problem)),
                ]
                if let line = problem.line { details.append((.line, .number(Int64(line)))) }
                sessions.log(.error, "a problem of the configuration", at: now, details)
            }
        }
        return ReloadReport(
            at: now, outcome: outcome, version: version, previousVersion: before.settings.version, problems: problems)
    }

    /// Nobody reads more of them in a log; the answer and `/readyz` have them all.
    private static let mostLoggedProblems = 20
}
