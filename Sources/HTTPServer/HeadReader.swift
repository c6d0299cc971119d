import CMicrohttpd

/// Reads a head out of libmicrohttpd's buffer, and whether its lines were written as they must be.
///
/// libmicrohttpd 0.9.75 parses in place: it writes a NUL over each colon, over a CR and its LF, or over an LF alone, and
/// hands out pointers into that one buffer. So the distance from one pointer to the next says what stood between them:
/// a bare LF leaves one byte where CRLF leaves two, a NUL inside a value leaves more, and a folded line is copied away.
/// A buffer laid out in any other way is refused, so a library that parses differently refuses rather than admits.
struct HeadReader {
    private var fields: [(name: [UInt8], value: [UInt8])] = []
    private var cursor: UInt
    private var isExact: Bool

    static func read(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        target: [UInt8], targetAddress: UInt
    ) -> RawHead {
        let methodBytes = bytes(method)
        let versionBytes = bytes(version)
        let start = UInt(bitPattern: method)
        let versionStart = UInt(bitPattern: version)
        var reader = HeadReader(
            cursor: versionStart + UInt(versionBytes.count) + lineEnd,
            isExact: targetAddress == start + UInt(methodBytes.count) + 1
                && versionStart == targetAddress + UInt(target.count) + 1)
        withUnsafeMutablePointer(to: &reader) { reader in
            sekisho_each_field(
                connection,
                { context, _, name, nameSize, value, valueSize in
                    context?.assumingMemoryBound(to: HeadReader.self).pointee
                        .add(name: name, nameSize, value: value, valueSize)
                    return MHD_Result.YES
                }, reader)
        }
        let size = sekisho_head_size(connection)
        return RawHead(
            method: methodBytes, target: target, version: versionBytes, fields: reader.fields, size: size,
            isExact: reader.isExact && start + UInt(size) == reader.cursor + lineEnd)
    }

    private init(cursor: UInt, isExact: Bool) {
        self.cursor = cursor
        self.isExact = isExact
    }

    private mutating func add(
        name: UnsafePointer<CChar>?, _ nameSize: Int, value: UnsafePointer<CChar>?, _ valueSize: Int
    ) {
        guard let name else {
            isExact = false
            return
        }
        let nameBytes = Array(UnsafeRawBufferPointer(start: name, count: nameSize))
        guard let value else {
            fields.append((nameBytes, []))
            isExact = false
            return
        }
        fields.append((nameBytes, Array(UnsafeRawBufferPointer(start: value, count: valueSize))))
        let afterColon = UInt(bitPattern: name) + UInt(nameSize) + 1
        let valueStart = UInt(bitPattern: value)
        // libmicrohttpd skips blanks after the colon and nothing else, so the gap needs no look.
        if UInt(bitPattern: name) != cursor || valueStart < afterColon { isExact = false }
        cursor = valueStart &+ UInt(valueSize) &+ Self.lineEnd
    }

    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// CR and LF.
    private static let lineEnd: UInt = 2
}
