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
        "7df36e39af1386fec549abfbab0867b4954f907d5a5423219860ba872be92d75",
        "5d1e5ac3d8f57455ce60921d119e73133e37e18d560476c34c569c7ba8971f8d",
        "633fbe7395dbd2a5ce1344960b39bb3bc87570712227af2c7821a60233b1c81b",
        "9f58f9487ee8b8cb9ff29cf7b7671e37505dbf1dfde2829aa7dcce2595d8ea5c",
        "b5d2cc9f57e814975467eec012ed58e609b5622d36bddbbd48a749f7c0a4a746",
        "1849ea8d1a780933ecda377ad9227f86bb907e1133d598e19283b2f6594a3564",
    ]

    private static let fourth =
        "981a7073656b6973686f2d6c65646765722d320458208f3d789b635524355e3ffb5d8bb53cc8523b1025f902f0f336f8aec0"
        + "60f797ea6773746172746564656174745f336866616c6c6261636b657365735f3365616c70686163617070676163636f756e"
        + "74f61b0000019ad7358400f67265766964656e63655f7375626d697474656401f667e7acac31e58fb7627632f6667375626d"
        + "6974f6f6f6f6f6f6"

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

    /// Events of the second layout, and one of the first among them.
    private static var later: [LedgerDraft] {
        func draft(
            _ kind: LedgerDraft.Kind, _ role: AttemptRole, _ number: Int, _ verifier: String, _ after: Int64,
            _ billable: BillableClass, _ quantity: Int64 = 1
        ) -> LedgerDraft {
            LedgerDraft(
                kind: kind, attempt: AttemptID("att_\(number)"), role: role, session: SessionID("ses_\(number)"),
                verifier: VerifierID(verifier), client: ClientID("app"), purpose: PurposeID("account"),
                at: Timestamp(milliseconds: 1_764_547_200_000 + after), billableClass: billable, quantity: quantity,
                configurationVersion: "v2")
        }
        var started = draft(.started, .fallback, 3, "alpha", 0, .evidenceSubmitted)
        started.certification = "第1号"
        started.call = CallName(.submit)
        var uncertain = started
        uncertain.kind = .uncertain
        uncertain.at = Timestamp(milliseconds: 1_764_547_200_001)
        uncertain.providerReference = "p-3"
        uncertain.settles = 4
        var adjusted = draft(.adjusted, .fallback, 3, "alpha", 2, .evidenceSubmitted, -1)
        adjusted.providerReference = "p-3"
        adjusted.providerTime = Timestamp(milliseconds: 1_764_547_199_999)
        adjusted.settles = 5
        adjusted.actor = "経理 ops"
        adjusted.note = "請求書\u{3000}の訂正\n"
        adjusted.month = "2026-11"
        adjusted.amount = .min
        adjusted.currency = "JPY"
        let plain = draft(.started, .primary, 4, "in-house", 3, .completedPass)
        var closed = LedgerDraft(
            kind: .closed, attempt: AttemptID(""), role: .primary, session: SessionID(""),
            verifier: VerifierID("alpha"), client: ClientID(""), purpose: PurposeID(""),
            at: Timestamp(milliseconds: 1_764_547_200_004), billableClass: .nonBillable, quantity: 0,
            configurationVersion: "v2")
        closed.actor = "ops"
        closed.note = ""
        closed.month = "2026-11"
        closed.amount = 0
        closed.currency = "JPY"
        // SHA-256 of `statement`.
        closed.statement = ByteText.bytes(hex: "b111c6e1d318f203063e5c16bab43c108326af0aa2f7b65760c95547a43dbe52")
        var resolved = draft(.resolved, .fallback, 3, "alpha", 5, .nonBillable)
        resolved.providerReference = "p-3"
        resolved.outcome = .rejected
        resolved.settles = 5
        resolved.call = CallName(rawValue: "")
        (resolved.actor, resolved.note, resolved.month, resolved.currency) = ("", "", "", "")
        resolved.amount = .max
        resolved.statement = []
        return [started, uncertain, adjusted, plain, closed, resolved]
    }

    @Test func `the bytes of an event are the documented ones`() {
        let bytes = LedgerChain.canonicalBytes(Self.drafts[0], sequence: 1, previousHash: LedgerChain.genesis)
        #expect(ByteText.hex(bytes) == Self.first)
    }

    @Test func `an event of the second layout has the documented bytes too`() throws {
        let previous = try #require(ByteText.bytes(hex: Self.hashes[2]))
        let bytes = LedgerChain.canonicalBytes(Self.later[0], sequence: 4, previousHash: previous)
        #expect(ByteText.hex(bytes) == Self.fourth)
    }

    @Test func `the hashes of a chain of both layouts are those that Python computed`() {
        var chain: [LedgerEvent] = []
        for draft in Self.drafts + Self.later { chain.append(LedgerChain.append(draft, after: chain.last)) }
        #expect(chain.map { ByteText.hex($0.hash) } == Self.hashes)
        #expect(LedgerChain.verify(chain) == nil)
    }
}
