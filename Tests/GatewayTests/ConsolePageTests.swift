import Billing
import Foundation
import HTTPServer
import Routing
import Testing
import VerificationCore

@testable import Gateway

/// What pages hold, and what none of them does.
@Suite struct ConsolePageTests {
    private static let hostile = #"<script>alert('x')</script>"&\#u{202E}"#

    @Test func `text cannot leave its place in a page`() {
        let text = HTML("<b>&\"'\u{0}\u{202E}").markup
        #expect(text == "&lt;b&gt;&amp;&quot;&#39;\u{FFFD}\u{FFFD}")
        let element = HTML(.a, [.text(.title, "\" onclick=\"x"), .href(ConsolePlace("sessions", ["a/../\"?b#c"]))]) {
            "</a><script>"
        }
        #expect(
            element.markup == #"<a title="&quot; onclick=&quot;x" href="/console/sessions/a%2F..%2F%22%3Fb%23c">"#
                + "&lt;/a&gt;&lt;script&gt;</a>")
    }

    @Test func `hostile names are text on every page`() async throws {
        let hostile = Self.hostile
        let now = ManualClock().now()
        let certification = Certification(
            regime: hostile, holder: hostile, program: hostile, version: hostile, number: hostile,
            validFrom: now, validUntil: now.advanced(by: .seconds(86_400)))
        let rig = try Rig(
            alarms: [VerifierHealth.Alarm(code: hostile, subject: hostile, daysLeft: 1)],
            certification: certification,
            change: { settings in
                settings.version = hostile
                settings.document = Array(#"{"x":"\#(hostile)"}"#.utf8)
            })
        let id = try await rig.create().id
        _ = try await rig.submit(id)
        let desk = ConsoleDesk(rig)
        _ = try await desk.signIn(Rig.operatorKey)
        for path in ["/console/overview", "/console/sessions", "/console/sessions/\(id)"] {
            let page = try await desk.get(path).text
            #expect(!page.contains("<script>") && !page.contains("alert('x')") && !page.contains("\u{202E}"), "\(path)")
        }
        #expect(try await desk.get("/console/overview").text.contains("&lt;script&gt;alert(&#39;x&#39;)"))
        // What a request holds is not shown either, wherever it stands.
        let token = try desk.token(try await desk.get("/console/sessions"))
        for path in [
            "/console/%3Cscript%3E", "/console/sessions/%3Cscript%3E", "/console/sessions?status=%3Cscript%3E",
        ] {
            #expect(try await !desk.get(path).text.contains("script&gt;"), "\(path)")
        }
        let search = try await desk.post(
            "/console/sessions", [("csrf", token), ("reference", hostile), ("id", hostile)])
        #expect(!search.text.contains("alert"))
    }

    @Test func `every answer under the console has the policy, and no page needs what it forbids`() async throws {
        let rig = try Rig(act: { _ in .rejected(.digests, .digestMismatch) })
        let id = try await rig.create().id
        _ = try await rig.submit(id)
        let desk = ConsoleDesk(rig)
        var replies: [(String, Reply)] = []
        func look(_ paths: [String]) async throws {
            for path in paths { replies.append((path, try await desk.get(path))) }
        }
        try await look(["/console", "/console/sign-in", "/console/nowhere", "/console/a/b/c"])
        _ = try await desk.signIn(Rig.operatorKey)
        try await look([
            "/console/overview", "/console/sessions", "/console/sessions/\(id)", "/console/usage",
            "/console/sessions/x",
            "/console/style.css", "/console/console.js", "/console/icon.svg", "/console/sign-out",
        ])
        _ = try await desk.signIn(Rig.auditorKey)
        try await look(["/console/audit", "/console/audit/events.json"])
        replies.append(("wrong key", try await desk.signIn("x")))
        for (path, reply) in replies {
            let policy = try #require(reply.headers["Content-Security-Policy"], "\(path)")
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(policy.contains("form-action 'self'") && !policy.contains("unsafe"))
            #expect(
                reply.headers["X-Content-Type-Options"] == "nosniff" && reply.headers["Cache-Control"] == "no-store")
            #expect(reply.headers["Referrer-Policy"] == "same-origin", "\(path)")
            guard reply.headers["Content-Type"]?.hasPrefix("text/html") == true else { continue }
            for inline in [" style=", "<style", " onclick=", " onload=", "javascript:", "http://", "https://"] {
                #expect(!reply.text.contains(inline), "\(path): \(inline)")
            }
            #expect(reply.text.contains("<script defer src=\"/console/console.js\"></script>"), "\(path)")
            #expect(reply.text.contains("<html lang=\"en\">") && reply.text.contains("class=\"skip\""), "\(path)")
        }
        #expect(try await desk.get("/console/sign-out").status == 405)
        #expect(try await desk.get("/console/sign-out").headers["Allow"] == "POST")
    }

    @Test func `every phrase and every code has words in both languages`() {
        func isJapanese(_ text: String) -> Bool {
            text.unicodeScalars.contains {
                (0x3041...0x30FF).contains($0.value) || (0x4E00...0x9FFF).contains($0.value)
            }
        }
        let sameInBoth: Set<ConsolePhrase> = [.otherLanguage]
        for phrase in ConsolePhrase.allCases {
            let (english, japanese) = phrase.texts
            #expect(!english.isEmpty && !japanese.isEmpty, "\(phrase)")
            if sameInBoth.contains(phrase) { continue }
            #expect(!isJapanese(english) && isJapanese(japanese), "\(phrase)")
            for place in ["%1", "%2"] { #expect(english.contains(place) == japanese.contains(place), "\(phrase)") }
        }
        let codes: [any ConsoleNamed] =
            SessionStatus.allCases as [any ConsoleNamed] + Client.Role.allCases as [any ConsoleNamed]
            + CheckName.allCases as [any ConsoleNamed] + Reason.allCases as [any ConsoleNamed]
            + OutageReason.allCases as [any ConsoleNamed] + AttemptRole.allCases as [any ConsoleNamed]
            + AttemptOutcome.allCases as [any ConsoleNamed] + BillableClass.allCases as [any ConsoleNamed]
            + LedgerDraft.Kind.allCases as [any ConsoleNamed] + CircuitSnapshot.Name.allCases as [any ConsoleNamed]
            + AuditDraft.Action.allCases as [any ConsoleNamed] + AuditCode.allCases as [any ConsoleNamed]
            + AlarmCode.allCases as [any ConsoleNamed] + VerifierKind.allCases as [any ConsoleNamed]
            + VerificationStep.allCases as [any ConsoleNamed] + CancelSession.Outcome.allCases as [any ConsoleNamed]
            + CircuitFailure.allCases as [any ConsoleNamed]
            + InvoiceReader.Problem.Code.allCases as [any ConsoleNamed]
        for code in codes {
            #expect(!code.texts.english.isEmpty && isJapanese(code.texts.japanese), "\(code)")
        }
    }

    @Test func `a page speaks the language that was asked for, chosen, or preferred`() async throws {
        let desk = ConsoleDesk(try Rig())
        #expect(ConsoleLanguage.preferred("ja-JP,ja;q=0.9,en;q=0.8") == .japanese)
        #expect(ConsoleLanguage.preferred("fr, en;q=0.3, ja;q=0.5") == .japanese)
        #expect(ConsoleLanguage.preferred("ja;q=0, en") == .english)
        #expect(ConsoleLanguage.preferred("") == .english && ConsoleLanguage.preferred("*;q=x,,;") == .english)
        let japanese = try await desk.get("/console/sign-in", headers: [("Accept-Language", "ja")])
        #expect(japanese.text.contains("<html lang=\"ja\">") && japanese.text.contains("サインイン"))
        #expect(desk.cookies.isEmpty)
        #expect(try await desk.get("/console/sign-in?lang=ja").text.contains("サインイン"))
        #expect(desk.cookies.count == 1)
        #expect(try await desk.get("/console/sign-in").text.contains("サインイン"))
        #expect(try await desk.get("/console/sign-in?lang=en").text.contains("Sign in"))
        #expect(try await desk.get("/console/sign-in?lang=%3Cx%3E").text.contains("Sign in"))
    }

    @Test func `an operator finds a rejected session and sees why, and nothing of the person`() async throws {
        let rig = try Rig(act: { evidence in
            evidence.encryptedData.withValue { $0.first == 9 }
                ? .rejected(.digests, .digestMismatch) : .verified(Rig.claims)
        })
        let reference = "customer-canary-4711"
        let body = #"{"purpose":"account-opening","reference":"\#(reference)"}"#
        let rejected = try await rig.create(body: body).id
        let bytes = ByteText.base64([9, 9, 9])
        _ = try await rig.submit(rejected, blob: bytes)
        let verified = try await rig.create(body: #"{"purpose":"account-opening","reference":"another"}"#).id
        let told = try await rig.submit(verified)
        #expect(told.text.contains("番号"))
        let desk = ConsoleDesk(rig)
        _ = try await desk.signIn(Rig.operatorKey)
        let token = try desk.token(try await desk.get("/console/sessions"))
        let canaries = ["番号", "花子", "1971-09-01", reference, "ababab"]
        var pages: [String] = []
        for search in [[("status", "rejected")], [("reason", "digest_mismatch")], [("reference", reference)]] {
            let reply = try await desk.post("/console/sessions", [("csrf", token)] + search)
            #expect(reply.status == 200 && reply.text.contains(rejected) && !reply.text.contains(verified), "\(search)")
            pages.append(reply.text)
        }
        let byID = try await desk.post("/console/sessions", [("csrf", token), ("id", " \(rejected) ")])
        #expect(byID.headers["Location"] == "/console/sessions/\(rejected)")
        let page = try await desk.get("/console/sessions/\(rejected)")
        #expect(page.text.contains("digest_mismatch") && page.text.contains("An item is not the one"))
        let checks = try #require(page.text.range(of: "<ol class=\"checks\">"))
        let list = page.text[checks.upperBound...]
        let places = CheckName.inHouse.map { list.range(of: HTML($0.texts.english).markup)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil } && places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        for path in ["/console/sessions/\(verified)", "/console/overview", "/console/sessions"] {
            pages.append(try await desk.get(path).text)
        }
        pages.append(page.text)
        for page in pages { for canary in canaries { #expect(!page.contains(canary), "\(canary)") } }
        for canary in canaries { #expect(!rig.lines.text.contains(canary), "\(canary)") }
        #expect(try await desk.get("/console/sessions/ses_none").status == 404)
        #expect(try await desk.get("/console/sessions?status=nonsense").status == 422)
    }

    @Test func `the list goes on where a page ends`() async throws {
        let rig = try Rig()
        var ids: [String] = []
        for _ in 0..<SessionsPage.limit + 3 { ids.append(try await rig.create().id) }
        let desk = ConsoleDesk(rig)
        _ = try await desk.signIn(Rig.operatorKey)
        let first = try await desk.get("/console/sessions").text
        let mark = try #require(first.range(of: #"name="older" value=""#))
        let cursor = String(first[mark.upperBound...].prefix { $0 != "\"" })
        let second = try await desk.post(
            "/console/sessions", [("csrf", try desk.token(try await desk.get("/console/sessions"))), ("older", cursor)]
        ).text
        #expect(ids.allSatisfy { first.contains($0) != second.contains($0) })
        #expect(!second.contains(#"name="older""#))
    }

    @Test func `the overview shows the last hour, circuits, days left, keys, and a reload that was refused`()
        async throws
    {
        let now = ManualClock().now()
        let certification = Certification(
            regime: "bango-18-4", holder: "Sekisho Example KK", program: "Sekisho", version: "1", number: "R8-0001",
            validFrom: now, validUntil: now.advanced(by: .seconds(12 * 86_400 + 60)))
        let rig = try Rig(olderKeyByte: 8, certification: certification)
        for _ in 0..<3 { _ = try await rig.submit(try await rig.create().id) }
        let desk = ConsoleDesk(rig)
        _ = try await desk.signIn(Rig.operatorKey)
        let page = try await desk.get("/console/overview").text
        for part in ["12 days left", "R8-0001", "k2", "k1", "closed: calls pass", "verified 3", "not reloaded since"] {
            #expect(page.contains(part), "\(part)")
        }
        #expect(page.contains("<svg") && page.contains("role=\"img\"") && page.contains("<caption>"))
        #expect(page.contains("scope=\"col\"") && page.contains("scope=\"row\""))
        rig.source.refuse([ReloadProblem(path: "verifiers.x", line: 7, problem: "is <odd>")])
        _ = await rig.gateway.reload()
        let after = try await desk.get("/console/overview").text
        #expect(after.contains("is &lt;odd&gt;") && after.contains("verifiers.x") && after.contains("refused at"))
        // An hour later, what happened is out of the picture.
        rig.clock.advance(by: .seconds(29 * 60))
        _ = try await desk.get("/console/overview")
        rig.clock.advance(by: .seconds(29 * 60))
        _ = try await desk.get("/console/overview")
        rig.clock.advance(by: .seconds(3 * 60))
        #expect(try await desk.get("/console/overview").text.contains("No session ended in the last 60 minutes."))
    }
}
