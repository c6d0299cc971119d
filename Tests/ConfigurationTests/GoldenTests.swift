import Configuration
import Foundation
import JSONTree
import Testing

/// Whole configurations and all that `sekisho check` says of them. `UPDATE_GOLDEN=1` writes the lists anew; read the
/// difference before you keep it.
@Suite struct GoldenTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")

    static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".json5") }.sorted()

    @Test func `there are configurations to judge`() {
        #expect(GoldenTests.names.count >= 8)
    }

    @Test(arguments: names) func `all problems of a configuration are told at once`(name: String) throws {
        let file = GoldenTests.folder.appendingPathComponent(name)
        let report = CheckReport.make(
            path: file.path, kinds: Scene.kinds,
            resolver: SecretResolver(variables: ["SEALING": Scene.sealingKey, "SHORT": "c4n4ry"]), now: Scene.now)
        let golden = file.deletingPathExtension().appendingPathExtension("problems")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(report.text.utf8).write(to: golden)
        }
        #expect(report.text == (try String(contentsOf: golden, encoding: .utf8)))
        #expect(!report.isGood)
        #expect(!report.text.lowercased().contains("c4n4ry"))
        for line in report.text.split(separator: "\n") {
            #expect(line.wholeMatch(of: /[^(]+ \([0-9]+\): .+/) != nil, "\(line)")
        }
    }
}
