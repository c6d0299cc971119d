import Synchronization
import VerificationCore

/// How often each uncertain submission of an ended session was asked about, and when it is asked about next. It is for
/// the ledger's sake only, so a restart may begin to count anew.
final class LateQuestions: Sendable {
    private struct Place {
        let asked: Int
        let nextAt: Timestamp
    }

    private let places = Mutex<[Int64: Place]>([:])

    /// Whether an event is to be asked about now.
    func isDue(_ event: LedgerEvent, at now: Timestamp) -> Bool {
        places.withLock { places in
            guard let place = places[event.sequence] else { return true }
            return place.asked < WaitSchedule.lateTries && place.nextAt <= now
        }
    }

    /// An event is being asked about: it is not again before its next pause is over.
    func take(_ event: LedgerEvent, at now: Timestamp) {
        places.withLock { places in
            let asked = places[event.sequence]?.asked ?? 0
            places[event.sequence] = Place(
                asked: asked + 1, nextAt: now.advanced(by: WaitSchedule.latePause(asked: asked)))
        }
    }

    /// Forgets what is not uncertain any more.
    func keep(only sequences: Set<Int64>) {
        places.withLock { places in places = places.filter { sequences.contains($0.key) } }
    }
}

extension SessionService {
    /// Uncertain events that are read at once.
    static let latePage = 200
    /// Questions at once: nobody waits for them.
    static let lateAtOnce = 4
    /// An event this old is not asked about: its pauses are over, and the provider's invoice will say.
    static let lateAge = Duration.seconds(30 * 86_400)

    /// Asks what became of submissions whose answer was lost and whose session is over: for the ledger's sake, never
    /// for a status. Returns how many were asked about.
    func resolveLate() async throws(StoreError) -> Int {
        let now = clock.now()
        var after: Int64 = 0
        var asked = 0
        var uncertain: Set<Int64> = []
        while true {
            let page = try await store.uncertainCalls(after: after, limit: Self.latePage)
            uncertain.formUnion(page.map(\.sequence))
            let due = page.filter { event in
                event.draft.call == CallName(.submit) && event.draft.role != .shadow
                    && now.duration(since: event.draft.at) < Self.lateAge && lateQuestions.isDue(event, at: now)
            }
            asked += await resolve(due, at: now)
            guard page.count == Self.latePage, let last = page.last else { break }
            after = last.sequence
        }
        lateQuestions.keep(only: uncertain)
        return asked
    }

    /// Asks about some events, a few at once, and returns how many were asked about.
    private func resolve(_ events: [LedgerEvent], at now: Timestamp) async -> Int {
        var rest = events[...]
        var asked = 0
        while !rest.isEmpty {
            await withTaskGroup(of: Bool.self) { group in
                for event in rest.prefix(Self.lateAtOnce) {
                    group.addTask { await self.resolve(event, at: now) }
                }
                for await isAsked in group where isAsked { asked += 1 }
            }
            rest = rest.dropFirst(Self.lateAtOnce)
        }
        return asked
    }

    private func resolve(_ event: LedgerEvent, at now: Timestamp) async -> Bool {
        // A session in processing asks for itself.
        guard let record = try? await store.session(event.draft.session), record.status.isFinal else { return false }
        lateQuestions.take(event, at: now)
        await resolve(event, of: record)
        return true
    }

    private func resolve(_ event: LedgerEvent, of record: SessionRecord) async {
        let context = context(of: record)
        guard context != nil || record.erasedAt != nil, let opened = current.verifiers[event.draft.verifier],
            let step = opened.description.lostStep
        else { return }
        var work = work(on: record, context, by: opened.description)
        if context == nil { work = work.speaking(of: event.draft) }
        // A primary that a fallback came after was known to have failed, so what is uncertain is the last attempt.
        guard work.attempt.id == event.draft.attempt else { return }
        do throws(Problem) {
            let now = clock.now()
            let call = try await question(step, of: work, asked: record.wait?.asked ?? 0)
            let deadline = now.advanced(by: Self.questionTimeout)
            guard let answer = await put(call, of: work, to: opened, at: now, deadline: deadline) else {
                return try await append(call.ended(.failed, at: now))
            }
            try await settle(answer, to: call, of: work)
        } catch {
            log(
                .error, "an uncertain call could not be settled", at: clock.now(),
                [(.session, .text(record.id.rawValue)), (.code, .text(error.code.rawValue))])
        }
    }

    private func settle(
        _ answer: Result<Fetched, VerificationError>, to call: ProviderCall, of work: SessionWork
    ) async throws(Problem) {
        let now = clock.now()
        switch answer {
        case .success(.conclusion(.verdict(let verdict, _, let facts))):
            try await append(call.ended(.answered(verdict.outcome, facts), at: now))
            try await settle(work.submission, .answered(verdict.outcome, facts), startedAt: work.startedAt)
        case .success(.conclusion(.pending(let pending))):
            try await append(call.ended(.answered(nil, pending.provider), at: now))
        case .success(.neverReceived):
            try await append(call.ended(.answered(nil, ProviderFacts()), at: now))
            try await settle(work.submission, .failed, startedAt: work.startedAt)
        case .failure(let error):
            try await append(call.ended(error.mayHaveBilled ? .unknown : .failed, at: now))
        }
    }
}
