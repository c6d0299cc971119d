public import VerificationCore

/// The part of a call that an event tells of. Each is told once at most for an attempt and call.
public enum CallPart: Sendable, CaseIterable, Hashable {
    /// That it was about to be made.
    case start
    /// How it ended, or that nobody knows.
    case end
    /// How it ended after all.
    case resolution

    /// The part that events of a kind tell of; `nil` for those that are about no call.
    public init?(_ kind: LedgerDraft.Kind) {
        switch kind {
        case .started: self = .start
        case .ended, .uncertain: self = .end
        case .resolved: self = .resolution
        case .adjusted, .closed: return nil
        }
    }
}

/// Names a part of one call. Events without a call, which are older than calls, have none.
public struct CallEntry: Sendable, Hashable {
    /// The attempt.
    public let attempt: AttemptID
    /// The call within it.
    public let call: CallName
    /// The part.
    public let part: CallPart

    /// The entry that an event makes.
    public init?(_ draft: LedgerDraft) {
        guard let call = draft.call, let part = CallPart(draft.kind) else { return nil }
        self.init(attempt: draft.attempt, call: call, part: part)
    }

    /// An entry.
    public init(attempt: AttemptID, call: CallName, part: CallPart) {
        self.attempt = attempt
        self.call = call
        self.part = part
    }
}
