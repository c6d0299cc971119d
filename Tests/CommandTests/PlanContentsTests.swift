import Foundation
import JSONTree
import Testing
import VerificationCore
import WalletKit

@testable import sekisho

/// `sekisho plan` looks into the files and secrets that a configuration names: a reload swaps what is in them although the
/// configuration's own text stays the same.
@Suite struct PlanContentsTests {
    private static let main = "[{ verifier: \"main\" }]"
    private static let nothing = "inside the files and secrets that it names: nothing changed\n"

    private func desk(
        _ more: String = "", edit: (Desk) throws -> Void = { _ in }
    ) async throws -> (desk: Desk, path: String) {
        let desk = try Desk()
        try FileManager.default.createDirectory(
            at: desk.folder.appendingPathComponent("trust"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: desk.path("root.der"), toPath: desk.path("trust/root.der"))
        try edit(desk)
        let path = try desk.configuration(
            "c.json5", verifiers: [Self.trusting(desk), try desk.certified("alpha")], routes: Self.main, more: more)
        try await desk.run(path, open: ["main": 1, "alpha": 1])
        #expect(await desk.plan(path).output.contains(Self.nothing))
        return (desk, path)
    }

    private static func trusting(_ desk: Desk) -> String {
        desk.verifier("main").replacingOccurrences(of: desk.path("root.der"), with: desk.path("trust"))
    }

    private func edit(_ path: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try #require(text.contains(old))
        try text.replacingOccurrences(of: old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `a manifest that changed is told by its members, and a comment in it is no change`() async throws {
        let (desk, path) = try await desk()
        try edit(desk.path("alpha.json5"), "// A verdict of either kind.", "// Whatever.")
        #expect(await desk.plan(path).output.contains(Self.nothing))
        try edit(desk.path("alpha.json5"), "timeout: \"5s\"", "timeout: \"6s\"")
        try edit(desk.path("alpha.json5"), "idempotency: { header: \"X-Irai-Id\"", "idempotency: { header: \"X-Id\"")
        let outcome = await desk.plan(path)
        #expect(outcome.status == 0, "\(outcome.complaints)")
        #expect(
            outcome.output.contains("  manifest of alpha: idempotency.header changed, steps.erase changed, "),
            "\(outcome.output)")
        #expect(outcome.output.contains("steps.submit changed"))
        let json = try JSONNode.parse(Array(await desk.plan(path, "--format", "json").output.utf8), syntax: .json)
        let change = try #require(json["contents"]?.elements?.first)
        #expect(change["owner"]?.string == "verifiers.alpha" && change["kind"]?.string == "manifest")
        #expect(change["changed"]?.elements?.contains { $0.string == "steps.submit" } == true)
    }

    @Test func `a manifest that reads the nonce otherwise is not safe while sessions are open`() async throws {
        let (desk, path) = try await desk()
        try edit(desk.path("alpha.json5"), "form: \"hex\"", "form: \"base64url\"")
        let outcome = await desk.plan(path)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("manifest of alpha: nonce.form changed"))
        #expect(outcome.output.contains("1 open session of alpha would fail (nonce_changed)"), "\(outcome.output)")
    }

    @Test func `a manifest that can no longer give what is required leaves nobody, and is not safe`() async throws {
        let desk = try Desk()
        let path = try desk.configuration(
            "c.json5", verifiers: [try desk.certified("alpha")], routes: "[{ verifier: \"alpha\" }]")
        try await desk.run(path)
        try edit(desk.path("alpha.json5"), "          name: \"/komoku/shimei\",\n", "")
        let outcome = await desk.plan(path)
        #expect(outcome.status == 1, "\(outcome.output)\(outcome.complaints)")
        #expect(outcome.output.contains("app: alpha 100% → nobody"))
    }

    @Test func `trust anchors that come and go are told with their files`() async throws {
        let (desk, path) = try await desk()
        let other = try Issuer(at: Desk.moment)
        try Data(other.root).write(to: desk.folder.appendingPathComponent("trust/next.der"))
        let added = await desk.plan(path)
        #expect(added.status == 0, "\(added.complaints)")
        #expect(
            added.output.contains("  trust anchors of main: 1 added (\(desk.path("trust/next.der")))\n"),
            "\(added.output)")
        try FileManager.default.removeItem(atPath: desk.path("trust/root.der"))
        let both = await desk.plan(path).output
        #expect(both.contains("1 added (\(desk.path("trust/next.der"))), 1 removed (\(desk.path("trust/root.der")))"))
        // The same anchor under another name is no change.
        let (moved, same) = try await self.desk()
        try FileManager.default.moveItem(atPath: moved.path("trust/root.der"), toPath: moved.path("trust/2026.der"))
        #expect(await moved.plan(same).output.contains(Self.nothing))
    }

    @Test func `a key that is another one in the same file is told, and not safe while sessions hold to the old one`()
        async throws
    {
        let (desk, path) = try await desk()
        try desk.write("first.key", try Merchant().key.pem)
        let outcome = await desk.plan(path)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("  wallet keys of main: 1 added ("), "\(outcome.output)")
        #expect(outcome.output.contains("1 open session of main would fail (wallet_changed)"))
        // The same key at another place is the same key.
        let (moved, _) = try await self.desk()
        try FileManager.default.moveItem(atPath: moved.path("first.key"), toPath: moved.path("moved.key"))
        let new = try moved.configuration(
            "new.json5",
            verifiers: [
                Self.trusting(moved).replacingOccurrences(of: moved.path("first.key"), with: moved.path("moved.key")),
                try moved.certified("alpha"),
            ], routes: Self.main)
        let same = await moved.plan(new)
        #expect(same.status == 0 && same.output.contains(Self.nothing), "\(same.output)\(same.complaints)")
    }

    @Test func `secrets that were rotated are told, and nothing of them is shown or kept`() async throws {
        let secret = "whsec_" + ByteText.base64([UInt8](repeating: 7, count: 32))
        let (desk, path) = try await desk { try $0.write("hook", secret) }
        let hooked = try desk.configuration(
            "hooked.json5", verifiers: [Self.trusting(desk), try desk.certified("alpha")], routes: Self.main)
        try edit(
            hooked, "role: \"app\",",
            "role: \"app\", webhook: { url: \"https://app.example/hook\", secrets: [{ file: \"\(desk.path("hook"))\" }] },"
        )
        try await desk.run(hooked)
        #expect(await desk.plan(hooked).output.contains(Self.nothing))
        try desk.write("alpha.key", "another-key-altogether-for-2027")
        try desk.write("hook", "whsec_" + ByteText.base64([UInt8](repeating: 8, count: 32)))
        let outcome = await desk.plan(hooked)
        #expect(outcome.status == 0, "\(outcome.complaints)")
        #expect(outcome.output.contains("  credentials of alpha: api_key is another one\n"), "\(outcome.output)")
        #expect(
            outcome.output.contains(
                "  webhook's secrets of app: 1 added (webhook.secrets), 1 removed (webhook.secrets)\n"))
        let json = await desk.plan(hooked, "--format=json").output
        let kept = try Data(contentsOf: URL(fileURLWithPath: desk.path("sekisho.sqlite3")))
        for word in ["another-key", "the-key-of-alpha", "whsec_", path + "\u{0}"] {
            #expect(!outcome.output.contains(word) && !json.contains(word))
            #expect(kept.range(of: Data(word.utf8)) == nil, "\(word)")
        }
    }

    @Test func `a price book that changed is told by its members`() async throws {
        let desk = try Desk()
        func book(_ unit: String) throws {
            try desk.write(
                "prices.json5",
                """
                { name: "b", time_zone: "Asia/Tokyo", verifiers: { alpha: { currency: "JPY", tariffs: [
                  { from: "2020-01-01", prices: { completed_any: { unit: "\(unit)" } },
                    tax: { rate: "0.10", rounding: "down" } }] } } }
                """)
        }
        try book("150")
        let path = try desk.configuration(
            "c.json5", verifiers: [desk.verifier("main"), try desk.certified("alpha")], routes: Self.main,
            more: "prices: \"\(desk.path("prices.json5"))\",")
        try await desk.run(path)
        #expect(await desk.plan(path).output.contains(Self.nothing))
        try book("149.5")
        let outcome = await desk.plan(path)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("  price book: verifiers.alpha changed\n"), "\(outcome.output)")
    }

    @Test func `what nobody kept is not guessed at`() async throws {
        let (desk, path) = try await desk()
        let against = await desk.plan(path, "--against", path)
        #expect(
            against.output.contains("inside the files and secrets that it names: not known: nobody kept what runs\n"))
        let json = try JSONNode.parse(
            Array(await desk.plan(path, "--against", path, "--format=json").output.utf8), syntax: .json)
        #expect(json["contents"]?.kind.isNull == true)
    }

    @Test func `a sealing key that is another one under its name, or that seals now and is gone, is not safe`()
        async throws
    {
        let desk = try Desk()
        let path = try desk.configuration("c.json5", verifiers: [desk.verifier("main")], routes: Self.main)
        try await desk.run(path)
        let gone = await desk.plan(
            try desk.configuration(
                "new.json5", verifiers: [desk.verifier("main")], routes: Self.main, sealing: "sealing-next"))
        #expect(gone.status == 1)
        #expect(gone.output.contains("the sealing key sealing seals now and is gone"), "\(gone.output)")
        try FileManager.default.removeItem(atPath: desk.path("sealing"))
        try FileManager.default.copyItem(atPath: desk.path("sealing-next"), toPath: desk.path("sealing"))
        let other = await desk.plan(path)
        #expect(other.status == 1)
        #expect(
            other.output.contains("the sealing key sealing is not the one that the store was sealed with"),
            "\(other.output)")
    }
}

extension JSONNode.Kind {
    /// Whether it is `null`.
    var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}
