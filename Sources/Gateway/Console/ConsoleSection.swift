/// The parts of the console, each of one role.
enum ConsoleSection: Sendable, CaseIterable {
    case overview, sessions, usage, audit

    /// Whose it is.
    var role: Client.Role {
        switch self {
        case .overview, .sessions: .operator
        case .usage: .finance
        case .audit: .auditor
        }
    }

    /// Its page.
    var place: ConsolePlace {
        switch self {
        case .overview: ConsolePlace("overview")
        case .sessions: ConsolePlace("sessions")
        case .usage: ConsolePlace("usage")
        case .audit: ConsolePlace("audit")
        }
    }

    /// Its name.
    var phrase: ConsolePhrase {
        switch self {
        case .overview: .overview
        case .sessions: .sessions
        case .usage: .usage
        case .audit: .audit
        }
    }

    /// What a role may open, the page that it begins with first; nothing for an app.
    static func open(to role: Client.Role) -> [ConsoleSection] { allCases.filter { $0.role == role } }
}
