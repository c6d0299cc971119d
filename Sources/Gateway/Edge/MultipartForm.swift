import VerificationCore

/// A form with a file in it (RFC 7578), as browsers send it. Whatever is odd about one is refused.
struct MultipartForm: Sendable {
    /// Parts of a form: ours have a handful.
    static let mostParts = 32
    /// The head of a part: three short fields.
    static let longestHead = 4096
    /// A field that is not a file.
    static let longestField = 8192

    private struct Part: Sendable {
        let name: String
        let isFile: Bool
        let body: ArraySlice<UInt8>
    }

    private let parts: [Part]

    /// The fields that are no files, in their order.
    var fields: [(String, String)] {
        parts.filter { !$0.isFile }.map { ($0.name, String(decoding: $0.body, as: UTF8.self)) }
    }

    /// The bytes of a file; `nil` where there is none of that name.
    func file(named name: String) -> [UInt8]? { parts.first { $0.isFile && $0.name == name }.map { Array($0.body) } }

    init(_ body: [UInt8], contentType: String) throws(Problem) {
        guard let boundary = Self.parameter("boundary", of: contentType), (1...70).contains(boundary.utf8.count) else {
            throw Self.malformed
        }
        let line = Array("--\(boundary)".utf8)
        // The first boundary may stand at the very beginning; every other one is on a line of its own.
        guard body.starts(with: line) else { throw Self.malformed }
        let delimiter = [0x0D, 0x0A] + line
        var rest = body[line.count...]
        var parts: [Part] = []
        while !rest.starts(with: [0x2D, 0x2D]) {
            guard parts.count < Self.mostParts, rest.starts(with: [0x0D, 0x0A]) else { throw Self.malformed }
            rest = rest.dropFirst(2)
            guard let headEnd = Self.find([0x0D, 0x0A, 0x0D, 0x0A], in: rest.prefix(Self.longestHead)) else {
                throw Self.malformed
            }
            let head = String(decoding: rest[rest.startIndex..<headEnd], as: UTF8.self)
            rest = rest[(headEnd + 4)...]
            guard let end = Self.find(delimiter, in: rest) else { throw Self.malformed }
            parts.append(try Self.part(head, rest[rest.startIndex..<end], before: parts))
            rest = rest[(end + delimiter.count)...]
        }
        self.parts = parts
    }

    private static var malformed: Problem { Problem(.requestMalformed, "the form cannot be read") }

    private static func part(
        _ head: String, _ body: ArraySlice<UInt8>, before: [Part]
    ) throws(Problem) -> Part {
        let disposition = head.split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-disposition:")
        }
        guard let disposition, disposition.lowercased().contains("form-data"),
            let name = parameter("name", of: String(disposition)), !before.contains(where: { $0.name == name })
        else { throw malformed }
        let isFile = parameter("filename", of: String(disposition)) != nil
        guard isFile || (body.count <= longestField && String(validating: body, as: UTF8.self) != nil) else {
            throw malformed
        }
        return Part(name: name, isFile: isFile, body: body)
    }

    /// The value of a parameter, quoted or not.
    static func parameter(_ name: String, of field: String) -> String? {
        for piece in field.split(separator: ";").dropFirst() {
            let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, String(pair[0]).filter({ $0 != " " }).lowercased() == name else { continue }
            var value = String(pair[1])
            while value.hasSuffix(" ") { value.removeLast() }
            if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
                value = String(value.dropFirst().dropLast())
            }
            return value
        }
        return nil
    }

    /// Where a pattern begins. A file is searched once: by its first byte, then by the rest.
    private static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = pattern.first else { return nil }
        var rest = bytes
        while let place = rest.firstIndex(of: first) {
            if rest[place...].starts(with: pattern) { return place }
            rest = rest[(place + 1)...]
        }
        return nil
    }
}
