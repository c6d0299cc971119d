import VerificationCore

extension SessionService {
    /// Gives the work on a session that was erased what its verifier is asked with, as far as that is kept.
    ///
    /// The session's own memory is gone with its key. The ticket by which its providers will erase holds their challenges,
    /// and says nothing of the person: until the session ends, the verdict is asked for by it.
    func recall(_ work: inout SessionWork) async throws(Problem) {
        let id = OutboxMessage.id(.providerErasure, of: work.record.id)
        let message = try await stored { () async throws(StoreError) in try await self.store.message(id) }
        guard let sealed = message?.ticket,
            let ticket = try? EraseTicket(opening: sealed, of: work.record.id, keys: keys)
        else { return }
        let attempt = work.attempt.id
        // A ticket with newer facts takes the place of this one, so it must name everybody that this one does.
        work.record.eraseTicket = sealed
        if let target = ticket.targets.last(where: { $0.attempt == attempt }) {
            work.challenge = target.challenge
            work.attempt.providerReference = target.challenge.providerReference
        }
    }
}
