import Billing
import Cryptography
import Foundation
import JSONTree
import MemoryStore
import Testing
import VerificationCore

@testable import Gateway

/// What finance is answered, and what it never is.
@Suite struct UsageEndpointTests {
    /// The clock's September is over in no zone; August is over in all of them.
    static let august = "2026-08"
    static let book = """
        {name: "test", verifiers: {alpha: {currency: "JPY", tariffs: [
          {from: "2026-01-01", prices: {completed_any: {unit: "150.5"}}, not_billed: ["completed_fail"],
           tax: {rate: "0.10", rounding: "down"}}]}}}
        """
    static let format = """
        {columns: {reference: "ref", own_reference: "own", time: {column: "at", format: "rfc3339"},
          class: {column: "kind", values: {check: "completed_any"}}, amount: "fee"}}
        """

    /// A rig whose ledger holds a call of alpha's for each number, on the days of August.
    static func rig(_ calls: Range<Int> = 1..<4, open: Set<Int> = []) async throws -> Rig {
        let book = try PriceBook.read(Array(Self.book.utf8))
        let problems = JSONProblemList()
        let node = try JSONNode.parse(Array(Self.format.utf8), syntax: .json5)
        let format = InvoiceFormat(JSONReader(node, problems: problems))
        try problems.throwIfAny()
        let rig = try Rig(change: { settings in
            settings.prices = book
            settings.invoiceFormats = [VerifierID("alpha"): format].compactMapValues { $0 }
        })
        for number in calls {
            try await rig.store.append(
                [event(.started, number)] + (open.contains(number) ? [] : [event(.ended, number)]))
        }
        return rig
    }

    static func time(_ number: Int) -> Timestamp {
        RFC3339.timestamp("2026-08-01T00:00:00+09:00")!.advanced(by: .seconds(number * 3600))
    }

    static func event(_ kind: LedgerDraft.Kind, _ number: Int) -> LedgerDraft {
        var draft = LedgerDraft(
            kind: kind, attempt: AttemptID("att_\(number)"), role: .primary, session: SessionID("ses_\(number)"),
            verifier: VerifierID("alpha"), client: ClientID("app"), purpose: PurposeID("account-opening"),
            at: time(number), billableClass: .completedAny, outcome: kind == .ended ? .verified : nil,
            configurationVersion: "test-1")
        draft.call = CallName(.submit)
        draft.providerReference = "ref_\(number)"
        return draft
    }

    static func invoice(_ numbers: some Sequence<Int>, fee: String = "150.5") -> String {
        "ref,own,at,kind,fee\r\n"
            + numbers.map { "ref_\($0),att_\($0),\(RFC3339.text(time($0))),check,\(fee)\r\n" }.joined()
    }

    private func post(_ rig: Rig, _ query: String, _ file: String, type: String = "text/csv") async throws -> Reply {
        let request = HTTPRequestMaker.request(
            "POST", "/v1/usage/reconciliations" + query, key: Rig.financeKey, type: type, body: Array(file.utf8))
        return try Reply(await rig.gateway.respond(to: try #require(request)))
    }

    private func events(_ rig: Rig) async throws -> Int64 { try await rig.store.ledgerHead() }

    @Test func `nobody but finance sees or closes any of it`() async throws {
        let rig = try await Self.rig()
        let before = try await events(rig)
        let reads = ["/v1/usage?month=2026-08", "/v1/usage/attempts?month=2026-08", "/v1/usage/closings"]
        for path in reads + ["/v1/usage/closings/2026-08"] {
            #expect(try await rig.call("GET", path, key: nil).status == 401, "\(path)")
            for key in [Rig.appKey, Rig.operatorKey] {
                let reply = try await rig.call("GET", path, key: key)
                #expect(reply.status == 403 && !reply.text.contains("alpha"), "\(path)")
            }
        }
        for path in ["/v1/usage/closings", "/v1/usage/reconciliations?verifier=alpha&month=2026-08"] {
            #expect(try await rig.call("POST", path, key: nil, body: "{}").status == 401, "\(path)")
            for key in [Rig.appKey, Rig.operatorKey] {
                #expect(try await rig.call("POST", path, key: key, body: "{}").status == 403, "\(path)")
            }
        }
        for path in reads { #expect(try await rig.call("GET", path, key: Rig.financeKey).status == 200, "\(path)") }
        #expect(try await events(rig) == before)
    }

    @Test func `a month is told as JSON, CSV and a table, all with the same figures`() async throws {
        let rig = try await Self.rig(open: [3])
        let json = try await rig.call("GET", "/v1/usage?month=2026-08", key: Rig.financeKey).json
        #expect(json["state"] as? String == "open" && json["closing"] is NSNull)
        let rows = try #require(json["rows"] as? [[String: Any]])
        #expect(rows.count == 1 && rows[0]["verified"] as? Int == 2 && rows[0]["uncertain"] as? Int == 1)
        let sums = try #require((json["sums"] as? [[String: Any]])?.first)
        #expect(sums["net"] as? String == "301" && sums["tax"] as? String == "30" && sums["total"] as? String == "331")
        let csv = try await rig.call("GET", "/v1/usage?month=2026-08&format=csv&bom=true", key: Rig.financeKey)
        #expect(csv.text.hasPrefix("\u{FEFF}kind,verifier,month,role,attempts"))
        #expect(csv.text.contains("sum,,2026-08,") && csv.text.contains(",JPY,301,30,331,"))
        #expect(csv.headers["Content-Disposition"]?.contains("usage-2026-08.csv") == true)
        let table = try await rig.call("GET", "/v1/usage?month=2026-08&format=table&by=", key: Rig.financeKey)
        #expect(table.text.contains("301") && table.text.contains("uncertain: 1"))
        // Another month holds none of it.
        let other = try await rig.call("GET", "/v1/usage?month=2026-09", key: Rig.financeKey).json
        #expect((other["rows"] as? [Any])?.isEmpty == true)
        let wrong = [
            "", "?month=2026-13", "?month=2026-08&by=person", "?month=2026-08&by=client,client",
            "?month=2026-08&bom=1", "?month=2026-08&x=1",
        ]
        for query in wrong {
            #expect(try await rig.call("GET", "/v1/usage" + query, key: Rig.financeKey).status == 422, "\(query)")
        }
    }

    @Test func `what has no price is unpriced and in no sum, never nothing`() async throws {
        let rig = try await Self.rig()
        var other = [Self.event(.started, 9), Self.event(.ended, 9)]
        for place in other.indices { other[place].verifier = VerifierID("unknown") }
        try await rig.store.append(other)
        let json = try await rig.call("GET", "/v1/usage?month=2026-08", key: Rig.financeKey).json
        #expect(json["unpriced_verifiers"] as? [String] == ["unknown"])
        let row = try #require((json["rows"] as? [[String: Any]])?.last)
        #expect(row["unpriced"] as? Int == 1 && (row["amounts"] as? [Any])?.isEmpty == true)
        #expect((json["sums"] as? [[String: Any]])?.first?["net"] as? String == "451")
    }

    @Test func `the calls come page by page, and pages one after the other are the whole`() async throws {
        let rig = try await Self.rig(1..<8)
        var path = "/v1/usage/attempts?month=2026-08&format=csv&limit=3"
        var text = ""
        for page in 0..<3 {
            let reply = try await rig.call("GET", path, key: Rig.financeKey)
            #expect(reply.status == 200)
            text += reply.text
            guard let link = reply.headers["Link"] else {
                #expect(page == 2)
                break
            }
            #expect(link.hasSuffix(">; rel=\"next\""))
            path = String(link.dropFirst().prefix { $0 != ">" })
        }
        let lines = text.split(separator: "\r\n")
        #expect(lines.count == 8 && lines[0].hasPrefix("verifier,sequence,attempt,call,session,role"))
        for number in 1..<8 { #expect(lines[number].contains("att_\(number),submit,ses_\(number),primary,app")) }
        let json = try await rig.call("GET", "/v1/usage/attempts?month=2026-08&verifier=alpha", key: Rig.financeKey)
        let first = try JSONNode.parse(Array(json.text.split(separator: "\n")[0].utf8), syntax: .json)
        #expect(first["provider_reference"]?.string == "ref_1" && first["outcome"]?.string == "verified")
        #expect(
            try await rig.call("GET", "/v1/usage/attempts?month=2026-08&verifier=x", key: Rig.financeKey).text == "")
        let broken = "/v1/usage/attempts?month=2026-08&cursor=x"
        #expect(try await rig.call("GET", broken, key: Rig.financeKey).status == 422)
    }

    @Test func `a month is closed once, when it has ended, and nothing in it is open`() async throws {
        let rig = try await Self.rig(1..<4, open: [3])
        let path = "/v1/usage/closings"
        func close(_ body: String) async throws -> Reply {
            try await rig.call("POST", path, key: Rig.financeKey, body: body)
        }
        let before = try await events(rig)
        let early = try await close(#"{"month":"2026-09"}"#)
        #expect(early.status == 409 && early.code == "month_not_closable")
        let open = try await close(#"{"month":"2026-08"}"#)
        #expect(open.status == 409)
        let problems = try #require(open.json["problems"] as? [[String: Any]])
        #expect(problems.count == 1 && problems[0]["path"] as? String == "events.5")
        #expect(try await rig.call("GET", path + "/2026-08", key: Rig.financeKey).code == "statement_not_found")
        rig.clock.dispute(true)
        #expect(try await close(#"{"month":"2026-08","include_unsettled":true}"#).status == 409)
        rig.clock.dispute(false)
        for body in [#"{"month":"x"}"#, "{}", #"{"month":"2026-08","else":1}"#] {
            #expect(try await close(body).status == 422)
        }
        #expect(try await events(rig) == before)

        let closed = try await close(#"{"month":"2026-08","include_unsettled":true,"note":"one is lost"}"#)
        #expect(closed.status == 201 && closed.headers["Location"] == path + "/2026-08")
        #expect(closed.json["by"] as? String == "finance")
        let statement = try await rig.call("GET", path + "/2026-08", key: Rig.financeKey)
        #expect(closed.json["statement"] as? String == ByteText.hex(Hash.sha256(Array(statement.text.utf8))))
        #expect(statement.text.contains(#""unsettled":[5]"#))
        #expect(try await close(#"{"month":"2026-08","include_unsettled":true}"#).status == 409)
        let list = try await rig.call("GET", path, key: Rig.financeKey).json["closings"] as? [[String: Any]]
        #expect(list?.count == 1 && list?.first?["note"] as? String == "one is lost")
        #expect(try await events(rig) == before + 1)
        // Each is written down before it is made, and a refusal after it.
        var filter = AuditFilter()
        filter.actions = [.monthClosed]
        let audited = try await rig.store.audit(filter, before: nil, limit: 99).reversed().map(\.draft)
        #expect(audited.map(\.outcome) == ["asked", "failed", "asked", "failed", "asked", "asked", "failed"])
        #expect(Set(audited.compactMap(\.reason)) == ["month_not_closable"])
        #expect(audited.allSatisfy { $0.subject?.hasPrefix("2026-0") == true && $0.actor == "finance" })
    }

    @Test func `a closed month is read from its statement, and what comes late is shown in the open one`() async throws
    {
        let rig = try await Self.rig(1..<4, open: [3])
        let body = #"{"month":"2026-08","include_unsettled":true}"#
        #expect(try await rig.call("POST", "/v1/usage/closings", key: Rig.financeKey, body: body).status == 201)
        func month(_ query: String) async throws -> [String: Any] {
            try await rig.call("GET", "/v1/usage?month=" + query, key: Rig.financeKey).json
        }
        let closed = try await month("2026-08")
        #expect(closed["state"] as? String == "closed")
        #expect((closed["closing"] as? [String: Any])?["unsettled"] as? Int == 1)
        // The call is settled, by its own time in the closed month.
        var late = Self.event(.ended, 3)
        late.outcome = .verified
        try await rig.store.append([late])
        let again = try await month("2026-08")
        #expect(NSDictionary(dictionary: closed) == NSDictionary(dictionary: again))
        #expect(
            (try await month("2026-08&by=client,day")["sums"] as? [[String: Any]])?.first?["net"] as? String == "301")
        let open = try await month("2026-09")
        let shown = try #require((open["late"] as? [[String: Any]])?.first)
        #expect(shown["month"] as? String == "2026-08" && shown["amount"] as? String == "150.5")
        #expect((open["rows"] as? [Any])?.isEmpty == true)
        // And in no other one, so that nobody counts it twice.
        #expect((try await month("2026-11")["late"] as? [Any])?.isEmpty == true)
        #expect((try await month("2026-07")["late"] as? [Any])?.isEmpty == true)
        #expect(
            try await rig.call("GET", "/v1/usage?month=2026-09&format=csv", key: Rig.financeKey).text
                .contains("late,alpha,2026-08,"))
    }

    @Test func `an invoice that agrees is clean, and each difference is told with its lines`() async throws {
        let rig = try await Self.rig(1..<5)
        let before = try await events(rig)
        let clean = try await post(rig, "?verifier=alpha&month=2026-08", Self.invoice(1..<5))
        #expect(clean.status == 200 && clean.json["clean"] as? Bool == true)
        #expect((clean.json["findings"] as? [Any])?.isEmpty == true)
        let wrong = Self.invoice([1, 2, 2, 77]) + "ref_3,att_3,\(RFC3339.text(Self.time(3))),check,99\r\n"
        let reply = try await post(rig, "?verifier=alpha&month=2026-08", wrong)
        #expect(reply.json["clean"] as? Bool == false)
        let findings = try #require(reply.json["findings"] as? [[String: Any]])
        #expect(
            findings.compactMap { $0["class"] as? String } == [
                "duplicate_at_theirs", "theirs_only", "amount_differs", "ours_only",
            ])
        #expect((findings[0]["line"] as? [String: Any])?["line"] as? Int == 4)
        #expect((findings[3]["call"] as? [String: Any])?["attempt"] as? String == "att_4")
        let csv = try await post(rig, "?verifier=alpha&month=2026-08&format=csv", wrong)
        #expect(csv.text.split(separator: "\r\n").count == 5 && !csv.text.contains("matched"))
        #expect(try await events(rig) == before, "a dry run writes nothing")
    }

    @Test func `a file that cannot be read, a verifier that is not there, a class that is not one`() async throws {
        let rig = try await Self.rig()
        let unreadable = try await post(
            rig, "?verifier=alpha&month=2026-08", "ref,own,at,kind,fee\r\nr,o,no,check,1\r\n")
        #expect(unreadable.status == 422 && unreadable.code == "invoice_invalid")
        #expect((unreadable.json["problems"] as? [[String: Any]])?.first?["line"] as? Int == 2)
        #expect(try await post(rig, "?verifier=nobody&month=2026-08", "x").code == "verifier_not_found")
        #expect(try await post(rig, "?verifier=in-house&month=2026-08", "x").code == "invoice_invalid")
        let base = "?verifier=alpha&month=2026-08"
        for query in [
            "?month=2026-08", base + "&accept=matched&note=n", base + "&accept=theirs_only", base + "&note=n",
        ] {
            #expect(try await post(rig, query, Self.invoice(1..<4)).code == "request_invalid", "\(query)")
        }
        #expect(try await post(rig, base, "x", type: "application/json").code == "unsupported_media_type")
    }

    @Test func `who compared which invoice stands in the audit chain once, with counts and nothing of its contents`()
        async throws
    {
        let rig = try await Self.rig(1..<6)
        let query = "?verifier=alpha&month=2026-08"
        func audited() async throws -> [AuditDraft] {
            var filter = AuditFilter()
            filter.actions = [.invoiceReconciled]
            return try await rig.store.audit(filter, before: nil, limit: 99).reversed().map(\.draft)
        }
        #expect(try await post(rig, query, Self.invoice(1..<6)).status == 200)
        // 2 is missing, 7 is not ours, 4 stands twice.
        #expect(try await post(rig, query + "&format=csv", Self.invoice([1, 3, 4, 4, 5, 7])).status == 200)
        let events = try await audited()
        #expect(events.map(\.actor) == ["finance", "finance"])
        #expect(events.map(\.subject) == ["alpha 2026-08", "alpha 2026-08"])
        #expect(events.map(\.outcome) == ["agrees", "differs"] && events.map(\.count) == [5, 6])
        #expect(
            events.map(\.reason) == [
                "matched=5", "matched=4 theirs_only=1 ours_only=1 duplicate_at_theirs=1",
            ])
        for event in events {
            for forbidden in ["ref_", "att_", "ses_", "150.5"] { #expect(!"\(event)".contains(forbidden)) }
        }
        // What was not compared, and what is accepted, is no comparison.
        #expect(try await post(rig, query, "ref,own,at,kind,fee\r\nx,,y,check,1\r\n").status == 422)
        #expect(try await post(rig, "?verifier=nobody&month=2026-08", Self.invoice(1..<2)).status == 404)
        let accept = query + "&accept=theirs_only&note=agreed"
        #expect(try await post(rig, accept, Self.invoice([1, 3, 4, 4, 5, 7])).status == 200)
        #expect(try await audited() == events)
    }

    @Test func `what is accepted is written once, with who and why, however often it is asked for`() async throws {
        let rig = try await Self.rig(1..<4)
        let invoice = Self.invoice([1, 2]) + "other,none,\(RFC3339.text(Self.time(9))),check,12\r\n"
        let query = "?verifier=alpha&month=2026-08&accept=theirs_only,ours_only&note=agreed%20by%20telephone"
        let before = try await events(rig)
        let reply = try await post(rig, query, invoice)
        #expect(reply.status == 200 && reply.json["written"] as? Int == 2)
        let again = try await post(rig, query, invoice)
        #expect(again.json["written"] as? Int == 0)
        #expect(try await events(rig) == before + 2)
        let written = try await rig.store.settlements(after: before)
        #expect(written.allSatisfy { $0.draft.actor == "finance" && $0.draft.note == "agreed by telephone" })
        #expect(written.compactMap(\.draft.amount) == [12_000_000, -150_500_000])
        #expect(written.allSatisfy { $0.draft.month == "2026-08" && $0.draft.currency == "JPY" })
        let month = try await rig.call("GET", "/v1/usage?month=2026-08", key: Rig.financeKey).json
        #expect((month["adjustments"] as? [[String: Any]])?.first?["amount"] as? String == "-138.5")
        // The month's own figures are what was measured; a correction stands beside them.
        #expect((month["sums"] as? [[String: Any]])?.first?["net"] as? String == "451")
    }

    @Test func `a browser's form carries the same file and fields`() async throws {
        let rig = try await Self.rig(1..<4)
        func part(_ name: String, _ value: String) -> String {
            "--b0\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let file =
            "--b0\r\nContent-Disposition: form-data; name=\"invoice\"; filename=\"a;b.csv\"\r\n"
            + "Content-Type: text/csv\r\n\r\n" + Self.invoice(1..<4) + "\r\n"
        let type = "multipart/form-data; boundary=b0"
        let whole = part("verifier", "alpha") + part("month", "2026-08") + file + "--b0--\r\n"
        let reply = try await post(rig, "", whole, type: type)
        #expect(reply.json["clean"] as? Bool == true, "\(reply.text)")
        for length in stride(from: 0, to: whole.utf8.count - 4, by: 7) {
            let cut = try await post(
                rig, "", String(decoding: Array(whole.utf8.prefix(length)), as: UTF8.self), type: type)
            #expect(cut.status == 400 || cut.status == 422, "\(length)")
        }
        let twice = part("month", "2026-08") + part("month", "2026-09") + file + "--b0--\r\n"
        #expect(try await post(rig, "", twice, type: type).status == 400)
        #expect(try await post(rig, "?month=2026-08", whole, type: type).status == 422)
    }
}
