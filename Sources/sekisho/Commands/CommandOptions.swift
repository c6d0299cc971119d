/// The arguments of a command: words, and options with a value.
struct CommandOptions {
    /// The words that belong to no option, in order.
    let words: [String]
    private let values: [String: [String]]

    /// Reads `--name value` and `--name=value`; a problem in words where an argument is none of them. An option that is
    /// not `repeatable` stands once.
    init(_ arguments: [String], single: Set<String>, repeatable: Set<String> = []) throws(UsageProblem) {
        var words: [String] = []
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard single.contains(name) || repeatable.contains(name) else {
                throw UsageProblem("unknown option \(name)")
            }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw UsageProblem("\(name) needs a value")
            }
            if single.contains(name), values[name] != nil { throw UsageProblem("\(name) is given twice") }
            values[name, default: []].append(value)
        }
        self.words = words
        self.values = values
    }

    /// The value of an option that stands once.
    subscript(_ name: String) -> String? { values[name]?.first }

    /// Every value of an option.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// Whether `--format json` asks for JSON; `text` is the default.
    func asksForJSON() throws(UsageProblem) -> Bool {
        switch self["--format"] {
        case nil, "text": false
        case "json": true
        case .some: throw UsageProblem("--format must be text or json")
        }
    }
}

/// A call that cannot be understood.
struct UsageProblem: Error {
    /// What is wrong with it.
    let words: String

    init(_ words: String) {
        self.words = words
    }
}

/// What a command has to say.
struct CommandOutcome {
    /// For standard output.
    var output = ""
    /// For standard error.
    var complaints = ""
    /// The exit status.
    var status: Int32

    /// Says it.
    func tell() -> Int32 {
        if !output.isEmpty { print(output, terminator: "") }
        if !complaints.isEmpty { Terminal.complain(complaints) }
        return status
    }
}
