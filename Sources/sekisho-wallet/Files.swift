import Foundation

/// Reading and writing the wallet's folder.
enum Files {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func makeDirectory(_ path: String) throws {
        guard mkdirs(path) else { throw CommandFailure.failed("cannot make the folder \(path)") }
    }

    private static func mkdirs(_ path: String) -> Bool {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        return
            (try? FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: attributes)) != nil
    }

    /// Writes a file beside its place and moves it there, so that no reader sees a half of it.
    ///
    /// A key's file is made with mode 0600 from the start: a later change of mode would leave it open for a moment.
    static func write(_ bytes: [UInt8], to path: String, secret: Bool) throws {
        let temporary = "\(path).new-\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, secret ? 0o600 : 0o644)
        guard descriptor >= 0 else { throw CommandFailure.failed("cannot write \(path)") }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
        } catch {
            unlink(temporary)
            throw CommandFailure.failed("cannot write \(path)")
        }
        guard rename(temporary, path) == 0 else {
            unlink(temporary)
            throw CommandFailure.failed("cannot write \(path)")
        }
    }

    static func write(_ text: String, to path: String, secret: Bool = false) throws {
        try write(Array(text.utf8), to: path, secret: secret)
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure.failed("cannot read \(path)")
        }
        return Array(data)
    }

    static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

    /// The bytes of a file, or of standard input for `-`.
    static func input(_ path: String) throws -> [UInt8] {
        path == "-" ? Array(FileHandle.standardInput.readDataToEndOfFile()) : try read(path)
    }
}
