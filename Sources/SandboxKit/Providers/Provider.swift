import Foundation
import VerificationCore

/// One of the played providers: it reads requests in its own words and answers in them.
protocol Provider: Sendable {
    /// Its name.
    var name: ProviderName { get }
    /// What a request is about; `nil` for one that the API does not have.
    func step(of request: Request) -> ProviderStep?
    /// The key under which a request came, where the API has such keys.
    func idempotencyKey(of request: Request) -> String?
    /// Does the work. `fault` is heeded only where it concerns what the answer says, or what is remembered.
    func answer(_ request: Request, step: ProviderStep, fault: Fault?) -> Answer
}

/// What every provider is given.
struct Surroundings: Sendable {
    let books: Books
    let desk: FaultDesk
    let clock: @Sendable () -> Timestamp

    var now: Timestamp { clock() }

    /// A new reference: not to be guessed, because it opens a result.
    static func identifier(_ prefix: String) -> String {
        var generator = SystemRandomNumberGenerator()
        return prefix + ByteText.hex(randomBytes(12, using: &generator))
    }
}

/// What a provider keeps of one verification.
struct Verification: Sendable {
    /// The provider's reference.
    let reference: String
    /// The caller's reference.
    let clientReference: String
    /// What came of it.
    let findings: Findings
    /// When it was judged.
    let at: Timestamp
    /// When the result may be told.
    let readyAt: Timestamp
    /// How the result is spoilt, if it is.
    let twist: Fault?
    /// The caller's words for what it asked for; `nil` for everything.
    var asked: Set<String>?

    /// The person, as this verification's fault wants it.
    var person: Person? {
        guard case .verified(let claims, let document) = findings else { return nil }
        let person = Person(claims: claims, document: document)
        return twist == .individualNumber ? person.withIndividualNumber : person
    }

    /// The reasons of a rejection.
    var reasons: [Reason] {
        guard case .rejected(let reasons) = findings else { return [] }
        return reasons
    }

    /// Whether the result that was told first is taken back later.
    var isRevised: Bool { twist == .revised }
}
