/// The head of an answer, line by line as libcurl hands it over: heads of provisional answers first, trailers last.
struct AnswerHead {
    enum Problem: Error {
        case tooLarge, malformed
    }

    /// The fields of the last head.
    private(set) var fields = OutboundHeaders()
    private var bytes = 0
    private var isFinal = false
    /// Whether the empty line after the last head has come: libcurl takes a head that was cut off for a whole one.
    private(set) var isComplete = false

    mutating func take(_ line: UnsafeRawBufferPointer, within limits: OutboundLimits) throws(Problem) {
        bytes += line.count
        guard bytes <= limits.headerBytes else { throw .tooLarge }
        var text = line[...]
        while let last = text.last, last == 0x0A || last == 0x0D { text = text.dropLast() }
        if line.starts(with: "HTTP/".utf8) {
            fields = OutboundHeaders()
            // "HTTP/1.1 200": provisional answers have a status that begins with 1.
            isFinal = !text.drop { $0 != 0x20 }.dropFirst().starts(with: "1".utf8)
            isComplete = false
        } else if text.isEmpty {
            isComplete = isFinal
        } else if !isComplete {
            try takeField(text, within: limits)
        }
        // What follows a complete head are trailers: counted above, and never taken for fields of the head.
    }

    private mutating func takeField(_ text: Slice<UnsafeRawBufferPointer>, within limits: OutboundLimits)
        throws(Problem)
    {
        // RFC 9112 section 5.2: a line that begins with white space continues the one before, and is to be refused.
        guard let first = text.first, first != 0x20, first != 0x09, let colon = text.firstIndex(of: 0x3A),
            colon > text.startIndex
        else { throw .malformed }
        guard fields.fields.count < limits.headerFields else { throw .tooLarge }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var value = text[text.index(after: colon)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value = value.dropLast() }
        fields.fields.append(
            (name: String(decoding: text[..<colon], as: UTF8.self), value: String(decoding: value, as: UTF8.self)))
    }
}
