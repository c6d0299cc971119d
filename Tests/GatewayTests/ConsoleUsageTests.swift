import Billing
import Foundation
import HTTPServer
import Testing
import VerificationCore

@testable import Gateway

/// Finance at the console: the month, its closing, and a provider's invoice.
@Suite struct ConsoleUsageTests {
    private static let boundary = "----sekisho7MA4YWxkTrZu0gW"

    private func desk(_ rig: Rig, _ key: String = Rig.financeKey) async throws -> ConsoleDesk {
        let desk = ConsoleDesk(rig)
        #expect(try await desk.signIn(key).status == 303)
        return desk
    }

    /// A form with a file, as a browser writes it.
    private static func body(_ fields: [(String, String)], file: String?) -> String {
        var text = ""
        for (name, value) in fields {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        if let file {
            text +=
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"i.csv\"\r\n"
                + "Content-Type: text/csv\r\n\r\n\(file)\r\n"
        }
        return text + "--\(boundary)--\r\n"
    }

    private func load(
        _ desk: ConsoleDesk, _ file: String?, token: String, verifier: String = "alpha"
    ) async throws -> Reply { try await Self.load(desk, file, token, verifier) }

    /// Loads an invoice of August's.
    static func load(
        _ desk: ConsoleDesk, _ file: String?, _ token: String, _ verifier: String
    ) async throws -> Reply {
        let fields = [("csrf", token), ("month", "2026-08"), ("verifier", verifier)]
        return try await desk.send(
            "POST", "/console/usage/invoices", body: Array(body(fields, file: file).utf8),
            headers: [
                ("Content-Type", "multipart/form-data; boundary=" + boundary), ("Sec-Fetch-Site", "same-origin"),
            ])
    }

    @Test func `the month on the page has the figures of the interface, and its files are the same`() async throws {
        let rig = try await UsageEndpointTests.rig(1..<13, open: [3])
        let desk = try await desk(rig)
        let page = try await desk.get("/console/usage")
        // September runs by the rig's clock, so last month is August.
        #expect(page.status == 200 && page.text.contains("Usage and cost, 2026-08"))
        // Eleven calls at 150.5: 1655.5, rounded down once, and a tenth of that as tax.
        for figure in ["data-value=\"1655\"", "data-value=\"165\"", "data-value=\"1820\"", "data-value=\"1655.5\""] {
            #expect(page.text.contains(figure), "\(figure)")
        }
        #expect(page.text.contains("1,820 JPY") && page.text.contains("may have billed; in no amount"))
        #expect(page.text.contains("<svg") && page.text.contains("2026-08-01: alpha"))
        let csv = try await desk.get("/console/usage/report?month=2026-08&by=verifier&format=csv")
        let told = try await rig.call("GET", "/v1/usage?month=2026-08&format=csv&bom=true", key: Rig.financeKey)
        #expect(
            csv.text == told.text && csv.headers["Content-Disposition"] == "attachment; filename=\"usage-2026-08.csv\"")
        #expect(csv.headers["Content-Security-Policy"] != nil)
        let json = try await desk.get("/console/usage/report?month=2026-08&by=verifier&format=json")
        let same = try await rig.call("GET", "/v1/usage?month=2026-08", key: Rig.financeKey)
        #expect(json.text == same.text)
        let empty = try await desk.get("/console/usage?month=2026-07")
        #expect(empty.text.contains("There were no calls in this month."))
        for query in ["month=2026-13", "month=%3Cx%3E"] {
            #expect(try await desk.get("/console/usage?" + query).status == 400, "\(query)")
        }
        for query in ["by=person&format=csv", "format=x", "by=verifier"] {
            #expect(try await desk.get("/console/usage/report?month=2026-08&" + query).status == 400, "\(query)")
        }
        #expect(try await desk.get("/console/usage/report?month=2026-08&format=statement").status == 404)
    }

    @Test func `months that were read beforehand are never older than the ledger, and only where somebody may look`()
        async throws
    {
        let rig = try await UsageEndpointTests.rig(1..<13)
        let desk = try await desk(rig)
        await Housekeeper(of: rig.gateway).keepMonths()
        #expect(rig.gateway.console.usage.count == 2)
        #expect(try await desk.get("/console/usage").text.contains("data-value=\"1806\""))
        // Twelve calls at 150.5, then one more, however the reading and the looking fall.
        try await rig.store.append([UsageEndpointTests.event(.started, 13), UsageEndpointTests.event(.ended, 13)])
        async let kept: Void = Housekeeper(of: rig.gateway).keepMonths()
        for _ in 0..<5 {
            #expect(try await desk.get("/console/usage").text.contains("data-value=\"1956.5\""))
        }
        await kept
        #expect(rig.gateway.console.usage.count == 2)
        let without = try Rig(change: { settings in settings.clients.removeAll { $0.role == .finance } })
        await Housekeeper(of: without.gateway).keepMonths()
        #expect(without.gateway.console.usage.count == 0)
    }

    @Test func `nobody but finance sees or changes any of it`() async throws {
        let rig = try await UsageEndpointTests.rig()
        let other = try await desk(rig, Rig.operatorKey)
        let token = try other.token(try await other.get("/console/sessions"))
        let before = try await rig.store.ledgerHead()
        let report = "/console/usage/report?month=2026-08&by=verifier&format=csv"
        for path in [
            "/console/usage", report, "/console/usage/invoices/x", "/console/usage/invoices/x/differences.csv",
        ] {
            let reply = try await other.get(path)
            #expect(reply.status == 403 && !reply.text.contains("alpha"), "\(path)")
        }
        let close = [("csrf", token), ("month", "2026-08"), ("sure", "yes")]
        #expect(try await other.post("/console/usage/close", close).status == 403)
        #expect(try await load(other, UsageEndpointTests.invoice(1..<4), token: token).status == 403)
        let finance = try await desk(rig)
        let own = try finance.token(try await finance.get("/console/usage"))
        for fields in [
            [("month", "2026-08"), ("sure", "yes")], [("csrf", token), ("month", "2026-08"), ("sure", "yes")],
        ] {
            #expect(try await finance.post("/console/usage/close", fields).status == 403)
        }
        #expect(try await load(finance, UsageEndpointTests.invoice(1..<4), token: token).status == 403)
        // Without saying that one is sure, nothing is closed.
        #expect(try await finance.post("/console/usage/close", [("csrf", own), ("month", "2026-08")]).status == 400)
        #expect(try await rig.store.ledgerHead() == before)
    }

    @Test func `a month is closed once, and a refusal says what hinders it`() async throws {
        let rig = try await UsageEndpointTests.rig(1..<4, open: [2])
        let desk = try await desk(rig)
        let token = try desk.token(try await desk.get("/console/usage"))
        let order = [("csrf", token), ("month", "2026-08"), ("sure", "yes"), ("note", "<b>agreed</b>")]
        let refused = try await desk.post("/console/usage/close", order)
        #expect(refused.status == 409 && refused.text.contains("calls are open or uncertain (1 listed)"))
        #expect(refused.text.contains("events.") && refused.text.contains("Close 2026-08"))
        let early = try await desk.post(
            "/console/usage/close", [("csrf", token), ("month", "2026-09"), ("sure", "yes")])
        #expect(early.status == 409 && early.text.contains("The month was not closed."))
        #expect(try await rig.store.closings().isEmpty)
        let closed = try await desk.post("/console/usage/close", order + [("unsettled", "yes")])
        #expect(closed.status == 303 && closed.headers["Location"] == "/console/usage?month=2026-08")
        let event = try #require(try await rig.store.closings().first)
        #expect(event.draft.actor == "finance" && event.draft.note == "<b>agreed</b>")
        let page = try await desk.get("/console/usage?month=2026-08").text
        #expect(page.contains("by finance") && page.contains("&lt;b&gt;agreed&lt;/b&gt;"))
        #expect(!page.contains("action=\"/console/usage/close\""))
        let statement = try await desk.get("/console/usage/report?month=2026-08&format=statement")
        #expect(try await rig.store.statement(of: "2026-08") == Array(statement.text.utf8))
        #expect(try await desk.post("/console/usage/close", order + [("unsettled", "yes")]).status == 409)
        #expect(try await rig.store.closings().count == 1)
    }

    @Test func `an invoice is compared, its differences walked, and what is agreed to written once`() async throws {
        let rig = try await UsageEndpointTests.rig(1..<6)
        let desk = try await desk(rig)
        let token = try desk.token(try await desk.get("/console/usage"))
        // 2 is missing, 7 is not ours, 4 stands twice.
        let file = UsageEndpointTests.invoice([1, 3, 4, 4, 5, 7])
        let before = try await rig.store.ledgerHead()
        let loaded = try await load(desk, file, token: token)
        let place = try #require(loaded.headers["Location"])
        #expect(loaded.status == 303 && place.hasPrefix("/console/usage/invoices/"))
        func audited(_ action: AuditDraft.Action) async throws -> [AuditDraft] {
            var filter = AuditFilter()
            filter.actions = [action]
            return try await rig.store.audit(filter, before: nil, limit: 99).map(\.draft)
        }
        let compared = try await audited(.invoiceReconciled)
        #expect(compared.map { "\($0.actor) \($0.subject ?? "")" } == ["finance alpha 2026-08"])
        let page = try await desk.get(place)
        for finding in ["Ours only (1)", "Theirs only (1)", "Duplicate at theirs (1)", "ref_2", "ref_7", "ref_4"] {
            #expect(page.text.contains(finding), "\(finding)")
        }
        #expect(!page.text.contains("Amount differs (") && page.text.contains("<td class=\"number\">–</td>"))
        let csv = try await desk.get(place + "/differences.csv")
        #expect(csv.text.split(separator: "\r\n").count == 4 && csv.text.contains("duplicate_at_theirs"))
        #expect(try await rig.store.ledgerHead() == before)
        // It is somebody's own: another session of the same client has none of it.
        let other = try await self.desk(rig)
        let others = try other.token(try await other.get("/console/usage"))
        #expect(try await other.get(place).status == 404)
        #expect(try await other.get(place + "/differences.csv").status == 404)
        let accept = [("class", "theirs_only"), ("class", "duplicate_at_theirs"), ("note", "agreed")]
        #expect(try await other.post(place + "/accept", [("csrf", others)] + accept).status == 404)
        for wrong in [[("class", "theirs_only")], [("note", "x")], [("class", "all"), ("note", "x")]] {
            #expect(try await desk.post(place + "/accept", [("csrf", token)] + wrong).status == 400)
        }
        #expect(try await desk.post(place + "/accept", accept).status == 403)
        #expect(try await rig.store.ledgerHead() == before)
        #expect(try await desk.post(place + "/accept", [("csrf", token)] + accept).status == 303)
        let written = try await rig.store.ledgerHead() - before
        #expect(written == 2)
        #expect(try await desk.get(place).text.contains("Corrections written to the ledger: 2."))
        _ = try await desk.post(place + "/accept", [("csrf", token)] + accept)
        #expect(try await rig.store.ledgerHead() - before == 2)
        // Looking at it again is no comparison of somebody's, and neither is what accepting compares.
        _ = try await desk.get(place)
        #expect(try await audited(.invoiceReconciled) == compared)
        #expect(try await audited(.adjustmentsAccepted).count == 2)
        // Signing out lets go of it.
        _ = try await desk.post("/console/sign-out", [("csrf", token)])
        #expect(rig.gateway.console.invoices.invoice(String(place.dropFirst(24)), of: token) == nil)
    }

    @Test func `a file that is no invoice is refused with its lines, and shown as text`() async throws {
        let rig = try await UsageEndpointTests.rig()
        let desk = try await desk(rig)
        let token = try desk.token(try await desk.get("/console/usage"))
        let bad = try await load(desk, "ref,own,at,kind,fee\r\nx,,<script>,check,1\r\n", token: token)
        #expect(bad.status == 422 && bad.text.contains("time_unreadable") && bad.text.contains("&lt;script&gt;"))
        #expect(!bad.text.contains("<script>,"))
        #expect(try await load(desk, "", token: token).status == 422)
        #expect(try await load(desk, nil, token: token).status == 400)
        #expect(try await load(desk, "x", token: token, verifier: "nobody").status == 404)
        var filter = AuditFilter()
        filter.actions = [.invoiceReconciled]
        #expect(try await rig.store.audit(filter, before: nil, limit: 9).isEmpty, "nothing was compared")
        let only = HeldInvoices()
        #expect(only.invoice("", of: token) == nil)
    }

    @Test func `figures are grouped for reading and plain for programs`() {
        #expect(Figures.grouped("0") == "0" && Figures.grouped("999") == "999" && Figures.grouped("1000") == "1,000")
        #expect(Figures.grouped("-1234567.25") == "-1,234,567.25" && Figures.grouped("123456") == "123,456")
    }
}
