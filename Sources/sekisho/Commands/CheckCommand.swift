import Configuration
import Foundation
import JSONTree
import VerificationCore

/// `sekisho check FILE`: says everything that is wrong with a configuration, one problem a line, as
/// `path (line): problem`. It opens the verifiers as a start would, because some of it only shows then. Exit 0 where
/// nothing is, 1 where something is, 64 for a wrong call.
struct CheckCommand {
    static let usage = "usage: sekisho check FILE\n"

    static func run(_ arguments: [String]) async -> Int32 {
        guard arguments.count == 1, let path = arguments.first, !path.hasPrefix("-") else {
            FileHandle.standardError.write(Data(usage.utf8))
            return 64
        }
        let now = now()
        let result = CheckReport.make { () throws(JSONProblems) in
            try OpenedConfiguration.forCommand(path: path, at: now).configuration
        }
        (result.isGood ? FileHandle.standardOutput : .standardError).write(Data(result.text.utf8))
        return result.isGood ? 0 : 1
    }

    private static func now() -> Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
}
