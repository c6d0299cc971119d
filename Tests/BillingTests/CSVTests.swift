import Billing
import Testing

@Suite struct CSVTests {
    private func text(_ cells: [CSVWriter.Cell]) -> String {
        var writer = CSVWriter()
        writer.line(cells)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func rows(_ text: String) throws -> [[String]] {
        var reader = CSVReader(Array(text.utf8))
        var rows: [[String]] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    @Test(arguments: [
        "=HYPERLINK(\"http://x\")", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x", " =1",
        "\u{3000}=1", "\u{FEFF}=1",
    ])
    func `U10 a text that starts like a formula is made harmless, and comes back whole`(cell: String) throws {
        let line = text([.text(cell), .number("-1")])
        let read = try rows(line)
        #expect(read == [["'" + cell, "-1"]])
    }

    @Test func `U10 numbers stay numbers, and what only looks strange is left alone`() throws {
        #expect(text([.number("-12.5"), .number("0"), .empty]) == "-12.5,0,\r\n")
        for cell in ["a=b", "葛󠄀飾区", "1-2", "髙﨑", "'quoted"] {
            #expect(try rows(text([.text(cell)])) == [[cell]])
        }
    }

    @Test func `U10 commas, quotes and line ends do not split a row`() throws {
        let cells = ["a,b", "say \"x\"", "two\r\nlines", "lone\rreturn", "", " spaced "]
        #expect(try rows(text(cells.map { .text($0) })) == [cells])
    }

    @Test func `the byte order mark is written when asked for and skipped when read`() throws {
        var writer = CSVWriter(byteOrderMark: true)
        writer.line([.text("あ")])
        #expect(writer.bytes.starts(with: [0xEF, 0xBB, 0xBF]))
        var reader = CSVReader(writer.take())
        #expect(try reader.next() == ["あ"])
        #expect(try reader.next() == nil)
        #expect(writer.bytes.isEmpty)
    }

    @Test func `lines may end with CR LF, LF or CR, and the last one with nothing`() throws {
        #expect(try rows("a,b\r\nc,d\ne,f\rg,h") == [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]])
        #expect(try rows("") == [])
        #expect(try rows(",\n\n") == [["", ""], [""]])
        #expect(try rows("a,") == [["a", ""]])
    }

    @Test(arguments: [
        ("\"open", CSVReader.Problem.Code.quoteOpen, 1), ("x\n\"open\n\n", .quoteOpen, 2),
        ("\"a\"b,c", .quoteBroken, 1), ("a\"b", .quoteStray, 1),
        (String(repeating: ",", count: 300), .tooManyCells, 1),
        (String(repeating: "x", count: 20_000), .cellTooLong, 1),
    ])
    func `a broken text names its line`(text: String, code: CSVReader.Problem.Code, line: Int) {
        do {
            _ = try rows(text)
            Issue.record("it was read")
        } catch let problem as CSVReader.Problem {
            #expect(problem.code == code && problem.line == line)
        } catch {
            Issue.record("another error")
        }
    }
}
