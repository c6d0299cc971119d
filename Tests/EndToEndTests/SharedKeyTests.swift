import Foundation
import TestSupport
import Testing

/// In-house and a provider with the same key: either can judge what was made for the other.
@Suite(.serialized) struct SharedKeyTests {
    private static let operatorKey = "demo-operator-key"

    /// A scene whose configuration names the shared key, with the given routes.
    private func scene(_ provider: String, _ routes: String) async throws -> ProviderScene {
        try await ProviderScene(provider) { gateway in
            let hash = try Phone(beside: gateway).sharedKeyHash
            try gateway.edit(
                #"key_holder: "provider","#, #"key_holder: "relying_party", key_sha256: ["\#(hash)"],"#)
            try gateway.edit(#"routes: [{ verifier: "\#(provider)" }]"#, "routes: [\(routes)]")
        }
    }

    private func events(_ scene: ProviderScene, of id: String) throws -> [String] {
        try scene.gateway.sql(
            """
            SELECT role || ' ' || verifier || ' ' || kind || ' ' || billable_class || ' ' || coalesce(outcome, '-')
            FROM ledger WHERE session = '\(id)' ORDER BY sequence
            """
        ).split(separator: "\n").map(String.init)
    }

    /// Agreement by subject, as an operator reads it.
    private func agreement(_ scene: ProviderScene, of pair: (String, String)) async throws -> [String: [String: Int]] {
        let answer = try #require(await scene.gateway.attempt("GET", "/v1/shadow", key: Self.operatorKey))
        let pairs = try #require(answer.json["pairs"] as? [[String: Any]], "\(answer.text)")
        let found = pairs.first { $0["primary"] as? String == pair.0 && $0["shadow"] as? String == pair.1 }
        var counts: [String: [String: Int]] = [:]
        for subject in found?["subjects"] as? [[String: Any]] ?? [] {
            let name = try #require(subject["subject"] as? String)
            for outcome in ["agree", "differ", "failed"] {
                counts[name, default: [:]][outcome] = subject[outcome] as? Int
            }
        }
        return counts
    }

    @Test(arguments: [("in-house", "alpha"), ("alpha", "in-house")])
    func `a shadow agrees on every verdict and claim, nobody waits for it, and it is told and billed apart`(
        primary: String, shadow: String
    ) async throws {
        let scene = try await scene(
            primary, #"{ verifier: "\#(primary)", shadow: { verifier: "\#(shadow)", percent: 100 } }"#)
        // A shadow that is slow holds up no answer: the first comes before the shadow could have said anything.
        let slow = 4500
        if shadow == "alpha" {
            try await scene.sandbox.order("alpha", "submit", #""fault":"slow","milliseconds":\#(slow)"#)
        }
        let phone = try Phone(beside: scene.gateway)
        var ids: [String] = []
        for fault in [nil, nil, "value_changed", nil, "nonce_other"] {
            let session = try await scene.gateway.call("POST", "/v1/sessions", body: #"{"purpose":"account-opening"}"#)
            let body = try phone.answer(session.json, fault: fault)
            let begun = ContinuousClock.now
            let answer = try await scene.gateway.call("POST", "/v1/sessions/\(session.id)/submission", body: body)
            #expect(answer.sessionStatus == (fault == nil ? "verified" : "rejected"), "\(answer.text) \(scene.log)")
            if shadow == "alpha", ids.isEmpty { #expect(ContinuousClock.now - begun < .milliseconds(slow)) }
            let verifier = (answer.json["result"] as? [String: Any])?["verifier"] as? [String: Any]
            #expect(verifier?["id"] as? String == primary)
            ids.append(answer.id)
        }
        var counts: [String: [String: Int]] = [:]
        _ = try await eventually(within: 60) {
            counts = try await agreement(scene, of: (primary, shadow))
            return counts["verdict"]?.values.reduce(0, +) == ids.count
        }
        #expect(counts["verdict"] == ["agree": 5, "differ": 0, "failed": 0], "\(counts)")
        let claims = counts.filter { $0.key.hasPrefix("claim:") }
        #expect(claims.count == 5, "\(counts)")
        for (claim, count) in claims { #expect(count == ["agree": 3, "differ": 0, "failed": 0], "\(claim)") }
        for id in ids {
            let shadows = try events(scene, of: id).filter { $0.hasPrefix("shadow \(shadow) ") }
            #expect(shadows.count == 2, "\(shadows)")
            #expect(try events(scene, of: id).count == 4)
        }
        for provider in ["alpha", "gamma"] {
            let isAsked = provider == primary || provider == shadow
            #expect(try await scene.sandbox.charges(provider).count == (isAsked ? ids.count : 0))
        }
        let books = try await BookComparison(scene.gateway, scene.sandbox)
        #expect(books.problems.isEmpty, "\(books.problems)")
        // Nothing of what was compared is kept.
        #expect(try scene.gateway.sql("SELECT count(*) FROM session WHERE status = 'processing'") == "0")
        try await scene.end()
    }

    @Test
    func `after an error that billed nothing the fallback answers in the same shape, and is named as who verified`()
        async throws
    {
        let scene = try await scene("alpha", #"{ verifier: "alpha", fallback: ["in-house"] }"#)
        try await scene.sandbox.order("alpha", "submit", #""fault":"unavailable""#)
        let fallen = try await scene.submit()
        #expect(fallen.status == 200 && fallen.sessionStatus == "verified", "\(fallen.text.prefix(900)) \(scene.log)")
        let verifier = (fallen.json["result"] as? [String: Any])?["verifier"] as? [String: Any]
        #expect(
            verifier?["id"] as? String == "in-house" && verifier?["kind"] as? String == "in_house", "\(verifier ?? [:])"
        )
        #expect((fallen.json["verifier"] as? [String: Any])?["id"] as? String == "alpha", "it stays pinned")
        #expect(
            try events(scene, of: fallen.id) == [
                "primary alpha started completed_any -", "primary alpha ended non_billable failed",
                "fallback in-house started completed_pass -", "fallback in-house ended completed_pass verified",
            ])
        #expect(try await scene.sandbox.charges("alpha").isEmpty)
        let read = try await scene.gateway.call("GET", "/v1/sessions/\(fallen.id)")
        #expect(read.json["result"] as? NSDictionary == fallen.json["result"] as? NSDictionary)

        // The provider is well again: its own answer has the same members.
        let own = try await scene.submit()
        #expect(own.sessionStatus == "verified")
        // But for what a document says of itself, which not everybody tells.
        func shape(_ answer: RunningGateway.Answer) -> Set<String> {
            ProviderScene.shape(answer.json).filter { !$0.hasPrefix("result.document") }
        }
        #expect(shape(own) == shape(fallen))
        #expect(try scene.claims(own) == scene.claims(fallen))

        // A rejection is a verdict: nobody else is asked.
        let forged = try await scene.submit(["--fault", "value_changed"])
        #expect(forged.sessionStatus == "rejected")
        #expect(try events(scene, of: forged.id).allSatisfy { $0.hasPrefix("primary alpha ") })

        // An answer that was lost may have been billed: nobody else is asked, and the provider says what became of it.
        try await scene.sandbox.order("alpha", "submit", #""fault":"html_error","charged":true"#)
        let lost = try await scene.submit()
        #expect(lost.status == 202 && lost.sessionStatus == "processing", "\(lost.text)")
        let found = try await scene.wait(lost.id)
        #expect(found.sessionStatus == "verified")
        #expect(
            try events(scene, of: lost.id) == [
                "primary alpha started completed_any -", "primary alpha uncertain completed_any -",
                "primary alpha resolved completed_any verified",
            ])
        #expect(try await scene.sandbox.charges("alpha").count == 3)
        let books = try await BookComparison(scene.gateway, scene.sandbox)
        #expect(books.problems.isEmpty, "\(books.problems)")
        try await scene.end()
    }
}
