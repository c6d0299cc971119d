import Billing
import Foundation
import HTTPServer
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// A Japanese page is Japanese from its head to its foot.
@Suite struct ConsoleJapaneseTests {
    /// Names that the rigs give: identifiers, names of formats and currencies, and what a browser's field shows.
    private static let names: Set<String> = [
        "operator", "finance", "auditor", "app", "in-house", "alpha", "gateway", "system", "account-opening",
        "Asia", "Tokyo", "JPY", "JSON", "CSV", "ses_", "Bearer", "default", "req_", "Sekisho", "Example", "KK",
        "invoice", "at", "JP", "ID", "https", "localhost",
    ]

    /// Every English sentence of the console, in the pieces between its values.
    private static let english: [String] = {
        let codes: [any ConsoleNamed] =
            SessionStatus.allCases as [any ConsoleNamed] + CheckName.allCases as [any ConsoleNamed]
            + Reason.allCases as [any ConsoleNamed] + OutageReason.allCases as [any ConsoleNamed]
            + AttemptRole.allCases as [any ConsoleNamed] + BillableClass.allCases as [any ConsoleNamed]
            + CircuitSnapshot.Name.allCases as [any ConsoleNamed] + AuditDraft.Action.allCases as [any ConsoleNamed]
            + AuditCode.allCases as [any ConsoleNamed] + Reconciliation.Class.allCases as [any ConsoleNamed]
            + AlarmCode.allCases as [any ConsoleNamed]
        let texts =
            ConsolePhrase.allCases.filter { $0 != .otherLanguage }.map(\.texts.english)
            + codes.map(\.texts.english)
        return texts.flatMap { $0.components(separatedBy: CharacterSet(charactersIn: "%")) }
            .map { $0.drop { $0.isNumber || $0.isWhitespace }.trimmingCharacters(in: .whitespaces) }
            .filter { $0.filter(\.isLetter).count > 3 }
    }()

    private static func look(_ reply: Reply, _ place: String) {
        #expect(reply.text.contains(#"<html lang="ja">"#), "\(place)")
        let pieces = VisibleText.of(reply.text, language: "ja")
        #expect(pieces.count > 8, "\(place) says nothing")
        for piece in pieces {
            for sentence in english where sentence.count > 8 || !names.contains(sentence) {
                guard let found = piece.range(of: sentence) else { continue }
                // Within a longer word of an identifier it is no sentence.
                let before = piece[..<found.lowerBound].last, after = piece[found.upperBound...].first
                let isWord = [before, after].allSatisfy {
                    !($0.map { $0.isASCII && ($0.isLetter || "_-".contains($0)) } ?? false)
                }
                #expect(!isWord || names.contains(sentence), "\(place): \(sentence) in \(piece)")
            }
            for word in VisibleText.latinWords(piece) {
                let isName = names.contains(word) || names.contains { $0.hasSuffix("_") && word.hasPrefix($0) }
                #expect(isName, "\(place): \(word) in \(piece)")
            }
        }
    }

    private static func desk(_ rig: Rig, _ key: String) async throws -> ConsoleDesk {
        let desk = ConsoleDesk(rig)
        _ = try await desk.get("/console/sign-in?lang=ja")
        #expect(try await desk.signIn(key).status == 303)
        return desk
    }

    @Test func `who cannot read English is refused in Japanese`() async throws {
        let rig = try Rig()
        let stranger = ConsoleDesk(rig)
        Self.look(try await stranger.get("/console/sign-in?lang=ja"), "sign-in")
        Self.look(try await stranger.get("/console?begun=yes"), "lost")
        for _ in 0...SignInAttempts.mostFailures { Self.look(try await stranger.signIn("x"), "wrong key") }
        let desk = try await Self.desk(rig, Rig.operatorKey)
        for path in ["usage", "audit", "nowhere", "sessions/ses_none", "sign-out"] {
            let reply = try await desk.get("/console/" + path)
            #expect(reply.status >= 400)
            Self.look(reply, path)
        }
        Self.look(try await desk.post("/console/sessions", [("csrf", "x")]), "form")
        Self.look(try await desk.get("/console/sessions?status=x"), "search")
    }

    @Test func `the operator's pages are Japanese, whatever state their things are in`() async throws {
        let now = ManualClock().now()
        let rig = try Rig(
            isSimulated: true,
            alarms: AlarmCode.allCases.enumerated().map {
                VerifierHealth.Alarm(code: $1.rawValue, subject: "JP", daysLeft: $0 - 1)
            },
            certification: Certification(
                regime: "bango", holder: "Sekisho Example KK", program: "Sekisho", version: "1", number: "1",
                validFrom: now, validUntil: now.advanced(by: .seconds(12 * 86_400 + 60))),
            act: { evidence in
                switch evidence.encryptedData.withValue({ $0.first }) {
                case 9: .rejected(.digests, .digestMismatch)
                case 8: .error(.providerTimeout)
                default: .verified(Rig.claims)
                }
            })
        var ids: [String] = []
        for blob in [[0], [9], [8]] as [[UInt8]] {
            let id = try await rig.create().id
            _ = try await rig.submit(id, blob: ByteText.base64(blob))
            ids.append(id)
        }
        for outcome in CancelSession.Outcome.allCases {
            let id = try await rig.create().id
            _ = try await rig.call(
                "POST", "/v1/sessions/\(id)/cancel", body: #"{"outcome":"\#(outcome.rawValue)"}"#)
            ids.append(id)
        }
        ids.append(try await rig.create().id)
        rig.source.refuse([ReloadProblem(path: "verifiers.x", line: 7, problem: "names no verifier")])
        _ = await rig.gateway.reload()
        let desk = try await Self.desk(rig, Rig.operatorKey)
        for path in ["overview", "sessions"] + ids.map({ "sessions/" + $0 }) {
            let reply = try await desk.get("/console/" + path)
            #expect(reply.status == 200, "\(path)")
            Self.look(reply, path)
        }
    }

    @Test func `finance's and the auditor's pages are Japanese`() async throws {
        let rig = try await UsageEndpointTests.rig(1..<13, open: [3])
        let desk = try await Self.desk(rig, Rig.financeKey)
        let page = try await desk.get("/console/usage")
        Self.look(page, "usage")
        Self.look(try await desk.get("/console/usage?month=2026-07"), "no calls")
        Self.look(try await desk.get("/console/usage?month=2026-09"), "running")
        let token = try desk.token(page)
        let load = ConsoleUsageTests.load
        let good = try await load(desk, UsageEndpointTests.invoice([1, 2, 4, 4, 14], fee: "151"), token, "alpha")
        let place = try #require(good.headers["Location"])
        Self.look(try await desk.get(place), "invoice")
        let bad = try await load(desk, "ref,own,at,kind,fee\r\nx,,99,check,1\r\n", token, "alpha")
        #expect(bad.status == 422)
        Self.look(bad, "no invoice")
        let order = [("csrf", token), ("month", "2026-08"), ("sure", "yes")]
        Self.look(try await desk.post("/console/usage/close", order), "unsettled")
        Self.look(
            try await desk.post("/console/usage/close", [("csrf", token), ("month", "2026-09"), ("sure", "yes")]),
            "not ended")
        #expect(try await desk.post("/console/usage/close", order + [("unsettled", "yes")]).status == 303)
        Self.look(try await desk.post("/console/usage/close", order), "closed twice")
        Self.look(try await desk.get("/console/usage"), "closed")
        let auditor = try await Self.desk(rig, Rig.auditorKey)
        Self.look(try await auditor.get("/console/audit"), "audit")
        Self.look(try await auditor.get("/console/audit?day=x"), "audit search")
        Self.look(try await auditor.get("/console/audit?actor=x"), "audit search")
    }
}
