import Foundation
import HTTPServer
import Testing
import VerificationCore

@testable import Gateway

/// Who gets in, for how long, and what nobody gets.
@Suite struct ConsoleAccessTests {
    @Test func `a key opens a session that its cookie alone carries, and no page without one`() async throws {
        let desk = ConsoleDesk(try Rig())
        for path in ["/console", "/console/overview", "/console/sessions", "/console/sessions/ses_x"] {
            let reply = try await desk.get(path)
            #expect(reply.status == 303 && reply.headers["Location"] == "/console/sign-in", "\(path)")
        }
        let reply = try await desk.signIn(Rig.operatorKey)
        #expect(reply.status == 303 && reply.headers["Location"] == "/console?begun=yes")
        #expect(try await desk.get("/console?begun=yes").headers["Location"] == "/console/overview")
        // A browser that did not keep the cookie is told so, and not led round in a circle.
        let lost = try await ConsoleDesk(desk.rig).get("/console?begun=yes")
        #expect(lost.status == 403 && lost.text.contains("did not keep the session&#39;s cookie"))
        let cookie = try #require(reply.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("__Host-sekisho-console="))
        for flag in ["; Secure", "; HttpOnly", "; SameSite=Strict", "; Path=/"] { #expect(cookie.contains(flag)) }
        #expect(!cookie.contains("Domain") && !cookie.contains("Max-Age") && !cookie.contains("Expires"))
        #expect(!reply.text.contains(Rig.operatorKey) && !cookie.contains(Rig.operatorKey))
        let start = try await desk.get("/console")
        #expect(start.headers["Location"] == "/console/overview")
        #expect(try await desk.get("/console/overview").status == 200)
        #expect(!desk.rig.lines.text.contains(desk.cookies["__Host-sekisho-console"] ?? "none"))
        #expect(desk.rig.lines.text.contains("somebody signed in to the console"))
    }

    @Test func `an app's key opens nothing, and is told what a wrong key is told`() async throws {
        let desk = ConsoleDesk(try Rig())
        let wrong = try await desk.signIn("not-a-key")
        let app = try await desk.signIn(Rig.appKey)
        #expect(wrong.status == 403 && app.status == 403)
        #expect(wrong.text == app.text && desk.cookies.isEmpty)
        #expect(desk.rig.gateway.console.sessions.count == 0)
        #expect(try await desk.get("/console/overview").status == 303)
        // Nor does any key as a Bearer token: the console knows its cookie alone.
        for key in [Rig.appKey, Rig.operatorKey, Rig.financeKey] {
            let reply = try await desk.get("/console/overview", headers: [("Authorization", "Bearer " + key)])
            #expect(reply.status == 303)
        }
        // And the cookie opens nothing beside the console.
        _ = try await desk.signIn(Rig.operatorKey)
        #expect(try await desk.get("/v1/sessions").status == 401)
    }

    @Test func `a page of another role is refused`() async throws {
        let desk = ConsoleDesk(try Rig())
        _ = try await desk.signIn(Rig.operatorKey)
        let finance = ConsoleDesk(desk.rig)
        _ = try await finance.signIn(Rig.financeKey)
        let auditor = ConsoleDesk(desk.rig)
        _ = try await auditor.signIn(Rig.auditorKey)
        for path in ["/console/overview", "/console/sessions", "/console/sessions/ses_x"] {
            for other in [finance, auditor] {
                let reply = try await other.get(path)
                #expect(reply.status == 403 && !reply.text.contains("in-house"), "\(path)")
            }
        }
        #expect(try await finance.post("/console/sessions", [("status", "verified")]).status == 403)
    }

    @Test func `a session ends by sign-out, by idleness, by age, and with its key`() async throws {
        let rig = try Rig()
        let desk = ConsoleDesk(rig)
        func isIn() async throws -> Bool { try await desk.get("/console/overview").status == 200 }
        _ = try await desk.signIn(Rig.operatorKey)
        let old = desk.cookies
        let page = try await desk.get("/console/overview")
        #expect(try await desk.post("/console/sign-out", []).status == 403)
        #expect(try await isIn())
        let out = try await desk.post("/console/sign-out", [("csrf", try desk.token(page))])
        #expect(out.status == 303 && desk.cookies["__Host-sekisho-console"] == nil)
        desk.cookies = old
        #expect(try await !isIn())
        // Just short of the idle time, again and again, until the absolute end.
        _ = try await desk.signIn(Rig.operatorKey)
        var passed = Duration.zero
        while passed + .seconds(29 * 60) < ConsoleSessions.longest {
            rig.clock.advance(by: .seconds(29 * 60))
            passed += .seconds(29 * 60)
            #expect(try await isIn())
        }
        rig.clock.advance(by: .seconds(29 * 60))
        #expect(try await !isIn())
        _ = try await desk.signIn(Rig.operatorKey)
        rig.clock.advance(by: ConsoleSessions.idle)
        #expect(try await !isIn())
        // The key is taken back: its session goes with it.
        _ = try await desk.signIn(Rig.operatorKey)
        #expect(try await isIn())
        var settings = rig.running.settings
        settings.clients.removeAll { $0.id == ClientID("operator") }
        rig.gateway.sessions.swap(
            to: Running(
                settings: settings, keys: rig.keys, verifiers: Array(rig.running.verifiers.values),
                mayServe: { _, _, _, _ in true }))
        #expect(try await !isIn())
    }

    @Test func `signing in again gives another token, and the one before is worth nothing`() async throws {
        let desk = ConsoleDesk(try Rig())
        _ = try await desk.signIn(Rig.operatorKey)
        let before = desk.cookies
        _ = try await desk.signIn(Rig.operatorKey)
        #expect(desk.cookies != before && desk.rig.gateway.console.sessions.count == 1)
        desk.cookies = before
        #expect(try await desk.get("/console/overview").status == 303)
        // Two cookies of one name: one of them was planted.
        let twice = HTTPHeaders([("Cookie", "__Host-sekisho-console=a; __Host-sekisho-console=b")])
        #expect(ConsoleCookies.value(ConsoleCookies.session, in: twice) == nil)
    }

    @Test func `sessions are bounded, and the idlest makes room`() async throws {
        let sessions = ConsoleSessions()
        let client = try Rig().running.settings.clients[3]
        var tokens: [String] = []
        for second in 0..<ConsoleSessions.mostOfClient + 1 {
            tokens.append(
                sessions.begin(client, keyHash: client.keyHashes.first ?? [], at: .seconds(second)))
        }
        #expect(sessions.count == ConsoleSessions.mostOfClient && Set(tokens).count == tokens.count)
        let now = Duration.seconds(100)
        #expect(sessions.session(tokens[0], among: [client], at: now) == nil)
        #expect(sessions.session(tokens[1], among: [client], at: now) != nil)
        #expect(tokens.allSatisfy { ByteText.bytes(base64: $0)?.count == 32 })
    }

    @Test func `wrong keys of an address are bounded, and a right one is held up by nobody's mistakes`() async throws {
        let desk = ConsoleDesk(try Rig())
        for _ in 0..<SignInAttempts.mostFailures { #expect(try await desk.signIn("guess").status == 403) }
        let lines = desk.rig.lines.text.count
        for key in ["guess", Rig.appKey] {
            let refused = try await desk.signIn(key)
            #expect(refused.status == 429 && refused.headers["Retry-After"] != nil && desk.cookies.isEmpty)
        }
        // Past the bound a guesser fills the log with nothing but the lines of requests.
        #expect(!desk.rig.lines.text.dropFirst(lines).contains("a sign-in to the console was refused"))
        // Behind a proxy all come from one address.
        #expect(try await desk.signIn(Rig.operatorKey).status == 303)
        desk.address = "192.0.2.7"
        #expect(try await desk.signIn("guess").status == 403)
        desk.address = "127.0.0.1"
        #expect(try await desk.signIn("guess").status == 429)
        desk.rig.clock.advance(by: SignInAttempts.window)
        #expect(try await desk.signIn("guess").status == 403)
        let attempts = SignInAttempts()
        for number in 0..<SignInAttempts.mostAddresses * 2 { attempts.failed("a\(number)", at: .seconds(number)) }
        #expect(attempts.wait("a1", at: .seconds(5000)) == nil)
    }

    @Test func `a form without the session's own token, or from elsewhere, changes nothing`() async throws {
        let desk = ConsoleDesk(try Rig())
        let stranger = ConsoleDesk(desk.rig)
        // Nobody is signed in by another site's form.
        for headers in [[("Sec-Fetch-Site", "cross-site")], [("Origin", "https://evil.example")], [("Origin", "null")]]
        {
            let reply = try await stranger.send(
                "POST", "/console/sign-in", body: Array("key=\(Rig.operatorKey)".utf8),
                headers: [("Content-Type", "application/x-www-form-urlencoded")] + headers)
            #expect(reply.status == 403 && stranger.cookies.isEmpty, "\(headers)")
        }
        _ = try await desk.signIn(Rig.operatorKey)
        _ = try await stranger.signIn(Rig.operatorKey)
        let own = try desk.token(try await desk.get("/console/sessions"))
        let others = try stranger.token(try await stranger.get("/console/sessions"))
        #expect(own != others)
        for fields in [[], [("csrf", others)], [("csrf", "")], [("csrf", own), ("csrf", own)]] {
            #expect(try await desk.post("/console/sessions", fields).status == 403, "\(fields)")
            #expect(try await desk.post("/console/sign-out", fields).status == 403, "\(fields)")
        }
        #expect(try await desk.post("/console/sessions", [("csrf", own)]).status == 200)
        let crossed = try await desk.send(
            "POST", "/console/sessions", body: Array("csrf=\(own)".utf8),
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "cross-site")])
        #expect(crossed.status == 403)
        // What is no form is none, and a long one is not read.
        let json = try await desk.send(
            "POST", "/console/sessions", body: Array("{}".utf8), headers: [("Content-Type", "application/json")])
        #expect(json.status == 400)
        let long = try await desk.post(
            "/console/sessions", [("csrf", own), ("id", String(repeating: "x", count: FormFields.mostBytes))])
        #expect(long.status == 413)
    }
}
