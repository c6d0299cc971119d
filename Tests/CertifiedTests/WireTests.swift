import Foundation
import HTTPClient
import Testing
import VerificationCore

@testable import Certified

/// What goes over the wire, how often, and what an error says of money.
@Suite struct WireTests {
    static let ok =
        #"{"verification": {"id": "v", "externalId": "ses_1", "result": "RESULT_OK"}, "certificateContent": {"commonName": "山田花子"}}"#

    private func error(
        _ shape: String = "pocketsign", _ replies: [Result<OutboundAnswer, OutboundFailure>], seconds: Int64 = 60,
        edit: (String) -> String = { $0 }
    ) async throws -> (error: VerificationError, stage: Stage) {
        let stage = try Stage(shape, replies, edit: edit)
        let challenge = try await stage.begun()
        let error = try await failure {
            try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt(seconds: seconds))
        }
        return (error, stage)
    }

    static let strangeBodies: [(String, [UInt8], String?)] = [
        ("HTML", Array("<html>502</html>".utf8), "text/html"),
        ("HTML that says it is JSON", Array("<html>".utf8), "application/json"),
        ("empty", [], "application/json"),
        ("JSON without a type", Array(ok.utf8), nil),
        ("JSON as text", Array(ok.utf8), "text/plain"),
        ("a byte order mark", [0xEF, 0xBB, 0xBF] + Array(ok.utf8), "application/json"),
        ("UTF-16", [0xFF, 0xFE] + ok.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, "application/json"),
        ("another charset by name", Array(ok.utf8), "application/json; charset=Shift_JIS"),
        (
            "Shift_JIS",
            Array(#"{"verification": {"result": ""#.utf8) + [0x93, 0xFA, 0x96, 0x7B] + Array(#""}}"#.utf8),
            "application/json"
        ),
        ("truncated", Array(ok.utf8.dropLast(3)), "application/json"),
        (
            "a name twice",
            Array(
                #"{"verification": {"id": "v", "externalId": "ses_1", "result": "RESULT_NG", "result": "RESULT_OK"}}"#
                    .utf8), "application/json"
        ),
        (
            "a name twice, escaped",
            Array(
                #"{"verification": {"id": "v", "externalId": "ses_1", "result": "RESULT_NG", "\u0072esult": "RESULT_OK"}}"#
                    .utf8), "application/json"
        ),
        ("another schema", Array(#"{"status": "ok"}"#.utf8), "application/json"),
        (
            "too deep", Array((String(repeating: "[", count: 40) + String(repeating: "]", count: 40)).utf8),
            "application/json"
        ),
        ("something after the end", Array((ok + "{}").utf8), "application/json"),
    ]

    @Test(arguments: strangeBodies)
    func `P17 a 200 that is not what the manifest describes is a protocol error, and may have billed`(
        name: String, body: [UInt8], type: String?
    ) async throws {
        let (error, stage) = try await error("pocketsign", [.raw(body, 200, type: type)])
        #expect(error.code == .providerProtocolError)
        #expect(error.mayHaveBilled)
        #expect(await stage.provider.seen.count == 1)
    }

    @Test(arguments: [(204, true), (500, true), (502, true), (301, false), (307, false), (404, false), (418, false)])
    func `P17 a status that is not named is a protocol error, never a verdict`(status: Int, bills: Bool) async throws {
        for type in ["text/html", "application/json"] {
            let (error, stage) = try await error("pocketsign", [.raw(Array("{}".utf8), status, type: type)])
            #expect(error.code == .providerProtocolError)
            #expect(error.mayHaveBilled == bills)
            #expect(await stage.provider.seen.count == 1)
        }
    }

    @Test func `P17 a busy provider may say so in HTML`() async throws {
        let busy = Result<OutboundAnswer, OutboundFailure>.success(
            OutboundAnswer(
                status: 429, headers: OutboundHeaders([("Content-Type", "text/html"), ("Retry-After", "17")]),
                body: Sensitive(Array("<html>".utf8))))
        let (error, _) = try await error("pocketsign", [busy])
        #expect(error.code == .providerUnavailable)
        #expect(error.retryAfter == .seconds(17))
        #expect(!error.mayHaveBilled)
    }

    @Test(arguments: [
        (OutboundFailure.Code.connectFailed, VerificationError.Code.providerUnavailable),
        (.dnsFailed, .providerUnavailable), (.tlsFailed, .providerUnavailable), (.timedOut, .providerTimeout),
        (.timedOutBeforeSending, .providerUnavailable), (.connectionLost, .providerUnavailable),
        (.answerTooLarge, .providerProtocolError), (.badAnswer, .providerProtocolError), (.cancelled, .cancelled),
        (.tooManyRequests, .providerUnavailable), (.requestRefused, .internal),
    ])
    func `a failure on the wire may have billed exactly where the request left, and is not repeated`(
        code: OutboundFailure.Code, expected: VerificationError.Code
    ) async throws {
        for sent in [true, false] {
            let (error, stage) = try await error("pocketsign", [.lost(code, sent: sent)])
            #expect(error.code == expected)
            #expect(error.mayHaveBilled == sent)
            #expect(await stage.provider.seen.count == 1)
        }
    }

    @Test func `a step that never bills says so, also when the request left`() async throws {
        let stage = try Stage(
            "veriff",
            [
                .json(#"{"status": "success", "verification": {"id": "v1", "vendorData": "ses_1"}}"#, 201), .lost(),
            ])
        let challenge = try await stage.begun(try Stage.request(documentType: Stage.licence))
        let error = try await failure {
            try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        }
        #expect(!error.mayHaveBilled)
        // The evidence is handed over once all the same.
        #expect(await stage.provider.seen[1].connection == .fresh)
        // Opening the session there does bill.
        let other = try Stage("veriff", [.lost()])
        #expect(
            try await failure { try await other.begun(try Stage.request(documentType: Stage.licence)) }.mayHaveBilled)
    }

    @Test func `P10 a repeat carries the same key and the same body, and no other key exists`() async throws {
        let stage = try Stage(
            "persona",
            [
                .lost(.connectionLost), .json("{}", 429, [("Retry-After", "1")]),
                .json(
                    #"{"data": {"id": "ver_1", "attributes": {"reference-id": "ses_1", "status": "submitted"}}}"#, 201),
            ])
        let challenge = try await stage.begun()
        let conclusion = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        #expect(conclusion.pending != nil)
        let seen = await stage.provider.seen
        #expect(seen.count == 3)
        #expect(Set(seen.map { $0.header("Idempotency-Key") ?? "" }) == ["att_1-submit"])
        #expect(Set(seen.map(\.body)).count == 1)
        #expect(stage.pacing.pauses == [.milliseconds(100), .seconds(1)])
    }

    @Test func `P18 there is one owner of retries: requests are as many as the manifest allows, and counted`()
        async throws
    {
        let (error, stage) = try await error(
            "persona", Array(repeating: .json("{}", 429), count: 20))
        #expect(error.code == .providerUnavailable)
        #expect(!error.mayHaveBilled)
        #expect(await stage.provider.seen.count == 3)
        #expect(stage.verifier.wireRequests == [.submit: 3])
        // A provider that always answers 500 is asked once: nothing names that.
        let (always, second) = try await self.error("persona", Array(repeating: .json("{}", 500), count: 20))
        #expect(always.code == .providerProtocolError && always.mayHaveBilled)
        #expect(second.verifier.wireRequests == [.submit: 1])
    }

    @Test func `P18 a stored 5xx that the provider gives again is not asked for again`() async throws {
        let edit: (String) -> String = {
            $0.replacingOccurrences(
                of: "{ status: 429, then: \"try_again\" },", with: "{ status: [429, 500], then: \"try_again\" },")
        }
        let (error, stage) = try await error("persona", Array(repeating: .json("{}", 500), count: 20), edit: edit)
        #expect(error.code == .providerUnavailable)
        #expect(await stage.provider.seen.count == 1)
    }

    @Test func `once a request that may bill has left, every error says so, whatever came after`() async throws {
        let (error, stage) = try await error("persona", [.lost(), .json("{}", 429), .json("{}", 429)])
        #expect(error.code == .providerUnavailable)
        #expect(error.mayHaveBilled)
        #expect(await stage.provider.seen.count == 3)
        // A refusal that comes to the repeat says nothing of the first one.
        let (refused, _) = try await self.error("persona", [.lost(), .json("{}", 409)])
        #expect(refused.code == .providerProtocolError && refused.mayHaveBilled)
        let (clean, _) = try await self.error("persona", [.lost(.connectFailed, sent: false), .json("{}", 409)])
        #expect(!clean.mayHaveBilled)
    }

    @Test(arguments: [307, 409, 429])
    func `P01 what the library sent twice is uncertain, whatever the second was answered`(status: Int) async throws {
        for (sends, mayHaveBilled) in [(2, true), (1, false)] {
            let answer = OutboundAnswer(
                status: status, headers: OutboundHeaders([("Retry-After", "3600")]), body: Sensitive([]), sends: sends)
            let (error, stage) = try await error("persona", [.success(answer)])
            #expect(error.mayHaveBilled == mayHaveBilled, "\(status), sent \(sends) times")
            #expect(stage.verifier.wireRequests == [.submit: sends])
        }
    }

    @Test func `a pause that is asked for is kept, and one that is too long ends the call`() async throws {
        let date = "Mon, 21 Sep 2026 14:13:22 GMT"
        let stage = try Stage(
            "stripe",
            [
                .json("{}", 503, [("Retry-After", date)]), .json("{}", 429, [("Retry-After", "6")]),
            ])
        let error = try await failure { try await stage.begun() }
        #expect(error.code == .providerUnavailable)
        #expect(error.retryAfter == .seconds(6))
        #expect(stage.pacing.pauses == [.seconds(2)])
        #expect(await stage.provider.seen.count == 2)
    }

    @Test func `the deadline of the caller bounds every request and every pause`() async throws {
        let (error, stage) = try await error(
            "persona", [.json("{}", 429, [("Retry-After", "5")]), .json("{}", 429)], seconds: 3)
        #expect(error.retryAfter == .seconds(5))
        #expect(stage.pacing.pauses == [])
        let limits = try #require(await stage.provider.seen.first?.limits)
        #expect(limits.totalTimeout == .seconds(3))
        #expect(limits.connectTimeout <= .seconds(3))
        let late = try Stage("persona", [])
        let challenge = try await late.begun()
        let attempt = AttemptContext(
            attempt: AttemptID("a"), idempotencyKey: "k", now: Stage.now, deadline: Stage.now.advanced(by: .seconds(-1))
        )
        #expect(
            try await failure { try await late.verifier.conclude(Stage.evidence, for: challenge, in: attempt) }.code
                == .cancelled)
        #expect(await late.provider.seen.isEmpty)
    }

    @Test func `an answer about another verification is a protocol error, not a verdict`() async throws {
        let replies = [
            #"{"verification": {"id": "v", "externalId": "ses_2", "result": "RESULT_OK"}, "certificateContent": {"commonName": "x"}}"#,
            #"{"verification": {"id": "v", "result": "RESULT_OK"}, "certificateContent": {"commonName": "x"}}"#,
            #"{"verification": {"externalId": "ses_1", "result": "RESULT_OK"}, "certificateContent": {"commonName": "x"}}"#,
            #"{"verification": {"id": ["v"], "externalId": "ses_1", "result": "RESULT_OK"}, "certificateContent": {"commonName": "x"}}"#,
            #"{"verification": {"id": "", "externalId": "ses_1", "result": "RESULT_OK"}, "certificateContent": {"commonName": "x"}}"#,
        ]
        for reply in replies {
            let (error, _) = try await error("pocketsign", [.json(reply)])
            #expect(error.code == .providerProtocolError && error.mayHaveBilled)
        }
    }

    @Test func `P16 two sessions at once keep their own references`() async throws {
        func submitted(_ id: String, _ session: String) -> Result<OutboundAnswer, OutboundFailure> {
            .json(
                #"{"data": {"id": "\#(id)", "attributes": {"reference-id": "\#(session)", "status": "submitted"}}}"#,
                201)
        }
        func passed(_ id: String) -> Result<OutboundAnswer, OutboundFailure> {
            .json(
                #"{"data": {"id": "\#(id)", "attributes": {"status": "passed", "fields": [{"key": "name-full", "value": "\#(id)"}]}}}"#
            )
        }
        let stage = try Stage(
            "persona", [submitted("A", "ses_1"), submitted("B", "ses_2"), passed("A"), passed("B"), passed("B")])
        let first = try await stage.begun()
        let other = VerificationRequest(
            session: SessionID("ses_2"), purpose: Stage.purpose(), documentType: Stage.card,
            nonce: try #require(Nonce(Array(50..<82))))
        let second = try await stage.begun(other)
        let a = Stage.later(
            first, try await stage.verifier.conclude(Stage.evidence, for: first, in: Stage.attempt()).facts)
        let b = Stage.later(
            second, try await stage.verifier.conclude(Stage.evidence, for: second, in: Stage.attempt()).facts)
        #expect(try await stage.verifier.poll(a, in: Stage.attempt("poll:1")).claims?["name"] == .text("A"))
        #expect(try await stage.verifier.poll(b, in: Stage.attempt("poll:1")).claims?["name"] == .text("B"))
        // The late answer for B is not taken for A.
        #expect(
            try await failure { try await stage.verifier.poll(a, in: Stage.attempt("poll:2")) }.code
                == .providerProtocolError)
    }

    @Test func `P11 a refused token costs one repeat and no try, and a second refusal ends the call`() async throws {
        let authenticator = RefusedOnce()
        let stage = try Stage("pocketsign", [.json("{}", 401), .json(Self.ok)], authenticator: authenticator)
        let challenge = try await stage.begun()
        let conclusion = try await stage.verifier.conclude(Stage.evidence, for: challenge, in: Stage.attempt())
        #expect(conclusion.isVerified)
        #expect(await stage.provider.seen.map { $0.header("Authorization") } == ["token-1", "token-2"])
        let again = try Stage(
            "pocketsign", [.json("{}", 401), .json("{}", 401), .json(Self.ok)], authenticator: RefusedOnce())
        let error = try await failure {
            try await again.verifier.conclude(Stage.evidence, for: again.begun(), in: Stage.attempt())
        }
        #expect(error.code == .providerProtocolError && !error.mayHaveBilled)
        #expect(await again.provider.seen.count == 2)
    }

    @Test func `a challenge of another verifier or manifest is unusable, and nothing is sent`() async throws {
        let stage = try Stage("pocketsign", [])
        let challenge = try await stage.begun()
        for state in [
            "", "{}", #"{"version":2,"nonce_form":"base64url","kept":{}}"#,
            #"{"version":1,"nonce_form":"hex","kept":{}}"#,
        ] {
            let other = Challenge(
                request: challenge.request, nonce: challenge.nonce, walletIdentity: challenge.walletIdentity,
                state: Sensitive(Array(state.utf8)))
            #expect(
                try await failure { try await stage.verifier.conclude(Stage.evidence, for: other, in: Stage.attempt()) }
                    .code == .challengeUnusable)
        }
        #expect(await stage.provider.seen.isEmpty)
    }

    @Test(arguments: [
        ("2026-09-21T18:00:00+09:00", true), ("2025-10-01T00:00:00Z", true), ("2025-01-01T00:00:00Z", false),
        ("1970-01-21T17:13:20Z", false), ("9999-12-31T23:59:59Z", false),
    ])
    func `a time to bill by that is years away is a protocol error, and may have billed`(
        time: String, isRead: Bool
    ) async throws {
        let answer = Self.ok.replacing(#""RESULT_OK"}"#, with: #""RESULT_OK", "createTime": "\#(time)"}"#)
        guard isRead else {
            let (error, _) = try await error("pocketsign", [.json(answer)])
            #expect(error.code == .providerProtocolError && error.mayHaveBilled)
            #expect(error.place == "/verification/createTime")
            return
        }
        let stage = try Stage("pocketsign", [.json(answer)])
        let conclusion = try await stage.verifier.conclude(Stage.evidence, for: stage.begun(), in: Stage.attempt())
        #expect(conclusion.facts.eventTime == RFC3339.timestamp(time))
    }

    @Test func `a session whose memory was erased is asked about by its reference, and never submitted`() async throws {
        let answer = #"{"verification": {"id": "v-1", "externalId": "ses_1", "result": "RESULT_NG"}}"#
        let stage = try Stage("pocketsign", [.json(answer)])
        let begun = try await stage.begun()
        let forgotten = Challenge(
            request: begun.request, nonce: begun.nonce, walletIdentity: begun.walletIdentity, state: Sensitive([]),
            providerReference: "v-1")
        guard case .conclusion(let conclusion) = try await stage.verifier.fetch(forgotten, in: Stage.attempt("fetch:1"))
        else {
            Issue.record("it was there")
            return
        }
        #expect(conclusion.isRejected)
        #expect(
            try await failure { try await stage.verifier.conclude(Stage.evidence, for: forgotten, in: Stage.attempt()) }
                .code == .challengeUnusable)
        #expect(await stage.provider.seen.count == 1)
    }

    @Test func `what is not offered is not asked for`() async throws {
        let stage = try Stage("pocketsign", [])
        #expect(
            try await failure { try await stage.begun(try Stage.request(documentType: Stage.licence)) }.code
                == .requestUnsupported)
        let purpose = Stage.purpose(documents: [Stage.licence])
        #expect(try await failure { try await stage.begun(try Stage.request(purpose)) }.code == .requestUnsupported)
    }

    @Test func `nothing of the person and no secret stands in an error`() async throws {
        let canary = "CANARY-山田"
        let (error, _) = try await error(
            "pocketsign",
            [.json(#"{"verification": {"id": "\#(canary)", "externalId": "\#(canary)", "result": "\#(canary)"}}"#)])
        #expect(!"\(error)".contains("CANARY"))
        #expect(!String(reflecting: error).contains("CANARY"))
    }
}

/// An authenticator whose first token is out of date.
actor RefusedOnce: RequestAuthenticator {
    private var number = 1

    func authorize(_ request: inout DraftRequest, at now: Timestamp) async throws(VerificationError) {
        request.set("Authorization", Sensitive("token-\(number)"))
    }

    func refused(_ request: DraftRequest, at now: Timestamp) async -> Bool {
        number += 1
        return true
    }
}
