import Billing
import VerificationCore

/// What a provider's API is, as its manifest says: everything that the verifier knows of it.
struct Manifest: Sendable {
    /// The provider's name, for people.
    var name: String
    /// Where its API begins, such as `https://api.example.com/v2`; the configuration may give another.
    var endpoint: Endpoint?
    /// The secrets that a configuration must give, by name.
    var credentials: Set<CredentialName>
    /// The values that a configuration may or must give, by name.
    var variables: [String: VariableDeclaration]
    /// The provider's words for our documents and claims.
    var vocabulary: Vocabulary
    /// How each request is authenticated: all of them, in order.
    var authentication: [AuthenticationDeclaration]
    /// Who says what the wallet is asked with.
    var wallet: WalletDeclaration
    /// Who makes the nonce, and how it travels.
    var nonce: NonceDeclaration
    /// How the provider knows a repeat of the same call.
    var idempotency: IdempotencyDeclaration?
    /// The calls, each once.
    var steps: [VerificationStep: StepDeclaration]
    /// What the provider tells on its own account.
    var webhooks: WebhooksDeclaration?
    /// What its invoices look like: the verifier has no use for it, and whoever reconciles does.
    var invoice: InvoiceFormat?
    /// Its members, told apart by digests; what was not read from a file has none.
    var parts: [LoadedPart] = []
}

/// The name of a secret within one manifest.
typealias CredentialName = String

/// A value that is not secret and that a configuration gives.
struct VariableDeclaration: Sendable, Hashable {
    /// The value where the configuration gives none; `nil` where it must.
    var standard: VariableValue?
}

/// The value of such a variable: as a whole JSON value it keeps its type.
enum VariableValue: Sendable, Hashable {
    case text(String)
    case integer(Int64)
    case boolean(Bool)

    /// How it stands in a path, a header or a form.
    var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? "true" : "false"
        }
    }
}

/// The provider's own words.
struct Vocabulary: Sendable, Hashable {
    /// Its word for each document type that it verifies; empty where requests never name one.
    var documents: [String: String] = [:]
    /// Its word for each claim that a request may ask for.
    var claims: [ClaimName: String] = [:]
}

/// Who says what the wallet is asked with.
enum WalletDeclaration: Sendable, Hashable {
    /// The configuration: the identity is the same for every session.
    case configured
    /// The answer to `begin`. Where it names no team, the configuration's stands.
    case answered(merchantIdentifier: JSONPointer, teamIdentifier: JSONPointer?)
}

/// Who makes the nonce, and in what text it travels.
struct NonceDeclaration: Sendable, Hashable {
    var origin: NonceOrigin
    var form: NonceForm
    /// How many bytes it may have.
    var lengths: ClosedRange<Int>
}

/// The text form of a nonce. It must be declared, because the bytes go into the session transcript.
enum NonceForm: String, Sendable, CaseIterable, Hashable {
    case base64URL = "base64url"
    case base64
    case hex
    /// The bytes are those of the text itself.
    case utf8
}

/// How a provider knows that two requests are one.
struct IdempotencyDeclaration: Sendable, Hashable {
    /// The header that carries the key; `nil` where the body does, as `{idempotency_key}`.
    var header: String?
    /// The steps that carry it.
    var steps: Set<VerificationStep>
    /// Whether the provider gives a stored 5xx answer again, so that a repeat after one never succeeds.
    var replaysErrors: Bool
}

/// One call.
struct StepDeclaration: Sendable {
    var step: VerificationStep
    var method: HTTPMethod
    var path: PathTemplate
    var query: [NamedTemplate]
    var headers: [NamedTemplate]
    var body: BodyTemplate
    /// How long one request may take.
    var timeout: Duration
    var billing: BillingRule?
    var retry: RetryDeclaration?
    var answer: AnswerDeclaration
    /// What an answer means: the first that matches.
    var outcomes: [OutcomeDeclaration]
    /// The line on which the step begins.
    var line: Int
}

enum HTTPMethod: String, Sendable, CaseIterable, Hashable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// When a call is made again.
struct RetryDeclaration: Sendable, Hashable {
    /// How often in all.
    var tries: Int
    /// The pause before the second try; it doubles from try to try.
    var backoff: Duration
    /// The longest pause, also where the provider asks for a longer one: then the call ends.
    var longestPause: Duration
}
