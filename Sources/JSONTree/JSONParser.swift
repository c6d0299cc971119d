extension JSONNode {
    /// Reads a text: one value, with nothing but white space (and, in JSON5, comments) around it.
    ///
    /// Throws every problem that was found. A name that occurs twice in one object, also where one of the two is
    /// escaped, is a problem, because two readers of such a text see two different values.
    public static func parse(
        _ bytes: [UInt8], syntax: JSONSyntax, limits: JSONLimits = .standard
    ) throws(JSONProblems) -> JSONNode {
        let list = JSONProblemList()
        let node = parse(bytes, syntax: syntax, limits: limits, problems: list)
        try list.throwIfAny()
        guard let node else { throw JSONProblems([JSONProblem(path: "", line: 1, problem: "cannot be read")]) }
        return node
    }

    /// Reads a text and goes on after duplicate names, so that the rest can be judged too; `nil` after a mistake of
    /// grammar. Whatever is found goes into `problems`, and a tree may only be used while that list is empty.
    public static func parse(
        _ bytes: [UInt8], syntax: JSONSyntax, limits: JSONLimits = .standard, problems: JSONProblemList
    ) -> JSONNode? {
        var parser = JSONParser(bytes, syntax: syntax, limits: limits, problems: problems)
        return parser.document()
    }
}

/// Ends the reading of a text after a mistake of grammar; the problem is in the list already.
struct JSONStop: Error {}

/// The reader of a text. It recurses by nesting only, and ``JSONLimits/depth`` bounds that.
struct JSONParser {
    let bytes: [UInt8]
    let isJSON5: Bool
    let limits: JSONLimits
    let problems: JSONProblemList
    var index = 0
    var line = 1
    var lineStart = 0
    private var depth = 0
    private var values = 0
    private var path: [Step] = []

    private enum Step {
        case name(String)
        case index(Int)
    }

    init(_ bytes: [UInt8], syntax: JSONSyntax, limits: JSONLimits, problems: JSONProblemList) {
        self.bytes = bytes
        self.isJSON5 = syntax == .json5
        self.limits = limits
        self.problems = problems
    }

    mutating func document() -> JSONNode? {
        do throws(JSONStop) {
            try checkWhole()
            try skipWhiteSpace()
            let root = try value()
            try skipWhiteSpace()
            if index < bytes.count { throw stop("something follows the end of the document") }
            return root
        } catch {
            return nil
        }
    }

    /// Notes a problem at the place reached, and ends the reading.
    func stop(_ problem: String) -> JSONStop {
        note(problem, line: line)
        return JSONStop()
    }

    private func note(_ problem: String, line: Int) {
        var text = ""
        for step in path {
            switch step {
            case .name(let name): text = JSONPath.member(name, of: text)
            case .index(let index): text = JSONPath.element(index, of: text)
            }
        }
        problems.append(JSONProblem(path: text, line: line, problem: problem))
    }

    var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    func at(_ offset: Int) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

    private mutating func checkWhole() throws(JSONStop) {
        if bytes.count > limits.bytes { throw stop("is longer than \(limits.bytes) bytes") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw stop("begins with a byte order mark; save the file as UTF-8 without one")
        }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw stop("is UTF-16; it must be UTF-8")
        }
        if let offset = UTF8Check.firstInvalid(in: bytes) {
            line = 1 + UTF8Check.lineBreaks(in: bytes[..<offset])
            throw stop("is not UTF-8")
        }
    }

    private mutating func value() throws(JSONStop) -> JSONNode {
        values += 1
        if values > limits.values { throw stop("holds more than \(limits.values) values") }
        let (line, column) = (line, index - lineStart + 1)
        return JSONNode(kind: try kind(), line: line, column: column)
    }

    private mutating func kind() throws(JSONStop) -> JSONNode.Kind {
        guard let byte = current else { throw stop("ends where a value is expected") }
        switch byte {
        case 0x7B: return .object(try nested { (parser) throws(JSONStop) in try parser.object() })
        case 0x5B: return .array(try nested { (parser) throws(JSONStop) in try parser.array() })
        case 0x22: return .string(try string())
        case 0x27 where isJSON5: return .string(try string())
        case 0x74 where takeWord("true"): return .boolean(true)
        case 0x66 where takeWord("false"): return .boolean(false)
        case 0x6E where takeWord("null"): return .null
        default: return .number(try number())
        }
    }

    private mutating func nested<Value>(
        _ body: (inout JSONParser) throws(JSONStop) -> Value
    ) throws(JSONStop) -> Value {
        depth += 1
        defer { depth -= 1 }
        if depth > limits.depth { throw stop("is nested deeper than \(limits.depth)") }
        index += 1
        return try body(&self)
    }

    private mutating func array() throws(JSONStop) -> [JSONNode] {
        var elements: [JSONNode] = []
        try skipWhiteSpace()
        if take(0x5D) { return elements }
        while true {
            path.append(.index(elements.count))
            elements.append(try value())
            path.removeLast()
            if try closes(0x5D, "a comma or a closing bracket is expected") { return elements }
        }
    }

    private mutating func object() throws(JSONStop) -> [JSONMember] {
        var members: [JSONMember] = []
        var names: Set<String> = []
        try skipWhiteSpace()
        if take(0x7D) { return members }
        while true {
            let (line, column) = (line, index - lineStart + 1)
            let name = try memberName()
            path.append(.name(name))
            let isNew = names.insert(name).inserted
            if !isNew { note("occurs twice in its object", line: line) }
            try skipWhiteSpace()
            guard take(0x3A) else {
                throw stop(
                    isJSON5
                        ? "a colon is expected after the name, which needs quotation marks if it is no plain word"
                        : "a colon is expected after the name")
            }
            try skipWhiteSpace()
            let value = try value()
            if isNew { members.append(JSONMember(name: name, line: line, column: column, value: value)) }
            path.removeLast()
            if try closes(0x7D, "a comma or a closing brace is expected") { return members }
        }
    }

    private mutating func memberName() throws(JSONStop) -> String {
        if current == 0x22 || isJSON5 && current == 0x27 { return try string() }
        if isJSON5, let name = try identifier() { return name }
        throw stop("a name is expected")
    }

    /// After an element: whether the closing sign follows, alone or (JSON5) after a last comma.
    private mutating func closes(_ end: UInt8, _ problem: String) throws(JSONStop) -> Bool {
        try skipWhiteSpace()
        if take(end) { return true }
        guard take(0x2C) else { throw stop(problem) }
        try skipWhiteSpace()
        if current == end, !isJSON5 { throw stop("a comma stands before the end") }
        return take(end)
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    /// Takes a whole word: `nullable` is not `null`.
    mutating func takeWord(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
        guard matches, at(count).map({ !isWordByte($0) }) ?? true else { return false }
        index += count
        return true
    }

    func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x5F || byte == 0x24
            || byte >= 0x80
    }
}
