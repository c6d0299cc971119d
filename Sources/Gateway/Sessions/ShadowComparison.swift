import CBOR
import Cryptography
import VerificationCore

/// A key that one comparison is made under. It is drawn for it, never stored, and gone with it: the digests of two
/// verdicts can be compared, and nothing can be looked up by them.
struct ComparisonKey: Sendable {
    private let secret: Sensitive<[UInt8]>

    /// A fresh key.
    init(using generator: inout some RandomNumberGenerator) {
        secret = Sensitive(randomBytes(HMACSHA256.length, using: &generator))
    }

    func digest(of name: ClaimName, _ value: ClaimValue) -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.text(name.rawValue)
        ClaimCoding.encode(value, into: &encoder)
        return secret.withValue { HMACSHA256.authenticationCode(for: encoder.bytes, key: $0) }
    }
}

/// A verdict of which only equality can be told.
struct VerdictDigests: Sendable {
    let outcome: AttemptOutcome
    /// Of a rejected verdict there are none.
    let claims: [ClaimName: [UInt8]]

    init(_ verdict: Verdict, under key: ComparisonKey) {
        outcome = verdict.outcome
        switch verdict {
        case .verified(let verified, _):
            claims = verified.claims.withValue { claims in
                Dictionary(uniqueKeysWithValues: claims.map { ($0.key, key.digest(of: $0.key, $0.value)) })
            }
        case .rejected: claims = [:]
        }
    }

    /// What two verdicts agree and differ in. Claims are compared where both are verified: who rejects says nothing of
    /// claims.
    func compared(with shadow: VerdictDigests) -> [(subject: String, outcome: ShadowCount.Outcome)] {
        var found: [(subject: String, outcome: ShadowCount.Outcome)] = [
            ("verdict", outcome == shadow.outcome ? .agree : .differ)
        ]
        guard outcome == .verified, shadow.outcome == .verified else { return found }
        for name in Set(claims.keys).union(shadow.claims.keys).sorted() {
            let result: ShadowCount.Outcome =
                switch (claims[name], shadow.claims[name]) {
                case (.some(let ours), .some(let theirs)): constantTimeEquals(ours, theirs) ? .agree : .differ
                case (.some, nil): .primaryOnly
                case (nil, _): .shadowOnly
                }
            found.append(("claim:" + name.rawValue, result))
        }
        return found
    }
}
