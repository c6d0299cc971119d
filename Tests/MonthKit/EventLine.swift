public import VerificationCore

extension LedgerEvent {
    /// The event as a line of the table that `reckon.py` reads.
    public var line: String {
        let fields: [String] = [
            String(sequence), draft.kind.rawValue, draft.attempt.rawValue, draft.call?.rawValue ?? "",
            draft.role.rawValue, draft.verifier.rawValue, draft.client.rawValue, draft.purpose.rawValue,
            String(draft.at.milliseconds), draft.providerTime.map { String($0.milliseconds) } ?? "",
            draft.billableClass.rawValue, String(draft.quantity), draft.outcome?.rawValue ?? "",
        ]
        return fields.joined(separator: "\t") + "\n"
    }
}
