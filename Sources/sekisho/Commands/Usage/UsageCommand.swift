import Foundation
import VerificationCore

/// `sekisho usage …`: what finance does at the end of a month. Reports read the database of a gateway that runs, without
/// a lock; whatever is written goes through the gateway.
struct UsageCommand {
    static let usage = """
        usage: sekisho usage report --month MONTH [options] CONFIG
               sekisho usage attempts --month MONTH [options] CONFIG
               sekisho usage close --month MONTH --gateway URL --key-file FILE [options]
               sekisho usage reconcile --verifier ID --month MONTH --invoice FILE [options] CONFIG

        A month is written 2026-11. Exit status: 0 done, and nothing differs; 1 something differs, or it was refused;
        2 a file, the configuration or the database cannot be read; 64 the call is wrong.

        report      what was done in a month, and what it costs
          --by LIST             some of verifier,client,purpose,day; verifier where left out
          --format FORMAT       table (default), csv or json
          --bom true            begin CSV with a byte order mark, for spreadsheet programs
          --what-if BOOK        price the month by another book; a closed month too, whose statement stays as it is
          --what-if-routes NEW  price the month as if the routes of another configuration had held

        attempts    the calls behind the figures
          --verifier ID         of one verifier
          --format FORMAT       csv (default) or jsonl
          --bom true            begin CSV with a byte order mark

        close       freeze a month, through the running gateway
          --gateway URL         where it listens, such as http://127.0.0.1:8480
          --key-file FILE       the key of a client of the role finance
          --note TEXT           why, where there is something to say
          --unsettled include   close although calls are open or uncertain

        reconcile   compare a provider's invoice with the ledger
          --format FORMAT       text (default), csv (the differences) or json
          --all true            show what agrees as well
          --accept LIST         write what these classes of findings correct, through the running gateway: some of
                                amount_differs, month_differs, theirs_only, ours_only, duplicate_at_theirs,
                                uncertain_resolved, unpriced_at_ours
          --note TEXT           why; --accept demands it
          --gateway, --key-file as above, with --accept; without it they have the gateway compare, which then
                                stands in the audit chain

        """

    static func run(_ arguments: [String]) async -> Int32 {
        await execute(arguments, at: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))).tell()
    }

    /// What the command says to these arguments.
    static func execute(_ arguments: [String], at now: Timestamp) async -> CommandOutcome {
        if arguments == ["--help"] || arguments.isEmpty { return CommandOutcome(output: usage, status: 0) }
        let rest = Array(arguments.dropFirst())
        do {
            switch arguments[0] {
            case "report": return try await UsageReportCommand(rest).run(at: now)
            case "attempts": return try await UsageAttemptsCommand(rest).run(at: now)
            case "close": return try await UsageCloseCommand(rest).run()
            case "reconcile": return try await UsageReconcileCommand(rest).run(at: now)
            default: throw UsageProblem("there is no `usage \(arguments[0])`")
            }
        } catch let problem as UsageProblem {
            return CommandOutcome(complaints: problem.words + "\n\n" + usage, status: 64)
        } catch {
            return CommandOutcome(complaints: "\(error)", status: 2)
        }
    }
}
