import Foundation
import Testing

/// The table of `docs/threat-model.md`, held against the tests that it names.
@Suite struct ThreatModelTests {
    /// The faults of others that let a false person pass, charge twice, lose a record or come near it, and that this
    /// gateway can meet so far: none may leave the page.
    private static let required = """
        C01 C03 C09 C10 C13 C15 C22 C23 C24 C25 C29 C39 D01 D02 D06 D07 D09 T04 T05 T12 X05 X08 X11 X12 X17 X19
        H02 H03 H06 H07 H10 H11 H13 H15 H16 N10 S01 S02 S03 S06 S07 P01 P02 P05 P10 P13 P18 Q01 Q02 Q03 Q05
        Q07 Q09 U01 U02 U03 U05 U07 U10 U12 F01 F05 F06
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A row: an identifier, and what answers it. Each part is `Target: name of the test`, or a sentence.
    private struct Row {
        let id: String
        let answers: [String]
        var tests: [(target: String, name: String)] {
            answers.compactMap { answer in
                let parts = answer.components(separatedBy: "Tests: ")
                guard parts.count == 2, !parts[0].contains(" ") else { return nil }
                return (parts[0] + "Tests", parts[1])
            }
        }
    }

    private static func rows() throws -> [Row] {
        let page = try String(contentsOf: root.appendingPathComponent("docs/threat-model.md"), encoding: .utf8)
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| "), cells.count == 3, cells[0].wholeMatch(of: /[A-Z][0-9]{2}/) != nil else {
                return nil
            }
            return Row(id: cells[0], answers: cells[2].components(separatedBy: "<br>"))
        }
    }

    /// The names of the tests of every target: of functions in backticks, and of the cases of the store's suite.
    private static func testNames() throws -> [String: Set<String>] {
        var names: [String: Set<String>] = [:]
        let tests = root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        for case let file as URL in files?.allObjects ?? [] where file.pathExtension == "swift" {
            let relative = file.path.dropFirst(tests.path.count + 1)
            var target = String(relative.prefix { $0 != "/" })
            if target == "ConformanceKit" { target = "StoreTests" }
            let text = try String(contentsOf: file, encoding: .utf8)
            for found in text.matches(of: /func `([^`]+)`|StoreCase\(\s*"([^"]+)"/) {
                names[target, default: []].insert(String(found.output.1 ?? found.output.2 ?? ""))
            }
        }
        return names
    }

    @Test func `every fault of others has one row, in the page's order`() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.id) == Self.required)
        for row in rows { #expect(row.answers.allSatisfy { $0.count > 20 }, "\(row.id)") }
    }

    @Test func `every row names tests that are there and are named for it, or is answered by a sentence`() throws {
        let names = try Self.testNames()
        var named = 0
        for row in try Self.rows() {
            for test in row.tests {
                let isThere = names[test.target]?.contains(test.name) == true
                #expect(isThere, "\(row.id): no test \(test.target): \(test.name)")
                #expect(test.name.split(separator: " ").contains(Substring(row.id)), "\(row.id): \(test.name)")
                named += 1
            }
            // A sentence stands alone: a row with neither has no answer.
            if row.tests.isEmpty { #expect(row.answers.contains { $0.hasSuffix(".") }, "\(row.id)") }
        }
        #expect(named >= Self.required.count)
    }

    @Test func `a test that is not there would be noticed`() throws {
        let names = try Self.testNames()
        #expect(names["GatewayTests"]?.contains("a test that is not there would be noticed") == true)
        #expect(names["GatewayTests"]?.contains("C01 no such test") != true)
        #expect(names["StoreTests"]?.contains { $0.hasPrefix("S01 ") } == true)
    }
}
