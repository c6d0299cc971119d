/// One HTTP answer, as a test reads it.
public struct RawAnswer: Sendable {
    /// The status code.
    public var status: Int
    /// The fields, names in lower case.
    public var headers: [(name: String, value: String)]
    /// The body's bytes.
    public var body: [UInt8]

    /// The first value of a field; the name in lower case.
    public subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// Reads answers off a connection, one after another.
public struct RawReader {
    private let connection: RawConnection
    private var buffer: [UInt8] = []

    /// A reader of `connection`; a connection has one.
    public init(_ connection: RawConnection) {
        self.connection = connection
    }

    /// The next final answer, interim ones left out; `nil` where none comes in time. `head` is for answers to `HEAD`.
    public mutating func next(head: Bool = false, patience: Duration = .seconds(10)) async -> RawAnswer? {
        let deadline = ContinuousClock.now + patience
        while let answer = await any(head: head, until: deadline) {
            if answer.status >= 200 { return answer }
        }
        return nil
    }

    /// The next answer, interim ones too.
    public mutating func interim(patience: Duration = .seconds(10)) async -> RawAnswer? {
        await any(head: false, until: .now + patience)
    }

    /// Whether the connection closes within a time, with nothing more on it.
    public mutating func isClosed(within patience: Duration = .seconds(5)) async -> Bool {
        guard buffer.isEmpty else { return false }
        switch await connection.receive(patience: patience) {
        case .end, .reset: return true
        case .bytes(let bytes):
            buffer += bytes
            return false
        case .nothing: return false
        }
    }

    private mutating func any(head: Bool, until deadline: ContinuousClock.Instant) async -> RawAnswer? {
        while true {
            if let answer = take(head: head) { return answer }
            guard case .bytes(let bytes) = await connection.receive(patience: deadline - .now) else { return nil }
            buffer += bytes
        }
    }

    private mutating func take(head: Bool) -> RawAnswer? {
        guard let end = Self.endOfHead(buffer) else { return nil }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, let code = first.split(separator: " ").dropFirst().first,
            let status = Int(code)
        else { return nil }
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (
                name: parts[0].lowercased(),
                value: String((parts.dropFirst().first ?? "").drop { $0 == " " })
            )
        }
        let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        let hasBody = !head && status >= 200 && status != 204 && status != 304
        let size = end + 4 + (hasBody ? length : 0)
        guard buffer.count >= size else { return nil }
        let body = Array(buffer[(end + 4)..<size])
        buffer.removeFirst(size)
        return RawAnswer(status: status, headers: headers, body: body)
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }
}
