public import Billing
import Foundation
public import JSONTree
public import VerificationCore

/// The price book that a configuration names: a file that finance keeps.
public enum PricesFile {
    /// What a configuration says of its price book, and what the book says.
    struct Contents {
        /// Its path; `nil` where none is configured.
        var path: String?
        var book = PriceBook.none
        /// The members of the file.
        var parts: [LoadedPart] = []
    }

    /// Reads the book at a path, or throws everything that is wrong with it. `known` are the verifiers that it may name.
    public static func read(path: String, known: Set<VerifierID>? = nil) throws(JSONProblems) -> PriceBook {
        guard let text = text(of: path) else {
            throw JSONProblems([JSONProblem(path: "", line: 1, problem: "cannot be read")])
        }
        return try PriceBook.read(text, known: known)
    }

    /// The bytes of a file; `nil` where it cannot be read.
    static func text(of path: String) -> [UInt8]? {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), !isDirectory.boolValue,
            let file = try? FileHandle(forReadingFrom: url),
            let data = try? file.read(upToCount: JSONLimits.standard.bytes + 1) ?? Data()
        else { return nil }
        return Array(data)
    }
}

extension ConfigurationReading {
    /// The path of the price book and the book.
    func prices(of verifiers: [VerifierID: VerifierDeclaration]) -> PricesFile.Contents {
        var contents = PricesFile.Contents()
        guard let reader = root.optional("prices"), let path = reader.path(reader.string()) else { return contents }
        contents.path = path
        guard !isRecalled else { return contents }
        guard let text = PricesFile.text(of: path) else {
            // What stands here may have been meant for another place, so it is not repeated.
            reader.report("cannot be read")
            return contents
        }
        do throws(JSONProblems) {
            contents.book = try PriceBook.read(text, known: Set(verifiers.keys))
            if let root = try? JSONNode.parse(text, syntax: .json5) {
                contents.parts = LoadedPart.members(of: root, as: .prices)
            }
        } catch {
            // Not the file's name: whatever was written there by mistake is in no problem.
            for problem in error.problems {
                let place = problem.path.isEmpty ? JSONProblem.wholeDocument : problem.path
                root.problems.append(
                    JSONProblem(
                        path: "\(reader.path): \(place)", line: problem.line, problem: problem.problem))
            }
        }
        return contents
    }
}
