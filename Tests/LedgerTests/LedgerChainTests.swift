import ConformanceKit
import Ledger
import Testing
import VerificationCore

@Suite struct LedgerChainTests {
    private static let chain: [LedgerEvent] = {
        var chain: [LedgerEvent] = []
        for number in 1...4 {
            var drafts = Sample.pair(number)
            // Old and new layouts in one chain.
            if number.isMultiple(of: 2) {
                for place in drafts.indices {
                    drafts[place].call = CallName(.submit)
                    drafts[place].actor = "ops"
                    drafts[place].note = "why"
                    drafts[place].month = "2026-11"
                    drafts[place].amount = 7
                    drafts[place].currency = "JPY"
                    drafts[place].statement = [1, 2]
                }
            }
            for draft in drafts { chain.append(LedgerChain.append(draft, after: chain.last)) }
        }
        return chain
    }()

    @Test func `the first event names 32 zero bytes, each other one the hash before, from 1 without gaps`() {
        #expect(Self.chain[0].previousHash == [UInt8](repeating: 0, count: 32))
        for (place, event) in Self.chain.enumerated() {
            #expect(event.sequence == Int64(place + 1))
            #expect(event.hash.count == 32)
            if place > 0 { #expect(event.previousHash == Self.chain[place - 1].hash) }
        }
        #expect(Set(Self.chain.map(\.hash)).count == 8)
    }

    @Test func `a chain holds, whole and in pieces`() {
        #expect(LedgerChain.verify([]) == nil)
        #expect(LedgerChain.verify(Self.chain) == nil)
        for cut in 1..<8 {
            #expect(LedgerChain.verify(Self.chain[..<cut]) == nil)
            #expect(LedgerChain.verify(Self.chain[cut...], after: Self.chain[cut - 1]) == nil)
            // A later piece is not the beginning of a chain.
            #expect(LedgerChain.verify(Self.chain[cut...]) == 1)
        }
    }

    @Test func `a change of any field of any event is named by the event's number`() {
        let changes: [(inout LedgerDraft) -> Void] = [
            { $0.kind = .uncertain }, { $0.attempt = AttemptID("att_x") }, { $0.role = .shadow },
            { $0.session = SessionID("ses_x") }, { $0.verifier = VerifierID("x") }, { $0.client = ClientID("x") },
            { $0.purpose = PurposeID("x") }, { $0.providerReference = "x" },
            { $0.at = Timestamp(milliseconds: $0.at.milliseconds + 1) },
            { $0.providerTime = Timestamp(milliseconds: 0) }, { $0.billableClass = .completedAny },
            { $0.quantity += 1 }, { $0.outcome = .failed }, { $0.certification = nil },
            { $0.certification = "" }, { $0.configurationVersion = "v2" }, { $0.settles = 7 },
            { $0.call = CallName(.fetch) }, { $0.actor = "x" }, { $0.note = "x" }, { $0.month = "2026-12" },
            { $0.amount = 8 }, { $0.currency = "USD" }, { $0.statement = [1] }, { $0.statement = [] },
            // All taken away, or all but one: an event of the second layout read as one of the first.
            { draft in
                (draft.call, draft.actor, draft.note, draft.month) = (
                    draft.call == nil ? CallName(.submit) : nil, nil, nil, nil
                )
                (draft.amount, draft.currency, draft.statement) = (nil, nil, nil)
            },
            { $0.call = $0.call == nil ? CallName(rawValue: "") : nil }, { $0.actor = $0.actor == nil ? "" : nil },
            { $0.note = $0.note == nil ? "" : nil }, { $0.month = $0.month == nil ? "" : nil },
            { $0.amount = $0.amount == nil ? 0 : nil }, { $0.currency = $0.currency == nil ? "" : nil },
            { $0.statement = $0.statement == nil ? [] : nil },
        ]
        for change in changes {
            for place in Self.chain.indices {
                let event = Self.chain[place]
                var draft = event.draft
                change(&draft)
                var forged = Self.chain
                forged[place] = LedgerEvent(
                    sequence: event.sequence, draft: draft, previousHash: event.previousHash, hash: event.hash)
                #expect(LedgerChain.verify(forged) == event.sequence)
                // With its own hash mended, the next one shows it.
                guard place < 7 else { continue }
                forged[place] = LedgerChain.append(draft, after: place == 0 ? nil : Self.chain[place - 1])
                #expect(LedgerChain.verify(forged) == event.sequence + 1)
            }
        }
    }

    @Test func `an event that is missing, doubled, moved or renumbered is named`() {
        var missing = Self.chain
        missing.remove(at: 2)
        #expect(LedgerChain.verify(missing) == 3)
        var doubled = Self.chain
        doubled.insert(Self.chain[2], at: 3)
        #expect(LedgerChain.verify(doubled) == 4)
        var moved = Self.chain
        moved.swapAt(4, 5)
        #expect(LedgerChain.verify(moved) == 5)
        var renumbered = Self.chain
        let last = Self.chain[7]
        renumbered[7] = LedgerEvent(sequence: 9, draft: last.draft, previousHash: last.previousHash, hash: last.hash)
        #expect(LedgerChain.verify(renumbered) == 8)
        #expect(LedgerChain.verify(Self.chain.dropFirst()) == 1)
    }

    @Test func `what is absent and what is empty are two things, and so are two fields that read alike together`() {
        var empty = Sample.pair(1)[0]
        empty.providerReference = ""
        var absent = empty
        absent.providerReference = nil
        #expect(bytes(empty) != bytes(absent))
        var left = empty
        left.verifier = VerifierID("ab")
        left.client = ClientID("c")
        var right = empty
        right.verifier = VerifierID("a")
        right.client = ClientID("bc")
        #expect(bytes(left) != bytes(right))
    }

    private func bytes(_ draft: LedgerDraft) -> [UInt8] {
        LedgerChain.canonicalBytes(draft, sequence: 1, previousHash: LedgerChain.genesis)
    }
}
