import Configuration
import Foundation
import JSONTree
import VerificationCore

/// `sekisho check FILE`: says everything that is wrong with a configuration, one problem a line, as
/// `path (line): problem`. Exit 0 where nothing is, 1 where something is, 64 for a wrong call.
struct CheckCommand {
    static let usage = "usage: sekisho check FILE\n"

    static func run(_ arguments: [String]) async -> Int32 {
        guard arguments.count == 1, let path = arguments.first, !path.hasPrefix("-") else {
            FileHandle.standardError.write(Data(usage.utf8))
            return 64
        }
        let result = CheckReport.make(path: path, kinds: VerifierKinds.checkers, now: now())
        (result.isGood ? FileHandle.standardOutput : .standardError).write(Data(result.text.utf8))
        return result.isGood ? 0 : 1
    }

    private static func now() -> Timestamp {
        Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    }
}
