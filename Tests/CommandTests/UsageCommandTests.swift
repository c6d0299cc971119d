import Foundation
import SQLiteStore
import Testing
import VerificationCore

@testable import sekisho

/// `sekisho usage`, on a database that no gateway has open.
@Suite struct UsageCommandTests {
    private static let book = """
        {name: "first", verifiers: {main: {currency: "JPY", tariffs: [
          {from: "2026-01-01", prices: {completed_any: {unit: "0.5"}}, not_billed: ["completed_fail"], tax: {rate: "0.10", rounding: "down"}}]}}}
        """

    private func desk(_ calls: Int = 3) async throws -> (Desk, String) {
        let desk = try Desk()
        let routes = "[{ verifier: \"main\" }], prices: \"\(desk.path("prices.json5"))\""
        try desk.write("prices.json5", Self.book)
        let path = try desk.configuration("now.json5", verifiers: [desk.verifier("main")], routes: routes)
        try await desk.run(path)
        let store = try SQLiteStore(path: desk.path("sekisho.sqlite3"))
        for number in 0..<calls {
            var draft = LedgerDraft(
                kind: .started, attempt: AttemptID("att_\(number)"), role: .primary,
                session: SessionID("ses_\(number)"), verifier: VerifierID("main"), client: ClientID("app"),
                purpose: PurposeID("kyc"), at: Desk.now.advanced(by: .seconds(-86_400)), billableClass: .completedAny,
                configurationVersion: "v")
            draft.call = CallName(.submit)
            var ended = draft
            ended.kind = .ended
            ended.outcome = .verified
            try await store.append([draft, ended])
        }
        await store.close()
        return (desk, path)
    }

    private func usage(_ arguments: String...) async -> CommandOutcome {
        await UsageCommand.execute(arguments, at: Desk.now)
    }

    @Test func `a month is reported in every form, without a secret of the configuration`() async throws {
        let (desk, path) = try await desk()
        try FileManager.default.removeItem(atPath: desk.path("sealing"))
        let table = await usage("report", "--month", "2026-11", path)
        #expect(table.status == 0 && table.output.contains("usage of 2026-11, price book first"), "\(table)")
        let csv = await usage("report", "--month", "2026-11", "--format", "csv", "--by", "client", path)
        #expect(csv.output.contains("usage,app,2026-11,primary,3,3,0,0,0,3,0,JPY,1.5,"), "\(csv.output)")
        #expect(csv.output.contains("invoice,main,2026-11,,,,,,,,,JPY,1,0,1,"))
        let json = await usage("report", "--month", "2026-10", "--format", "json", path)
        #expect(json.output.hasPrefix("{\"state\":\"open\"") && json.output.contains("\"rows\":[]"))
    }

    @Test func `another book prices the same calls, and says what it could not judge`() async throws {
        let (desk, path) = try await desk()
        try desk.write("other.json5", Self.book.replacing("0.5", with: "7").replacing("first", with: "second"))
        let what = await usage("report", "--month", "2026-11", "--what-if", desk.path("other.json5"), path)
        #expect(what.output.contains("price book second") && what.output.contains("21"), "\(what)")
        #expect(what.output.contains("not judged: 0 without a price in that book, 0 open or uncertain"))
        try desk.write("empty.json5", "{name: \"empty\", verifiers: {}}")
        let none = await usage("report", "--month", "2026-11", "--what-if", desk.path("empty.json5"), path)
        #expect(none.output.contains("not judged: 3 without a price in that book"), "\(none)")
    }

    @Test func `other routes move what can be judged, and say what cannot`() async throws {
        let (desk, path) = try await desk()
        let verifiers = [desk.verifier("main"), desk.verifier("next", key: "second.key")]
        let moved = try desk.configuration("moved.json5", verifiers: verifiers, routes: "[{ verifier: \"next\" }]")
        let all = await usage("report", "--month", "2026-11", "--what-if-routes", moved, path)
        #expect(all.status == 0 && all.output.contains("moved: 3 of 3 attempts"), "\(all)")
        let kept = try desk.configuration("kept.json5", verifiers: verifiers, routes: "[{ verifier: \"main\" }]")
        let none = await usage("report", "--month", "2026-11", "--what-if-routes", kept, path)
        #expect(none.output.contains("moved: 0 of 3 attempts") && none.output.contains("not judged: 0 attempts"))
    }

    @Test func `the calls are told, and a call that cannot be understood or answered has its status`() async throws {
        let (desk, path) = try await desk()
        #expect(await usage("attempts", "--month", "2026-11", path).status == 0)
        #expect(await usage("report", path).status == 64)
        #expect(await usage("report", "--month", "2026-13", path).status == 64)
        #expect(await usage("report", "--month", "2026-11", "--by", "person", path).status == 64)
        #expect(await usage("report", "--month", "2026-11", desk.path("none.json5")).status == 2)
        #expect(
            await usage("reconcile", "--verifier", "main", "--month", "2026-11", "--invoice", path, path).status == 2)
        #expect(await usage("close", "--month", "2026-11").status == 64)
        try desk.write("key", "secret")
        let close = await usage(
            "close", "--month", "2026-11", "--gateway", "http://127.0.0.1:1", "--key-file", desk.path("key"))
        #expect(close.status == 2 && !close.complaints.contains("secret"))
        #expect(await usage("nothing").status == 64)
    }

    @Test func `check refuses a book with a gap, an overlap or a verifier that nobody configured`() async throws {
        let (desk, path) = try await desk()
        func check() -> String {
            do {
                _ = try OpenedConfiguration.forCommand(path: path, at: Desk.now)
                return "good"
            } catch {
                return "\(error)"
            }
        }
        #expect(check() == "good")
        try desk.write("prices.json5", Self.book.replacing("main", with: "mian"))
        #expect(check().contains("did you mean \"main\"?"))
        try desk.write("prices.json5", Self.book.replacing("main: {", with: "gone: {retired: true, "))
        #expect(check() == "good")
        let second = "{from: \"2027-02-01\", prices: {}, tax: {rate: \"0\", rounding: \"down\"}}]"
        let first = Self.book.replacing("{from: \"2026-01-01\",", with: "{from: \"2026-01-01\", until: \"2027-01-01\",")
        try desk.write("prices.json5", first.replacing("}}]", with: "}}, " + second))
        #expect(check().contains("leaves a gap"), "\(check())")
        try desk.write(
            "prices.json5", first.replacing("}}]", with: "}}, " + second.replacing("2027-02-01", with: "2026-12-01")))
        #expect(check().contains("overlaps"))
        try FileManager.default.removeItem(atPath: desk.path("prices.json5"))
        #expect(check().contains("cannot be read"))
    }
}
