public import Foundation

/// The test data from outside: where it is, and how much of it ran.
public enum Vectors {
    /// The folder: `SEKISHO_VECTORS`, or `shared/vectors` beside the repository; `nil` where neither is there.
    public static let root: URL? = {
        if let named = ProcessInfo.processInfo.environment["SEKISHO_VECTORS"] {
            return URL(fileURLWithPath: named, isDirectory: true)
        }
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let beside = repository.deletingLastPathComponent().appendingPathComponent("shared/vectors", isDirectory: true)
        return FileManager.default.fileExists(atPath: beside.path) ? beside : nil
    }()

    /// Whether the data is there; says loudly where it is not.
    public static func available(_ path: String) -> Bool {
        if let root, FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path) { return true }
        print("SKIPPED: \(path): the test data from outside is absent; set SEKISHO_VECTORS to its folder")
        return false
    }

    /// The bytes of one file.
    public static func bytes(_ path: String) throws -> [UInt8] {
        guard let root else { throw CocoaError(.fileNoSuchFile) }
        return Array(try Data(contentsOf: root.appendingPathComponent(path)))
    }

    /// The text of one file, without white space at its ends.
    public static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Says how many vectors of a name ran; `script/test` adds the lines up.
    public static func ran(_ count: Int, of name: String) {
        print("VECTORS \(name) \(count)")
    }
}
