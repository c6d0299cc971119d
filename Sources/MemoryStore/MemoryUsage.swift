import Ledger
import VerificationCore

/// The calls that the ledger's events leave, and the names behind their numbers.
struct MemoryUsage: Sendable {
    /// Where a call begins: its attempt and name.
    private struct Key: Hashable {
        let attempt: AttemptID
        let call: CallName?
    }

    private(set) var names: [String] = []
    private(set) var calls: [Int64: UsageCall] = [:]
    private var numbers: [String: Int32] = [:]
    private var newest: [Key: Int64] = [:]

    /// Takes in the newest event of the ledger.
    mutating func take(_ event: LedgerEvent) {
        let draft = event.draft
        let key = Key(attempt: draft.attempt, call: draft.call)
        if draft.kind == .started {
            let (verifier, client) = (number(draft.verifier.rawValue), number(draft.client.rawValue))
            calls[event.sequence] = UsageCall(
                starting: event, verifier: verifier, client: client, purpose: number(draft.purpose.rawValue))
            newest[key] = event.sequence
        } else if let sequence = newest[key] {
            calls[sequence]?.take(event)
        }
    }

    /// The number of a name, if it has one.
    func known(_ name: String) -> Int32? { numbers[name] }

    private mutating func number(_ name: String) -> Int32 {
        if let number = numbers[name] { return number }
        let number = Int32(names.count)
        names.append(name)
        numbers[name] = number
        return number
    }
}
