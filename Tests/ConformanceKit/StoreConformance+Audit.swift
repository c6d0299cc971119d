import Ledger
import VerificationCore

extension StoreConformance {
    static let audit: [StoreCase] = [
        StoreCase("audit events stand in one chain, and read back as they were written") { store in
            let written = try await store.appendAudit([full(1), bare(2)])
            let more = try await store.appendAudit([bare(3)])
            try requireEqual(written.map(\.sequence) + more.map(\.sequence), [1, 2, 3])
            let read = try await store.audit(from: 1, limit: 10)
            try requireEqual(read, written + more)
            try requireEqual(read.map(\.draft), [full(1), bare(2), bare(3)])
            try requireEqual(AuditChain.verify(read), nil)
            try requireEqual(try await store.audit(from: 2, limit: 1), [written[1]])
            try requireEqual(try await store.audit(from: 4, limit: 10), [])
            try requireEqual(try await store.appendAudit([]), [])
        },
        StoreCase("audit events are found by action, actor, session and time, newest first, page by page") { store in
            try await store.appendAudit((1...6).map { $0.isMultiple(of: 2) ? full($0) : bare($0) })
            func find(_ change: (inout AuditFilter) -> Void, before: Int64? = nil, limit: Int = 10) async throws
                -> [Int64]
            {
                var filter = AuditFilter()
                change(&filter)
                return try await store.audit(filter, before: before, limit: limit).map(\.sequence)
            }
            try requireEqual(try await find { _ in }, [6, 5, 4, 3, 2, 1])
            try requireEqual(try await find({ _ in }, before: 4, limit: 2), [3, 2])
            try requireEqual(try await find { $0.actions = [.checksRead] }, [6, 4, 2])
            try requireEqual(try await find { $0.actions = [.checksRead, .circuitSet] }, [6, 5, 4, 3, 2, 1])
            try requireEqual(try await find { $0.actor = "operations" }, [6, 4, 2])
            try requireEqual(try await find { $0.session = SessionID("ses_4") }, [4])
            try requireEqual(try await find { $0.session = SessionID("ses_5") }, [])
            try requireEqual(
                try await find {
                    $0.from = Sample.after(2)
                    $0.before = Sample.after(4)
                }, [3, 2])
        },
        StoreCase("an erasure, and who had it made, are written in one step, once") { store in
            let record = try await store.finish(1)
            let before = try await store.audit(from: 1, limit: 10).count
            _ = try await store.erase(record.id, by: "app", at: Sample.after(700))
            _ = try await store.erase(record.id, by: "app", at: Sample.after(800))
            let events = try await store.audit(from: Int64(before) + 1, limit: 10)
            try requireEqual(events.map(\.draft.action), [.sessionErased])
            try requireEqual(events.map(\.draft.actor), ["app"])
            try requireEqual(events.map(\.draft.outcome), ["requested"])
            try requireEqual(events.map(\.draft.session), [record.id])
            try requireEqual(events.map(\.draft.at), [Sample.after(700)])
        },
        StoreCase("what is erased and removed by time is written down with its rule") { store in
            _ = try await store.finish(1)
            try requireEqual(try await store.eraseDue(at: Sample.after(9000)), 1)
            _ = try await store.finish(2)
            try requireEqual(try await store.purge(endedBefore: Sample.after(601), at: Sample.after(9500)), 2)
            let events = try await store.audit(from: 1, limit: 100).filter { $0.draft.action != .incident }
            try requireEqual(events.map(\.draft.action), [.sessionErased, .sessionErased, .sessionsPurged])
            try requireEqual(events.map(\.draft.outcome), ["retention", "purge", nil])
            try requireEqual(events.map(\.draft.count), [nil, nil, 2])
            try requireEqual(events.last?.draft.at, Sample.after(9500))
            try requireEqual(AuditChain.verify(try await store.audit(from: 1, limit: 100)), nil)
        },
        StoreCase("an incident is written with the verdict that it came with") { store in
            let record = try await store.finish(1)
            let events = try await store.audit(from: 1, limit: 10)
            try requireEqual(events.map(\.draft.action), [.incident])
            try requireEqual(events.map(\.draft.outcome), ["individual_number_received"])
            try requireEqual(events.map(\.draft.session), [record.id])
            // A second end of the same session writes nothing.
            try await requireError(.conflict) {
                try await store.conclude(record.id, with: Sample.ending(1), ledger: [])
            }
            try requireEqual(try await store.audit(from: 1, limit: 10).count, 1)
        },
        StoreCase("a session keeps the method and the names of its claims when it is erased") { store in
            let record = try await store.open(1)
            try await store.claim(1)
            var ending = Sample.ending(1)
            ending.legalMethod = method
            ending.confirmedClaims = [ClaimName("address.formatted"), ClaimName("name")]
            let ended = try await store.conclude(record.id, with: ending, ledger: [])
            try requireEqual(ended.legalMethod, method)
            try requireEqual(ended.confirmedClaims, ending.confirmedClaims)
            let erased = try await store.erase(record.id, at: Sample.after(700))
            try requireEqual(erased.legalMethod, method)
            try requireEqual(try await store.session(record.id).confirmedClaims, ending.confirmedClaims)
        },
        StoreCase("a hold keeps a session from being erased and removed, until it is lifted") { store in
            let record = try await store.finish(1)
            let held = try await store.setHold(hold, of: record.id, audit: bare(1))
            try requireEqual(held.hold, hold)
            try await requireError(.conflict) { try await store.setHold(hold, of: record.id, audit: bare(2)) }
            try await requireError(.held) { try await store.erase(record.id, by: "app", at: Sample.after(700)) }
            try requireEqual(try await store.eraseDue(at: Sample.after(1 << 40)), 0)
            try requireEqual(try await store.purge(endedBefore: Sample.after(1 << 40)), 0)
            let kept = try await store.session(record.id)
            try requireEqual(kept, held)
            try requireEqual(kept.sealedResult, record.sealedResult)
            let free = try await store.setHold(nil, of: record.id, audit: bare(3))
            try requireEqual(free.hold, nil)
            try await requireError(.conflict) { try await store.setHold(nil, of: record.id, audit: bare(4)) }
            try requireEqual(try await store.eraseDue(at: Sample.after(9000)), 1)
            // What was refused left no event.
            let subjects = try await store.audit(from: 1, limit: 10).map(\.draft.at)
            try requireEqual(
                subjects, [Sample.after(600), Sample.after(1), Sample.after(3), Sample.after(9000)])
            try await requireError(.notFound) {
                try await store.setHold(hold, of: SessionID("ses_9"), audit: bare(5))
            }
        },
        StoreCase("a contract moves the time to erase, and keeps the session until it is erased") { store in
            let record = try await store.finish(1)
            var contract = Contract(startedAt: Sample.after(650))
            let begun = try await store.setContract(contract, eraseAt: nil, of: record.id, audit: bare(1))
            try requireEqual(begun.contract, contract)
            try requireEqual(begun.eraseAt, nil)
            try requireEqual(try await store.eraseDue(at: Sample.after(1 << 40)), 0)
            try requireEqual(try await store.purge(endedBefore: Sample.after(1 << 40)), 0)
            contract.endedAt = Sample.after(20_000)
            let until = Sample.after(90_000)
            _ = try await store.setContract(contract, eraseAt: until, of: record.id, audit: bare(2))
            try requireEqual(try await store.eraseDue(at: Sample.after(89_999)), 0)
            try requireEqual(try await store.purge(endedBefore: Sample.after(89_999)), 0)
            try requireEqual(try await store.eraseDue(at: until), 1)
            try requireEqual(try await store.purge(endedBefore: until), 0)
            let erased = try await store.session(record.id)
            try requireEqual(erased.contract, contract)
            try await requireError(.conflict) {
                try await store.setContract(contract, eraseAt: nil, of: record.id, audit: bare(3))
            }
            try requireEqual(try await store.purge(endedBefore: Sample.after(90_001)), 1)
        },
        StoreCase("a session without a verdict of verified has no contract") { store in
            let record = try await store.open(1)
            try await requireError(.conflict) {
                try await store.setContract(Contract(), eraseAt: nil, of: record.id, audit: bare(1))
            }
            try await store.claim(1)
            _ = try await store.conclude(record.id, with: Sample.ending(1, .rejected), ledger: [])
            try await requireError(.conflict) {
                try await store.setContract(Contract(), eraseAt: nil, of: record.id, audit: bare(1))
            }
        },
        StoreCase("a message is found by its name until it is delivered, and its end is audited once") { store in
            let record = try await store.openTold(1)
            let id = OutboxMessage.id(.providerErasure, of: record.id)
            try requireEqual(try await store.message(id), nil)
            _ = try await store.erase(record.id, at: Sample.after(100))
            try requireEqual(try await store.message(id)?.session, record.id)
            _ = try await store.takeDueMessages(at: Sample.after(200), lease: Sample.after(300), limit: 10)
            let before = try await store.audit(from: 1, limit: 10).count
            try await store.settle(id, .delivered, audit: bare(1))
            try await store.settle(id, .delivered, audit: bare(2))
            try requireEqual(try await store.message(id), nil)
            try requireEqual(try await store.audit(from: 1, limit: 10).count, before + 1)
        },
    ]

    private static let hold = LegalHold(reason: "litigation", by: "compliance", at: Sample.after(610))
    private static let method = CivilDate("2018-11-30").map {
        LegalMethod(policy: "犯収法施行規則", procedure: "6条1項1号ル", lawAsOf: $0, code: "wallet-ru")
    }

    /// An event with nothing that can be left out.
    private static func bare(_ number: Int64) -> AuditDraft {
        AuditDraft(.circuitSet, by: AuditDraft.gateway, at: Sample.after(number), configurationVersion: "v1")
    }

    /// An event with everything in it.
    private static func full(_ number: Int64) -> AuditDraft {
        var draft = AuditDraft(
            .checksRead, by: "operations", at: Sample.after(number), configurationVersion: "v\(number)")
        draft.session = SessionID("ses_\(number)")
        draft.client = ClientID("app")
        draft.subject = "検証"
        draft.outcome = "read"
        draft.reason = "why"
        draft.count = number
        return draft
    }
}
