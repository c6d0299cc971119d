/// The options of a command line: `--name value`, and `--flag`.
struct Options {
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// Reads the arguments; an unknown, repeated or incomplete option is an error.
    init(_ arguments: [String], values named: Set<String>, flags known: Set<String> = []) throws {
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            guard argument.hasPrefix("--") else { throw CommandFailure.usage("`\(argument)` is not an option") }
            let name = String(argument.dropFirst(2))
            if known.contains(name) {
                flags.insert(name)
                index += 1
            } else if named.contains(name) {
                guard index + 1 < arguments.count else { throw CommandFailure.usage("`\(argument)` needs a value") }
                guard values[name] == nil else { throw CommandFailure.usage("`\(argument)` is there twice") }
                values[name] = arguments[index + 1]
                index += 2
            } else {
                throw CommandFailure.usage("no option `\(argument)`")
            }
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    func required(_ name: String) throws -> String {
        guard let value = values[name] else { throw CommandFailure.usage("`--\(name)` is missing") }
        return value
    }

    func choice<Value: RawRepresentable & CaseIterable>(_ name: String, _: Value.Type) throws -> Value?
    where Value.RawValue == String {
        guard let text = values[name] else { return nil }
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map { $0.rawValue }.joined(separator: ", ")
            throw CommandFailure.usage("`--\(name)` is one of: \(allowed)")
        }
        return value
    }
}
