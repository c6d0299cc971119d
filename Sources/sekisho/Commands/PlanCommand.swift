import Configuration
import Foundation
import Gateway
import JSONTree
import SQLiteStore
import VerificationCore

/// `sekisho plan NEW`: says what a new configuration would do to the gateway that runs, and whether that is safe. It
/// reads the gateway's database beside it, takes no lock and changes nothing.
struct PlanCommand {
    static let usage = """
        usage: sekisho plan NEW [--against CURRENT] [--format text|json]

        Says what the configuration NEW would move, what stays, and what is wrong with it. It is compared with what the
        gateway runs, by its database, or with the file CURRENT. Exit status: 0 it is safe, 1 it is not, 2 it is no good
        configuration, or the database cannot be read.

        """

    static func run(_ arguments: [String]) async -> Int32 {
        await execute(arguments, at: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))).tell()
    }

    /// What the command says to these arguments.
    static func execute(_ arguments: [String], at now: Timestamp) async -> CommandOutcome {
        if arguments == ["--help"] { return CommandOutcome(output: usage, status: 0) }
        var asJSON = false
        do {
            let options = try CommandOptions(arguments, single: ["--against", "--format"])
            asJSON = try options.asksForJSON()
            guard options.words.count == 1, let path = options.words.first else {
                throw UsageProblem("one new configuration is needed")
            }
            let plan = Plan(try await facts(path: path, against: options["--against"], at: now))
            return CommandOutcome(
                output: asJSON ? plan.json.text + "\n" : plan.text, status: plan.isSafe ? 0 : 1)
        } catch let problem as UsageProblem {
            return CommandOutcome(complaints: problem.words + "\n\n" + usage, status: 64)
        } catch let problems as JSONProblems where asJSON {
            return CommandOutcome(output: json(problems).text + "\n", status: 2)
        } catch {
            return CommandOutcome(complaints: "\(error)", status: 2)
        }
    }

    private static func facts(path: String, against current: String?, at now: Timestamp) async throws -> Plan.Facts {
        let opened = try OpenedConfiguration.forCommand(path: path, at: now)
        var facts = Plan.Facts(
            before: nil, after: RecalledConfiguration(opened.configuration), inventory: opened.inventory(),
            alarms: opened.verifiers.reduce(into: [:]) {
                $0[$1.description.id] = $1.health?.health(at: now).alarms ?? []
            }, pinned: [], sealingKeysInUse: [], at: now)
        let loader = ConfigurationLoader(kinds: VerifierKinds.checkers)
        if let current { facts.before = try loader.recall(try ConfigurationLoader.text(path: current), at: now) }
        guard case .sqlite(let database) = opened.configuration.store,
            FileManager.default.fileExists(atPath: database)
        else { return facts }
        let reader = try StoreReader(path: database)
        do {
            if current == nil, let version = try await reader.setting("configuration.running"),
                let form = try await reader.setting("configuration:" + String(decoding: version, as: UTF8.self))
            {
                facts.before = try loader.recall(form, at: now)
                if let kept = try await reader.setting(Inventory.setting), let before = Inventory(decoding: kept) {
                    facts.inventoryBefore = before
                    facts.inventory = opened.inventory(keyID: before.keyID)
                }
            }
            facts.sealingKeysWrong = try await opened.keys.contradicted { name async throws(StoreError) in
                try await reader.setting(name)
            }
            facts.pinned = try await reader.pinned()
            facts.sealingKeysInUse = try await reader.sealingKeyNames()
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
        return facts
    }

    private static func json(_ problems: JSONProblems) -> JSONValue {
        .object([
            ("safe", .boolean(false)),
            (
                "problems",
                .array(
                    problems.problems.map {
                        .object([
                            ("path", .string($0.path)), ("line", .integer($0.line)), ("problem", .string($0.problem)),
                        ])
                    })
            ),
        ])
    }
}
