import Foundation
import JSONTree
import Testing
import VerificationCore

@testable import Certified

/// Reading manifests: what is right is read, what is wrong is named, all of it at once and by its line.
@Suite struct ManifestReadingTests {
    static let shapes = ["pocketsign", "ntt", "stripe", "mattr", "trinsic", "persona", "veriff"]

    @Test(arguments: shapes)
    func `the manifest of each shape is read without a problem`(name: String) throws {
        let problems = JSONProblemList()
        let manifest = ManifestReading.manifest(Array(try Fixture.text(name).utf8), problems: problems)
        #expect(problems.problems.map(\.description) == [])
        #expect(manifest?.steps[.submit] != nil)
    }
}

enum Fixture {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name + ".json5"), encoding: .utf8)
    }
}
