import Billing
import JSONTree
import Testing
import VerificationCore

@Suite struct InvoiceReaderTests {
    private func format(_ text: String) throws -> InvoiceFormat {
        let problems = JSONProblemList()
        let node = try #require(
            JSONNode.parse(Array(text.utf8), syntax: .json5, limits: .standard, problems: problems))
        let format = InvoiceFormat(JSONReader(node, problems: problems))
        #expect(problems.problems.map(\.problem) == [])
        return try #require(format)
    }

    private let plain = """
        {columns: {reference: "ref", own_reference: "ours", time: {column: "at", format: "yyyy/MM/dd HH:mm:ss"},
          class: {column: "item", values: {"本人確認": "completed_pass"}}, quantity: "n", amount: "円"}}
        """

    private func problems(_ file: String) throws -> [InvoiceReader.Problem] {
        do {
            _ = try InvoiceReader.read(Array(file.utf8), as: try format(plain))
            return []
        } catch let problems as InvoiceReader.Problems {
            return problems.list
        }
    }

    @Test func `a line is read with its zone, class, quantity and amount`() throws {
        let file = "\u{FEFF}ref,ours,at,item,n,円\r\nr-1,att_1,2026/11/01 00:00:00,本人確認,2,\"¥1,200\"\r\n,,,,,\r\n"
        let lines = try InvoiceReader.read(Array(file.utf8), as: try format(plain))
        #expect(
            lines == [
                InvoiceLine(
                    line: 2, reference: "r-1", ownReference: "att_1",
                    time: try #require(RFC3339.timestamp("2026-10-31T15:00:00Z")), billableClass: .completedPass,
                    quantity: 2, amount: ExactAmount("1200"))
            ])
    }

    @Test func `every line that cannot be read is named, and none is skipped`() throws {
        let file = """
            ref,ours,at,item,n,円
            r-1,,2026/11/31 00:00:00,本人確認,1,80
            r-2,,2026/11/01 00:00:00,別物,1,80
            r-3,,2026/11/01 00:00:00,本人確認,x,80
            r-4,,2026/11/01 00:00:00,本人確認,1,8e1
            ,,2026/11/01 00:00:00,本人確認,1,80
            r-6,,2026/11/01 00:00:00
            r-7,,2026/11/01 00:00:00,本人確認,1,80
            """
        #expect(
            try problems(file).map(\.code) == [
                .timeUnreadable, .classUnknown, .quantityUnreadable, .amountUnreadable, .referenceMissing, .cellMissing,
            ])
        #expect(try problems(file).map(\.line) == [2, 3, 4, 5, 6, 7])
        #expect(try problems("ref,ours,at,item,n\n").map(\.code) == [.columnMissing])
        #expect(try problems("ref,ref,ours,at,item,n,円\n").map(\.code) == [.columnTwice])
        #expect(try problems("").map(\.code) == [.columnMissing])
    }

    @Test(arguments: ["1,000,000,000,001", "999999999999999", "-999999999999999", "(1000000000000.01)"])
    func `an amount that no line can ask for is a fault`(text: String) throws {
        let head = "ref,ours,at,item,n,円\n"
        #expect(
            try problems(head + "r-1,,2026/11/01 00:00:00,本人確認,1,\"\(text)\"\n").map(\.code) == [.amountUnreadable])
        #expect(try problems(head + "r-1,,2026/11/01 00:00:00,本人確認,1,\"1,000,000,000,000\"\n").isEmpty)
    }

    @Test func `a cell too many is a fault: a thousand's comma without quotes would leave an amount of one`() throws {
        let head = "ref,ours,at,item,n,円\n"
        #expect(try problems(head + "r-1,,2026/11/01 00:00:00,本人確認,1,1,500\n").map(\.code) == [.cellUnnamed])
        // What a spreadsheet program leaves behind the last column is nothing.
        #expect(try problems(head + "r-1,,2026/11/01 00:00:00,本人確認,1,80,,\n").isEmpty)
    }

    /// Made by `printf '照会番号,日時\nR-①髙,2026/11/01\n' | iconv -t CP932`: characters that are in the code page and
    /// not in the standard that it is usually called by.
    private let codePage: [UInt8] =
        [0x8F, 0xC6, 0x89, 0xEF, 0x94, 0xD4, 0x8D, 0x86, 0x2C, 0x93, 0xFA, 0x8E, 0x9E, 0x0A]
        + [0x52, 0x2D, 0x87, 0x40, 0xFB, 0xFC, 0x2C, 0x32, 0x30, 0x32, 0x36, 0x2F, 0x31, 0x31, 0x2F, 0x30, 0x31, 0x0A]

    @Test func `U12 code page 932 is read, with the characters that only it has`() throws {
        let format = try format(
            """
            {encoding: "windows-31j", columns: {reference: "照会番号", time: {column: "日時", format: "yyyy/MM/dd"}}}
            """)
        let lines = try InvoiceReader.read(codePage, as: format)
        #expect(lines.map(\.reference) == ["R-①髙"])
    }

    @Test func `U12 what is not in the encoding is told, never replaced`() throws {
        #expect(TextEncoding.windows31J.decode([0x81]) == nil)
        #expect(TextEncoding.windows31J.decode([0xFD, 0x41]) == nil)
        #expect(TextEncoding.utf8.decode([0xC3, 0x28]) == nil)
        #expect(TextEncoding.utf8.decode([0x8F, 0xC6]) == nil)
    }

    @Test(arguments: [
        ("yyyy/MM/dd HH:mm:ss", "2026/11/01 09:08:07", "2026-11-01T00:08:07Z"),
        ("yyyyMMddTHHmmssSSS", "20261101T000000123", "2026-10-31T15:00:00.123Z"),
        ("dd.MM.yyyy", "01.11.2026", "2026-10-31T15:00:00Z"),
        ("rfc3339", "2026-11-01T00:00:00+01:00", "2026-10-31T23:00:00Z"),
    ])
    func `times are read in the form that is declared`(pattern: String, text: String, instant: String) throws {
        let zone = try #require(BillingZone("Asia/Tokyo"))
        #expect(TimePattern(pattern)?.time(text, in: zone) == RFC3339.timestamp(instant))
    }

    @Test func `a time of another form, or that no clock shows, is none`() throws {
        let tokyo = try #require(BillingZone("Asia/Tokyo"))
        let berlin = try #require(BillingZone("Europe/Berlin"))
        let pattern = try #require(TimePattern("yyyy-MM-dd HH:mm:ss"))
        for text in [
            "2026-11-01", "2026-11-01 24:00:00", "2026-11-01 00:00:0", "2026/11/01 00:00:00", "2026-11-01 00:00:00Z",
        ] {
            #expect(pattern.time(text, in: tokyo) == nil, "\(text)")
        }
        #expect(pattern.time("2026-03-29 02:30:00", in: berlin) == nil)
        // Shown twice: the earlier one.
        #expect(pattern.time("2026-10-25 02:30:00", in: berlin) == RFC3339.timestamp("2026-10-25T00:30:00Z"))
        for text in ["HH:mm", "yyyy-MM", "yyyy-MM-dd hh", "yyyy-MM-dd yyyy", "年月日", ""] {
            #expect(TimePattern(text) == nil, "\(text)")
        }
    }
}
