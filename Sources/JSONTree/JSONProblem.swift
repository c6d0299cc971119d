/// Something wrong with a text, and where. It never holds a value of the text: that could be a secret.
public struct JSONProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place in the tree, such as `verifiers.in-house.trust[0].path`; empty for the whole.
    public let path: String
    /// The line, from 1.
    public let line: Int
    /// What is wrong, in words.
    public let problem: String

    /// A problem.
    public init(path: String, line: Int, problem: String) {
        self.path = path
        self.line = line
        self.problem = problem
    }

    /// `path (line): problem`.
    public var description: String {
        "\(path.isEmpty ? JSONProblem.wholeDocument : path) (\(line)): \(problem)"
    }

    /// What stands for an empty path.
    public static let wholeDocument = "document"
}

/// All problems of a text at once, never none.
public struct JSONProblems: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems, in the order of the text.
    public let problems: [JSONProblem]

    /// Problems; sorted by line, those of one line as they were found.
    public init(_ problems: [JSONProblem]) {
        self.problems = problems.enumerated()
            .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }

    /// One line for each.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Where readers of one text put what they find.
public final class JSONProblemList {
    /// The most problems that are kept: beyond that, nobody reads on, and a hostile text must not cost memory.
    public static let limit = 500

    /// What was found so far.
    public private(set) var problems: [JSONProblem] = []

    /// An empty list.
    public init() {}

    /// Keeps a problem.
    public func append(_ problem: JSONProblem) {
        if problems.count < JSONProblemList.limit { problems.append(problem) }
    }

    /// Throws all problems, if there are any.
    public func throwIfAny() throws(JSONProblems) {
        if !problems.isEmpty { throw JSONProblems(problems) }
    }
}
