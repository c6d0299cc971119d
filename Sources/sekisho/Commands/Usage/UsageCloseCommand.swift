import Billing
import JSONTree
import VerificationCore

/// `sekisho usage close`: freezes a month, through the running gateway.
struct UsageCloseCommand {
    private let month: BillingMonth
    private let includesUnsettled: Bool
    private let note: String?
    private let options: CommandOptions

    init(_ arguments: [String]) throws(UsageProblem) {
        options = try CommandOptions(
            arguments, single: ["--month", "--gateway", "--key-file", "--note", "--unsettled"])
        guard options.words.isEmpty else { throw UsageProblem("close takes no configuration: it asks the gateway") }
        month = try options.month()
        note = options["--note"]
        switch options["--unsettled"] {
        case nil, "refuse": includesUnsettled = false
        case "include": includesUnsettled = true
        case .some: throw UsageProblem("--unsettled must be include or refuse")
        }
    }

    func run() async throws -> CommandOutcome {
        let gateway = try GatewayCall(options)
        var members: [(String, JSONValue)] = [
            ("month", .string(month.description)), ("include_unsettled", .boolean(includesUnsettled)),
        ]
        if let note { members.append(("note", .string(note))) }
        let body = JSONValue.object(members)
        let (status, json) = try await gateway.post("/v1/usage/closings", body.encoded(), type: "application/json")
        guard status == 201 else { return CommandOutcome(complaints: GatewayCall.words(status, json), status: 1) }
        return CommandOutcome(
            output: "\(month) is closed; statement \(json?["statement"]?.string ?? "")\n", status: 0)
    }
}
