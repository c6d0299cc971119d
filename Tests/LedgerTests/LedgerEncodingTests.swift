import Ledger
import Testing
import VerificationCore

/// The encoding never changes by accident: these hashes were computed by Tests/LedgerTests/Fixtures/recompute.py, which
/// shares nothing with this code but the layout's description.
@Suite struct LedgerEncodingTests {
    private static let hashes = [
        "e4ea994ce894e2d52e78c89bebeac8128063718ff966f8779ce77fcbee4f86e5",
        "6cf35b272d4e167a959c852504ecea9033def573a647fb08a2dd02df7bb9b54c",
        "8f3d789b635524355e3ffb5d8bb53cc8523b1025f902f0f336f8aec060f797ea",
    ]

    private static let first =
        "937073656b6973686f2d6c65646765722d31015820" + String(repeating: "00", count: 32)
        + "6773746172746564656174745f31677072696d617279657365735f3168696e2d686f757365636170"
        + "70676163636f756e74f61b000001977420dc7bf66e636f6d706c657465645f7061737301f6f6627631f6"

    private static var drafts: [LedgerDraft] {
        let started = LedgerDraft(
            kind: .started, attempt: AttemptID("att_1"), role: .primary, session: SessionID("ses_1"),
            verifier: VerifierID("in-house"), client: ClientID("app"), purpose: PurposeID("account"),
            at: Timestamp(milliseconds: 1_750_000_000_123), billableClass: .completedPass, configurationVersion: "v1")
        var ended = started
        ended.kind = .ended
        ended.providerReference = "final-1"
        ended.at = Timestamp(milliseconds: 1_750_000_000_723)
        ended.providerTime = Timestamp(milliseconds: 1_750_000_000_722)
        ended.outcome = .verified
        ended.certification = "第1号"
        ended.settles = 1
        var odd = LedgerDraft(
            kind: .adjusted, attempt: AttemptID("att_2"), role: .shadow, session: SessionID("ses_2"),
            verifier: VerifierID("検証"), client: ClientID("銀行 𠮷野"), purpose: PurposeID("口座\u{3000}開設"),
            at: Timestamp(milliseconds: -1), billableClass: .nonBillable, quantity: .min, outcome: .failed,
            configurationVersion: "v\u{301}")
        odd.providerReference = "r\"ef\u{0}"
        odd.providerTime = Timestamp(milliseconds: 0)
        odd.certification = ""
        odd.settles = .max
        return [started, ended, odd]
    }

    @Test func `the bytes of an event are the documented ones`() {
        let bytes = LedgerChain.canonicalBytes(Self.drafts[0], sequence: 1, previousHash: LedgerChain.genesis)
        #expect(ByteText.hex(bytes) == Self.first)
    }

    @Test func `the hashes of three events are those that Python computed`() {
        var last: LedgerEvent?
        for (draft, hash) in zip(Self.drafts, Self.hashes) {
            let event = LedgerChain.append(draft, after: last)
            #expect(ByteText.hex(event.hash) == hash)
            last = event
        }
    }
}
