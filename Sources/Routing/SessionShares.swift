import Cryptography
import Glibc
import VerificationCore

/// Which share a session falls into. It depends on the session's and the rule's name alone, so the same session falls
/// into the same share whenever and wherever it is asked.
enum SessionShares {
    /// The targets with a weight, in the order in which the session would get them.
    ///
    /// Weighted rendezvous hashing: each target draws from an exponential distribution whose rate is its weight, and the
    /// least draw wins. So each wins its weight's share, a target's draw does not depend on the others, and raising one
    /// weight can only move sessions to it. Where the first is out, the rest has its shares among the rest.
    static func order(of targets: [WeightedTarget], for session: SessionID, rule: String) -> [VerifierID] {
        let weighed = targets.filter { $0.weight > 0 }
        guard weighed.count > 1 else { return weighed.map(\.verifier) }
        return weighed.map { target in
            (-log(unit("target", rule, target.verifier.rawValue, session)) / Double(target.weight), target.verifier)
        }
        .sorted { ($0.0, $0.1.rawValue) < ($1.0, $1.1.rawValue) }
        .map(\.1)
    }

    /// Whether the session falls into the share of a shadow. The shares of 10 and of 20 percent are nested.
    static func isShadowed(_ session: SessionID, by shadow: ShadowShare, rule: String) -> Bool {
        unit("shadow", rule, shadow.verifier.rawValue, session) * 100 <= Double(shadow.percent)
    }

    /// A number above 0 and at most 1, each as likely as the other.
    private static func unit(_ use: String, _ rule: String, _ verifier: String, _ session: SessionID) -> Double {
        var input: [UInt8] = []
        for part in [use, rule, verifier, session.rawValue] {
            input.append(contentsOf: part.utf8)
            // No name holds a zero, so no two lists of names give the same bytes.
            input.append(0)
        }
        let digest = Hash.sha256(input)
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The 53 bits that a Double can hold.
        return (Double(number >> 11) + 1) * 0x1p-53
    }
}
