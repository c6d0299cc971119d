/// The options of a command line: `--name value`, and `--flag`.
struct Options {
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// Reads the arguments; an unknown, repeated or incomplete option is an error.
    init(_ arguments: [String], values named: Set<String>, flags known: Set<String> = []) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let name = String(argument.dropFirst(2))
            guard argument.hasPrefix("--") else { throw CommandFailure.usage("`\(argument)` is not an option") }
            if known.contains(name) {
                flags.insert(name)
            } else if named.contains(name) {
                guard let value = rest.popFirst() else { throw CommandFailure.usage("`\(argument)` needs a value") }
                guard values.updateValue(value, forKey: name) == nil else {
                    throw CommandFailure.usage("`\(argument)` is there twice")
                }
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

    func number<Number: FixedWidthInteger>(_ name: String) throws -> Number? {
        guard let text = values[name] else { return nil }
        guard let number = Number(text) else { throw CommandFailure.usage("`--\(name)` is a number") }
        return number
    }
}
