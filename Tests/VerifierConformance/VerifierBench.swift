public import VerificationCore

/// Where a case gets its verifier from, and what a wallet and the other side do for it.
///
/// Each case has a bench of its own; a bench that reaches somebody has nobody else's calls on its books.
public struct VerifierBench: Sendable {
    /// Opens the verifier, the same one each time: what one instance began, another concludes, as after a restart.
    public let open: @Sendable () throws -> any Conforming
    /// The same verifier with nobody at the other end; `nil` for one that asks nobody.
    public let openAlone: (@Sendable () throws -> any Conforming)?
    /// The time by which the bench's documents are valid.
    public let now: @Sendable () -> Timestamp
    /// What a wallet answers to a challenge.
    public let present: @Sendable (Challenge, Presentation) throws -> Evidence
    /// Has the other side never answer the next submission; `nil` for a verifier that asks nobody.
    public let silence: (@Sendable () -> Void)?
    /// How long the verifier waits by itself for the answer to a submission: much longer than any case lets it; zero for a
    /// verifier that asks nobody.
    public let stepTimeout: Duration
    /// How many submissions the other side charged for; 0 for a verifier that asks nobody.
    public let charges: @Sendable () -> Int
    /// Whether the same submission under the same key is answered, and charged, as the first one was.
    public let isRepeatable: Bool
    /// The checks that must have passed before anything is verified.
    public let required: RequiredChecks
    /// The name of the person on the card, as it was issued.
    public let name: String

    /// A bench.
    public init(
        open: @escaping @Sendable () throws -> any Conforming,
        openAlone: (@Sendable () throws -> any Conforming)? = nil, now: @escaping @Sendable () -> Timestamp,
        present: @escaping @Sendable (Challenge, Presentation) throws -> Evidence,
        silence: (@Sendable () -> Void)? = nil, stepTimeout: Duration = .zero,
        charges: @escaping @Sendable () -> Int = { 0 }, isRepeatable: Bool,
        required: RequiredChecks, name: String
    ) {
        self.open = open
        self.openAlone = openAlone
        self.now = now
        self.present = present
        self.silence = silence
        self.stepTimeout = stepTimeout
        self.charges = charges
        self.isRepeatable = isRepeatable
        self.required = required
        self.name = name
    }
}

/// A verifier as the gateway has it: with what is known of it unasked.
public protocol Conforming: Verifier {
    /// What is known of it.
    var description: VerifierDescription { get }
}

/// What a wallet presents.
public enum Presentation: Sendable, Hashable {
    /// The person's card, right in everything, with name, birthdate, portrait and more than the purpose asks for.
    case genuine
    /// A card on which one value was changed after it was signed.
    case forged
    /// A genuine card without the date of birth.
    case withoutBirthdate
    /// A genuine card with the individual number (マイナンバー) beside the rest, or where the other side puts one in.
    case withIndividualNumber
}
