import Foundation
public import VerificationCore

/// Fetches secrets from their places.
public struct SecretResolver: Sendable {
    /// The longest secret: a private key with its whole chain is a tenth of it.
    public static let longestSecret = 64 << 10

    private let variables: [String: String]

    /// A resolver that knows these environment variables; commands are given them too.
    public init(variables: [String: String]) {
        self.variables = variables
    }

    /// The resolver of this process.
    public static var system: SecretResolver { SecretResolver(variables: ProcessInfo.processInfo.environment) }

    /// The secret as it is used: of a file and of a command, one line end at the end is not part of it; nothing else
    /// is changed, added or expanded.
    public func secret(_ reference: SecretReference) throws(SecretProblem) -> Sensitive<[UInt8]> {
        var bytes = try content(reference)
        switch reference {
        case .file, .command: SecretResolver.removeLineEnd(of: &bytes)
        case .env: break
        }
        if bytes.isEmpty { throw .empty }
        return Sensitive(bytes)
    }

    /// Every byte that the place holds.
    func content(_ reference: SecretReference) throws(SecretProblem) -> [UInt8] {
        let bytes: [UInt8]
        switch reference {
        case .file(let path): bytes = try SecretResolver.file(path)
        case .env(let name): bytes = try variable(name)
        case .command(let arguments, let timeout):
            bytes = try ProgramRun.output(of: arguments, environment: variables, within: timeout)
        }
        if bytes.count > SecretResolver.longestSecret { throw .tooLong }
        return bytes
    }

    /// Removes one LF or CRLF, as an editor or `echo` leaves it.
    static func removeLineEnd(of bytes: inout [UInt8]) {
        guard bytes.last == 0x0A else { return }
        bytes.removeLast()
        if bytes.last == 0x0D { bytes.removeLast() }
    }

    private func variable(_ name: String) throws(SecretProblem) -> [UInt8] {
        guard let value = variables[name] else { throw .variableUnset }
        // Foundation puts U+FFFD where the variable is not UTF-8: the secret would be silently another one.
        if value.unicodeScalars.contains("\u{FFFD}") { throw .variableNotText }
        return Array(value.utf8)
    }

    private static func file(_ path: String) throws(SecretProblem) -> [UInt8] {
        // Secret managers mount files as links to links.
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else {
            throw FileManager.default.fileExists(atPath: url.path) ? .fileUnreadable : .fileMissing
        }
        // Reading a pipe or a device could wait for ever.
        guard attributes[.type] as? FileAttributeType == .typeRegular else { throw .fileNotRegular }
        if let size = attributes[.size] as? NSNumber, size.intValue > longestSecret { throw .tooLong }
        guard let data = try? Data(contentsOf: url) else { throw .fileUnreadable }
        return Array(data)
    }
}
