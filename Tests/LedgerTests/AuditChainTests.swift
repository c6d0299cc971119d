import Ledger
import Testing
import VerificationCore

@Suite struct AuditChainTests {
    private static let draft: AuditDraft = {
        var draft = AuditDraft(
            .checksRead, by: "operations", at: Timestamp(milliseconds: 1_750_000_000_123), configurationVersion: "v1")
        draft.session = SessionID("ses_1")
        draft.client = ClientID("app")
        draft.count = 3
        return draft
    }()

    private static let chain: [AuditEvent] = {
        var chain: [AuditEvent] = []
        for _ in 1...5 { chain.append(AuditChain.append(draft, after: chain.last)) }
        return chain
    }()

    @Test func `the layout is the one that is written down, byte by byte`() {
        // Written by hand from RFC 8949 and the table of the encoding.
        var expected: [UInt8] = [0x8D, 0x6F] + Array("sekisho-audit-1".utf8) + [0x01, 0x58, 0x20]
        expected += [UInt8](repeating: 0, count: 32) + [0x6B] + Array("checks_read".utf8)
        expected += [0x6A] + Array("operations".utf8) + [0x1B, 0x00, 0x00, 0x01, 0x97, 0x74, 0x20, 0xDC, 0x7B]
        expected += [0x65] + Array("ses_1".utf8) + [0x63] + Array("app".utf8) + [0xF6, 0xF6, 0xF6]
        expected += [0x62] + Array("v1".utf8) + [0x03]
        let bytes = AuditEvent.canonicalBytes(
            Self.draft, sequence: 1, previousHash: [UInt8](repeating: 0, count: 32))
        #expect(bytes == expected)
    }

    @Test func `a chain holds, whole and in pieces`() {
        #expect(AuditChain.verify([]) == nil)
        #expect(AuditChain.verify(Self.chain) == nil)
        for cut in 1..<5 {
            #expect(AuditChain.verify(Self.chain[cut...], after: Self.chain[cut - 1]) == nil)
            #expect(AuditChain.verify(Self.chain[cut...]) == 1)
        }
    }

    @Test func `a change of any field of any event is named by the event's number`() {
        let changes: [(inout AuditDraft) -> Void] = [
            { $0.action = .circuitSet }, { $0.actor = "x" }, { $0.at = Timestamp(milliseconds: 0) },
            { $0.session = nil }, { $0.client = ClientID("x") }, { $0.subject = "x" }, { $0.outcome = "" },
            { $0.reason = "x" }, { $0.configurationVersion = "v2" }, { $0.count = nil },
        ]
        for change in changes {
            for place in Self.chain.indices {
                var changed = Self.chain
                var draft = changed[place].draft
                change(&draft)
                changed[place] = AuditEvent(
                    sequence: changed[place].sequence, draft: draft, previousHash: changed[place].previousHash,
                    hash: changed[place].hash)
                #expect(AuditChain.verify(changed) == Int64(place + 1))
            }
        }
    }

    @Test func `an event that is taken out, or put in, breaks the chain at its place`() {
        for place in 0..<4 {
            var shorter = Self.chain
            shorter.remove(at: place)
            #expect(AuditChain.verify(shorter) == Int64(place + 1))
            var longer = Self.chain
            longer.insert(Self.chain[place], at: place)
            #expect(AuditChain.verify(longer) == Int64(place + 2))
        }
    }
}
