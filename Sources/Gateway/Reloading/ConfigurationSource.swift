public import VerificationCore

/// Opens the configuration anew. The composition root implements it: it alone knows files and kinds of verifier.
public protocol ConfigurationSource: Sendable {
    /// Reads the configuration and opens everything that it names, beside what runs. It changes nothing that runs, and
    /// may take as long as the command of a secret does.
    func open(at now: Timestamp) async throws(ReloadRefusal) -> Running
}

/// Why a configuration was not taken: every problem that was found. Nothing has changed.
public struct ReloadRefusal: Error, Sendable, Hashable {
    /// The problems, at least one.
    public let problems: [ReloadProblem]

    /// A refusal.
    public init(_ problems: [ReloadProblem]) {
        self.problems = problems
    }
}

/// One thing that keeps a configuration from being taken. It never shows a secret, nor where one is kept.
public struct ReloadProblem: Sendable, Hashable {
    /// The place in the configuration.
    public let path: String
    /// Its line, where it has one.
    public let line: Int?
    /// What is wrong there, in words.
    public let problem: String

    /// A problem.
    public init(path: String, line: Int? = nil, problem: String) {
        self.path = path
        self.line = line
        self.problem = problem
    }
}

/// What came of a reload.
public struct ReloadReport: Sendable, Hashable {
    /// How it came out.
    public enum Outcome: String, Sendable, CaseIterable, Hashable {
        /// The configuration runs.
        case applied
        /// It has problems: what ran before goes on.
        case refused
    }

    /// When it was over.
    public let at: Timestamp
    /// How it came out.
    public let outcome: Outcome
    /// The configuration that runs afterwards.
    public let version: String
    /// The configuration that ran before.
    public let previousVersion: String
    /// What is wrong, where it was refused.
    public let problems: [ReloadProblem]
}
