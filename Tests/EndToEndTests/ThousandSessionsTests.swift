import Foundation
import TestSupport
import Testing

/// A thousand sessions over the wire, and what must never come of them.
@Suite(.serialized) struct ThousandSessionsTests {
    /// How long after its deadline a session may be told that it is over: a round of housekeeping each second, and a
    /// gateway that was just started may find it late.
    private static let grace = 10

    @Test func `P01 P18 a thousand sessions at misbehaving providers: no double charge, no false verified, none stuck`()
        async throws
    {
        let storm = try await Storm()
        let scene = storm.scene
        let gateway = scene.gateway
        let begun = ContinuousClock.now
        let ends = try await storm.pass()
        print("THOUSAND submitted after \(ContinuousClock.now - begun)")
        #expect(ends.count == Storm.sessions)

        let isOver = try await eventually(within: Storm.deadline + Self.grace) {
            try gateway.sql("SELECT count(*) FROM session WHERE status = 'processing'") == "0"
        }
        #expect(isOver, "stuck in processing: \(scene.log)")
        let longest = try gateway.sql(
            "SELECT coalesce(max(ended_at - processing_deadline), 0) FROM session WHERE ended_at IS NOT NULL")
        #expect((Int(longest) ?? .max) < Self.grace * 1000, "ended \(longest) ms after its deadline")
        try await scene.sandbox.control("DELETE", "faults")
        print("THOUSAND over after \(ContinuousClock.now - begun), longest \(longest) ms after a deadline")

        try await judge(ends, in: scene)
        try await scene.quiet()
        try await count(in: scene)
        try await scene.end()
        #expect(try gateway.run("sekisho", ["ledger", "verify", "var/demo/sekisho.sqlite3"]).status == 0)
    }

    /// Whom the gateway calls verified, by every way to ask.
    private func judge(_ ends: [Storm.End], in scene: ProviderScene) async throws {
        let gateway = scene.gateway
        let forged = Set(ends.filter(\.isForged).map(\.id))
        var counts: [String: Int] = [:]
        for end in ends {
            let read = try await gateway.call("GET", "/v1/sessions/\(end.id)")
            let status = read.sessionStatus ?? read.text
            counts["\(end.purpose) \(status)", default: 0] += 1
            #expect(!(end.isForged && status == "verified"), "a forged card was verified: \(end)")
            let claims = (read.json["result"] as? [String: Any])?["claims"] as? [String: Any]
            #expect((claims != nil) == (status == "verified"), "\(end) \(status)")
            #expect(!read.text.contains("123456789018"), "\(end) has a マイナンバー")
            // What the app was told in the answer is what stands there: nothing turns over.
            if ["verified", "rejected", "failed"].contains(end.answer) { #expect(end.answer == status, "\(end)") }
        }
        print("THOUSAND \(counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))")
        // Nor does anybody say so where no app looks: not a fallback, not a shadow.
        let verified = try gateway.sql("SELECT DISTINCT session FROM ledger WHERE outcome = 'verified'")
        let told = Set(verified.split(separator: "\n").map(String.init))
        #expect(told.isDisjoint(with: forged), "\(told.intersection(forged))")
        for purpose in Storm.purposes {
            #expect((counts["\(purpose) verified"] ?? 0) > Storm.sessions / 10, "\(counts)")
            #expect((counts["\(purpose) rejected"] ?? 0) > 5, "\(counts)")
        }
    }

    /// The providers' books beside ours, call by call and session by session.
    private func count(in scene: ProviderScene) async throws {
        let gateway = scene.gateway
        let books = try await BookComparison(gateway, scene.sandbox)
        #expect(books.problems.isEmpty, "\(books.problems.prefix(10))")
        #expect(books.charged > Storm.sessions / 2 && books.uncertain < Storm.sessions / 4)
        print("THOUSAND charges \(books.charges), told \(books.charged), uncertain \(books.uncertain)")
        let roles = try gateway.sql(
            """
            SELECT role || ' ' || count(DISTINCT attempt) FROM ledger WHERE call = 'submit'
            GROUP BY role ORDER BY role
            """)
        print("THOUSAND attempts: \(roles.split(separator: "\n").joined(separator: ", "))")
        for role in ["fallback", "primary", "shadow"] { #expect(roles.contains(role), "\(roles)") }

        // Whatever it took, a session's evidence was paid for once, and once more where it has a shadow.
        let rows = try gateway.sql(
            """
            SELECT DISTINCT attempt || ' ' || session || ' ' || CASE role WHEN 'shadow' THEN 'shadow' ELSE 'own' END
            FROM ledger
            """)
        var sessions: [String: String] = [:]
        for row in rows.split(separator: "\n") {
            let cells = row.split(separator: " ", maxSplits: 1).map(String.init)
            sessions[cells[0]] = cells[1]
        }
        var paid: [String: Int] = [:]
        for charge in try await scene.sandbox.charges() where charge["class"] as? String != "session" {
            let attempt = try #require(charge["client_reference"] as? String)
            let session = try #require(sessions[attempt], "\(attempt) is nobody's")
            paid[session, default: 0] += 1
        }
        let twice = paid.filter { $0.value > 1 }
        #expect(twice.isEmpty, "charged twice: \(twice.prefix(10))")
        #expect(paid.count > Storm.sessions / 2)
    }
}
