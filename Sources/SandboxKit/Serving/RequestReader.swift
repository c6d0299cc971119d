/// Reads requests off a stream, one after another. What it cannot read ends the connection: it serves our own client.
struct RequestReader {
    /// The most bytes of a head.
    static let longestHead = 64 << 10
    /// The most bytes of a body: the largest blob and room to spare.
    static let longestBody = 16 << 20

    private let stream: any ByteStream
    private var buffer: [UInt8] = []

    init(_ stream: any ByteStream) {
        self.stream = stream
    }

    /// The next request; `nil` where the client has ended, or sent what is no request.
    mutating func next() -> Request? {
        guard let head = takeHead() else { return nil }
        let lines = head.components("\r\n")
        guard let first = lines.first?.split(separator: " "), first.count == 3, first[2].hasPrefix("HTTP/1.") else {
            return nil
        }
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                name: parts[0].lowercased(), value: (parts.dropFirst().first ?? "").trimming()
            )
        }
        if headers.contains(where: { $0.name == "expect" && $0.value.lowercased() == "100-continue" }) {
            guard stream.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { return nil }
        }
        guard let body = takeBody(headers) else { return nil }
        return Request(method: String(first[0]), target: String(first[1]), headers: headers, body: body)
    }

    private mutating func takeHead() -> String? {
        while true {
            if let end = Self.endOfHead(buffer) {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 4)
                return head
            }
            guard buffer.count <= Self.longestHead, fill() else { return nil }
        }
    }

    private mutating func takeBody(_ headers: [(name: String, value: String)]) -> [UInt8]? {
        if headers.contains(where: { $0.name == "transfer-encoding" }) { return takeChunks() }
        let text = headers.first { $0.name == "content-length" }?.value ?? "0"
        guard let length = Int(text), (0...Self.longestBody).contains(length) else { return nil }
        return take(length)
    }

    private mutating func takeChunks() -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            guard let line = takeLine(), let size = Int(line.prefix { $0 != ";" }, radix: 16),
                (0...Self.longestBody).contains(body.count + size), let chunk = take(size), takeLine() == ""
            else { return nil }
            body += chunk
            if size == 0 { return body }
        }
    }

    private mutating func takeLine() -> String? {
        while true {
            if let end = buffer.indices.dropLast().first(where: { buffer[$0] == 13 && buffer[$0 + 1] == 10 }) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 2)
                return line
            }
            guard buffer.count <= Self.longestHead, fill() else { return nil }
        }
    }

    private mutating func take(_ count: Int) -> [UInt8]? {
        while buffer.count < count { guard fill() else { return nil } }
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    private mutating func fill() -> Bool {
        let bytes = stream.read()
        buffer += bytes
        return !bytes.isEmpty
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }
    }
}

extension StringProtocol {
    /// Without blanks at either end.
    func trimming() -> String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(String(start.reversed().drop { $0 == " " || $0 == "\t" }).reversed())
    }

    /// The parts between separators.
    ///
    /// By bytes: to Swift, CR LF is one character, which no half of it equals.
    func components(_ separator: String) -> [String] {
        let mark = Array(separator.utf8)
        let bytes = Array(utf8)
        var parts: [String] = []
        var start = 0
        var index = 0
        while index + mark.count <= bytes.count {
            if bytes[index..<(index + mark.count)].elementsEqual(mark) {
                parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
                index += mark.count
                start = index
            } else {
                index += 1
            }
        }
        parts.append(String(decoding: bytes[start...], as: UTF8.self))
        return parts
    }
}
