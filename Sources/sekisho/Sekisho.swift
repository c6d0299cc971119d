import Glibc

/// The program: one command a word.
@main
struct Sekisho {
    static let usage = """
        Sekisho: a gateway for identity verification.

          sekisho serve CONFIG        run the gateway
          sekisho check CONFIG        say everything that is wrong with a configuration
          sekisho route CONFIG OPTIONS
                                      explain which verifier a session would get (sekisho route --help)
          sekisho plan NEW            say what a new configuration would move, and whether that is safe
          sekisho verify OPTIONS      verify one answer of a wallet, offline (sekisho verify --help)
          sekisho usage report|attempts|close|reconcile
                                      a month's usage and cost, its closing, a provider's invoice (sekisho usage --help)
          sekisho ledger verify DATABASE
                                      prove the chain of the ledger, or name its first broken event
          sekisho audit verify CONFIG|DATABASE
                                      prove the audit chain, or name its first broken event
          sekisho backup CONFIG|DATABASE --to FILE
                                      copy the database, also of a gateway that runs, and prove the copy
          sekisho version             say which version this is

        """

    static func main() async {
        CrashTraces.forbid()
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await run(arguments))
    }

    static func run(_ arguments: [String]) async -> Int32 {
        switch arguments.first {
        case "serve": return await ServeCommand.run(Array(arguments.dropFirst()))
        case "check": return await CheckCommand.run(Array(arguments.dropFirst()))
        case "route": return await RouteCommand.run(Array(arguments.dropFirst()))
        case "plan": return await PlanCommand.run(Array(arguments.dropFirst()))
        case "verify": return await VerifyCommand.run(Array(arguments.dropFirst()))
        case "usage": return await UsageCommand.run(Array(arguments.dropFirst()))
        case "ledger": return await LedgerCommand.run(Array(arguments.dropFirst()))
        case "audit": return await AuditCommand.run(Array(arguments.dropFirst()))
        case "backup": return await BackupCommand.run(Array(arguments.dropFirst()))
        case "version", "--version":
            print("sekisho \(Version.text)")
            return 0
        case "help", "--help", "-h":
            print(usage)
            return 0
        case .some, nil:
            Terminal.complain(usage)
            return 64
        }
    }
}
