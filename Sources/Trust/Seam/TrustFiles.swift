import Glibc

/// Reads the files of trust: whole, bounded, and of a folder every one that is not hidden.
enum TrustFiles {
    struct File {
        let path: String
        let bytes: [UInt8]
    }

    /// The file, or the files of the folder, sorted by name; whatever is wrong is added to `problems`.
    static func expand(_ path: String, maximumLength: Int, _ problems: inout [TrustProblem]) -> [File] {
        guard let names = folder(path) else {
            return read(path, maximumLength, &problems).map { [$0] } ?? []
        }
        if names.isEmpty { problems.append(TrustProblem(path: path, fault: .emptyFolder)) }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        return names.sorted().compactMap { read(prefix + $0, maximumLength, &problems) }
    }

    private static func read(_ path: String, _ maximumLength: Int, _ problems: inout [TrustProblem]) -> File? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            problems.append(TrustProblem(path: path, fault: .unreadable))
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            problems.append(TrustProblem(path: path, fault: .unreadable))
            return nil
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else {
            problems.append(TrustProblem(path: path, fault: kind == S_IFDIR ? .nestedFolder : .unreadable))
            return nil
        }
        guard status.st_size <= maximumLength else {
            problems.append(TrustProblem(path: path, fault: .tooLong))
            return nil
        }
        guard let bytes = contents(descriptor, upTo: maximumLength) else {
            problems.append(TrustProblem(path: path, fault: .unreadable))
            return nil
        }
        return File(path: path, bytes: bytes)
    }

    private static func contents(_ descriptor: Int32, upTo limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0, bytes.count + count <= limit else { return nil }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
        }
    }

    /// The names in a folder that do not begin with a dot; `nil` where it is no folder.
    private static func folder(_ path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            // The record ends after the name, not after the field's 256 bytes, so the field must not be copied whole.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: start)
            // Kubernetes keeps the versions of a mounted secret in folders such as `..data`.
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
