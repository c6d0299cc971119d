import Foundation
import JSONTree
import Testing

@testable import Certified

/// The manifests that ship describe the sandbox, and are good.
@Suite struct ManifestTests {
    @Test(arguments: ["alpha", "beta", "gamma"]) func `the manifest has no problem`(name: String) throws {
        let file = URL(fileURLWithPath: Playground.manifest(name))
        let problems = JSONProblemList()
        let manifest = ManifestReading.manifest(Array(try Data(contentsOf: file)), problems: problems)
        #expect(problems.problems.map { "\($0.line): \($0.path) \($0.problem)" } == [])
        #expect(manifest?.name.isEmpty == false)
    }
}
