import Foundation

/// The gateway's ledger beside the books of the sandbox's providers, call by call.
struct BookComparison {
    /// What the ledger says of one call of an attempt.
    private struct Told {
        var kinds: [String] = []
        /// Who was asked for whom, and each event with its class and outcome: for whoever reads what does not agree.
        var words: [String] = []
        var isCharged = false
        /// Somebody asked, and nobody knows what became of it.
        var isOpen: Bool { kinds.contains("uncertain") && !kinds.contains("resolved") }
    }

    /// What does not agree, in words.
    private(set) var problems: [String] = []
    /// Calls that the ledger has as charged.
    private(set) var charged = 0
    /// Calls of which the ledger says that nobody knows.
    private(set) var uncertain = 0
    /// What the providers charged for.
    private(set) var charges = 0

    /// The call that each class of the sandbox's price lists is charged for.
    private static let steps = ["kakunin": "submit", "submission": "submit", "approval": "submit", "session": "begin"]

    init(_ gateway: RunningGateway, _ sandbox: RunningSandbox) async throws {
        var ledger: [String: Told] = [:]
        let rows = try gateway.sql(
            """
            SELECT attempt || ' ' || call || ' ' || kind || ' ' || billable_class || ' ' || coalesce(outcome, '-') || ' '
              || role || ' ' || verifier || ' ' || session FROM ledger
            WHERE verifier IN ('alpha', 'beta', 'gamma') ORDER BY sequence
            """)
        for row in rows.split(separator: "\n") {
            let cells = row.split(separator: " ").map(String.init)
            guard cells.count == 8 else {
                problems.append("an event that names no call: \(row)")
                continue
            }
            let call = cells[0] + " " + cells[1]
            // A part of a call is told once, and of its ends there is one.
            if ledger[call]?.kinds.contains(cells[2]) == true { problems.append("\(call): \(cells[2]) twice") }
            if ledger[call] == nil { ledger[call, default: Told()].words = [cells[5...].joined(separator: " ")] }
            ledger[call, default: Told()].kinds.append(cells[2])
            ledger[call]?.words.append(cells[2...4].joined(separator: " "))
            if ["ended", "resolved"].contains(cells[2]), cells[3] != "non_billable" { ledger[call]?.isCharged = true }
        }
        var billed: [String: Int] = [:]
        for charge in try await sandbox.charges() {
            guard let attempt = charge["client_reference"] as? String, let name = charge["class"] as? String,
                let step = Self.steps[name]
            else {
                problems.append("a charge that names nothing: \(charge)")
                continue
            }
            billed[attempt + " " + step, default: 0] += 1
            charges += 1
        }
        for (call, times) in billed {
            if times > 1 { problems.append("\(call) was charged \(times) times") }
            guard let told = ledger[call] else {
                problems.append("\(call) was charged, and the ledger does not know it")
                continue
            }
            if !told.isCharged && !told.isOpen { problems.append("\(call) was charged, and told as \(told.words)") }
        }
        for (call, told) in ledger {
            if told.isCharged && billed[call] == nil {
                problems.append("\(call) was told as charged, and was not: \(told.words)")
            }
            if told.kinds.first != "started" { problems.append("\(call) begins with \(told.words)") }
            if told.kinds.count == 1 { problems.append("\(call) has no end: \(told.words)") }
            if told.kinds.contains("ended") && told.kinds.contains("uncertain") {
                problems.append("\(call) ends twice: \(told.words)")
            }
            charged += told.isCharged ? 1 : 0
            uncertain += told.isOpen ? 1 : 0
        }
    }
}
