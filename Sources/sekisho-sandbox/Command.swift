import Foundation
import SandboxKit
import VerificationCore

/// Why a command ended without its work done.
enum CommandFailure: Error {
    /// The command line is wrong.
    case usage(String)
}

/// The commands of `sekisho-sandbox`.
enum Command {
    static let help = """
        sekisho-sandbox: three stand-in providers over HTTPS, for development. Production does not ship it.

          issue  --directory DIR [--wallet DIR] [--force]
                 makes an authority, certificates, keys and secrets; what is there already stays. --wallet is the
                 folder of `sekisho-wallet issue`; the folder above DIR where it is not named
          serve  --directory DIR --port PORT [--control-port PORT] [--webhook URL] [--processing MILLISECONDS]
                 [--require-client-certificate alpha,beta,gamma]
                 serves https://localhost:PORT/alpha, /beta and /gamma until it is stopped. Orders for misbehaviour,
                 counters and invoices are at http://127.0.0.1:CONTROL-PORT/control/

        """

    /// Runs a command; gives the exit status: 0 done, 1 could not, 2 wrong command line.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            switch arguments.first {
            case "issue": try issue(Array(arguments.dropFirst()))
            case "serve": try serve(Array(arguments.dropFirst()))
            case "help", "--help", "-h": print(help, terminator: "")
            case let other?: throw CommandFailure.usage("no command `\(other)`")
            case nil: throw CommandFailure.usage("a command is missing")
            }
            return 0
        } catch CommandFailure.usage(let problem) {
            complain("\(problem)\n\n\(help)")
            return 2
        } catch let error as SandboxError {
            complain("\(error)\n")
            return 1
        } catch {
            complain("unexpected: \(type(of: error))\n")
            return 1
        }
    }

    private static func issue(_ arguments: [String]) throws {
        let options = try Options(arguments, values: ["directory", "wallet"], flags: ["force"])
        let folder = SandboxFolder(path: try options.required("directory"))
        let above = URL(fileURLWithPath: folder.path).deletingLastPathComponent().path
        let made = try folder.issue(wallet: options["wallet"] ?? above, force: options.has("force"), at: now())
        for line in made { print(line) }
    }

    private static func serve(_ arguments: [String]) throws {
        let options = try Options(
            arguments,
            values: ["directory", "port", "control-port", "webhook", "processing", "require-client-certificate"])
        let folder = SandboxFolder(path: try options.required("directory"))
        var configuration = try folder.configuration(clock: now)
        configuration.port = try options.number("port") ?? 0
        configuration.controlPort = try options.number("control-port")
        configuration.webhookURL = options["webhook"]
        if let milliseconds: UInt32 = try options.number("processing") {
            configuration.processing = .milliseconds(milliseconds)
        }
        for name in (options["require-client-certificate"] ?? "").split(separator: ",") {
            guard let provider = ProviderName(rawValue: String(name)) else {
                throw CommandFailure.usage("no provider `\(name)`")
            }
            configuration.demandingClientCertificates.insert(provider)
        }
        StopSignal.hold()
        let sandbox = try Sandbox(configuration)
        try sandbox.start()
        let line = #"{"event":"listening","port":\#(sandbox.port),"control_port":\#(sandbox.controlPort)}"# + "\n"
        FileHandle.standardOutput.write(Data(line.utf8))
        StopSignal.wait()
        sandbox.stop()
    }

    @Sendable private static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data(("sekisho-sandbox: " + text).utf8))
    }
}
