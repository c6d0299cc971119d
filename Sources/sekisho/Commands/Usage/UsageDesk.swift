import Billing
import Configuration
import Foundation
import JSONTree
import SQLiteStore
import Usage
import VerificationCore

/// What the commands of usage read: a configuration without its secrets, its price book, and the database it names.
struct UsageDesk {
    let configuration: RecalledConfiguration
    let book: PriceBook
    let reader: LedgerReader

    /// Opens them. `book` is another price book than the configuration's.
    init(configurationAt path: String, bookAt other: String? = nil, at now: Timestamp) throws {
        // No figure depends on a secret, so whoever reports need not have any.
        let loader = ConfigurationLoader(kinds: VerifierKinds.checkers)
        configuration = try loader.recall(try ConfigurationLoader.text(path: path), at: now)
        if let book = other ?? configuration.pricesPath {
            do throws(JSONProblems) {
                self.book = try PricesFile.read(path: book)
            } catch {
                throw UnreadableFile(path: book, problem: error.description)
            }
        } else {
            book = .none
        }
        guard case .sqlite(let database) = configuration.store else {
            throw UnreadableFile(path: path, problem: "the store is in memory: ask the running gateway")
        }
        guard FileManager.default.fileExists(atPath: database) else {
            throw UnreadableFile(path: database, problem: "does not exist")
        }
        reader = try LedgerReader(path: database)
    }

    var reporter: UsageReporter { UsageReporter(reader, book: book) }
}

/// A file that a command needs and cannot use.
struct UnreadableFile: Error, CustomStringConvertible {
    let path: String
    let problem: String

    var description: String { "\(path): \(problem)" }
}

extension CommandOptions {
    /// The month, which must be there.
    func month() throws(UsageProblem) -> BillingMonth {
        guard let text = self["--month"] else { throw UsageProblem("--month is missing") }
        guard let month = BillingMonth(text) else { throw UsageProblem("--month must be a month such as 2026-11") }
        return month
    }

    /// The one word that is the configuration's path.
    func configuration() throws(UsageProblem) -> String {
        guard words.count == 1, let path = words.first else { throw UsageProblem("one configuration is needed") }
        return path
    }

    /// Yes or no; no where nothing is said.
    func flag(_ name: String) throws(UsageProblem) -> Bool {
        switch self[name] {
        case nil, "false": return false
        case "true": return true
        case .some: throw UsageProblem("\(name) must be true or false")
        }
    }

    /// One of a closed set, or the first of it.
    func format(_ known: [String]) throws(UsageProblem) -> String {
        guard let text = self["--format"] else { return known[0] }
        guard known.contains(text) else {
            throw UsageProblem("--format must be one of \(known.joined(separator: ", "))")
        }
        return text
    }
}
