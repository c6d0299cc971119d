import ConformanceKit
import Foundation
import MemoryStore
import SQLiteStore
import Testing

/// The one suite, on every store.
@Suite struct ConformanceTests {
    @Test(arguments: StoreConformance.cases) func `memory`(_ requirement: StoreCase) async throws {
        try await requirement.run(StoreBench(isDurable: false) { MemoryStore() })
    }

    @Test(arguments: StoreConformance.cases) func `SQLite on disk`(_ requirement: StoreCase) async throws {
        let folder = try Folder()
        try await requirement.run(StoreBench(isDurable: true) { try SQLiteStore(path: folder.database) })
    }

    @Test(arguments: StoreConformance.cases) func `SQLite in memory`(_ requirement: StoreCase) async throws {
        try await requirement.run(StoreBench(isDurable: false) { try SQLiteStore(path: ":memory:") })
    }
}

/// A folder of the test's own, gone with it.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sekisho-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var database: String { path + "/sekisho.sqlite" }

    func file(_ name: String) -> String { path + "/" + name }

    /// Every byte of every file in it.
    func bytes() throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().reduce(into: Data()) {
            $0 += try Data(contentsOf: URL(fileURLWithPath: file($1)))
        }
    }

    func size(_ name: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
        return attributes?[.size] as? Int ?? 0
    }
}
