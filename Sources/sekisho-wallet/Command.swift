import Foundation
import JSONTree
import WalletKit

/// Why a command ended without its answer.
enum CommandFailure: Error {
    /// The command line is wrong.
    case usage(String)
    /// Something could not be read or written.
    case failed(String)
}

/// The commands of `sekisho-wallet`.
enum Command {
    static let help = """
        sekisho-wallet: a phone's wallet and the issuer behind it, for tests. Production does not ship it.

          issue   --directory DIR [--document jp|mdl] [--profile basic|iso18013-5] [--team-id ID] [--force]
                  makes an issuer, a merchant key, a sealing key and cards; what is there already stays
          present --directory DIR --request FILE|- [--fault NAME | --variant NAME] [--portrait small|large]
                  [--team-id ID] [--merchant-key FILE] [--at TIME] [--raw FILE]
                  answers the gateway's wallet_request (or the whole session) with {"encrypted_data": ...}, sealed to
                  merchant.key, or to another merchant's key where the request names that merchant
          request [--document jp|mdl] [--merchant-id ID] [--elements a,b]
                  prints a sample wallet_request with a fresh nonce
          faults  [--json]   every fault: name, check, reason, what is wrong
          variants [--json]  odd but right answers, which must verify

        """

    /// Runs a command; gives the exit status: 0 done, 1 could not, 2 wrong command line.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            try dispatch(arguments)
            return 0
        } catch CommandFailure.usage(let problem) {
            complain("sekisho-wallet: \(problem)\n\n\(help)")
            return 2
        } catch CommandFailure.failed(let problem) {
            complain("sekisho-wallet: \(problem)\n")
            return 1
        } catch let error as WalletError {
            complain("sekisho-wallet: \(describe(error))\n")
            return 1
        } catch {
            complain("sekisho-wallet: unexpected: \(type(of: error))\n")
            return 1
        }
    }

    private static func dispatch(_ arguments: [String]) throws {
        guard let name = arguments.first else { throw CommandFailure.usage("a command is missing") }
        let rest = Array(arguments.dropFirst())
        switch name {
        case "issue": try IssueCommand.run(rest)
        case "present": try PresentCommand.run(rest)
        case "request": try RequestCommand.run(rest)
        case "faults": try ListCommand.faults(rest)
        case "variants": try ListCommand.variants(rest)
        case "help", "--help", "-h": print(help, terminator: "")
        default: throw CommandFailure.usage("no command `\(name)`")
        }
    }

    private static func describe(_ error: WalletError) -> String {
        switch error {
        case .cryptography(let operation): "libcrypto refused: \(operation)"
        case .unreadable(let what): "not readable: \(what)"
        case .unknownFault(let name): "no fault or variant `\(name)`; `sekisho-wallet faults` lists them"
        case .documentUnavailable(let type): "no card for `\(type)`; `sekisho-wallet issue` makes one"
        }
    }

    private static func complain(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
