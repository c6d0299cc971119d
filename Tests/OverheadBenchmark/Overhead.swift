import Foundation
import HTTPClient

/// What the gateway costs: a submission through it beside the same provider called directly by the same load tool, and
/// the gateway's own processor time, told apart by leaving one thing out after another.
///
/// All ways take turns, and a ratio is between figures of one turn, so that both sides of it met the same neighbours.
@main
struct Overhead {
    /// Enough for a median that two loud neighbours cannot move.
    static let turns = 7
    /// Submissions of each way in a turn: the third-slowest is the 99th percentile.
    static let repeats = 300

    /// What was measured in one turn.
    struct Turn {
        var direct: [Load.Measured] = []
        var through: [Load.Measured] = []
        var memory = Load.Measured()
        var inHouse = Load.Measured()
        var refused = Load.Measured()
    }

    static func main() async {
        do {
            let arguments = CommandLine.arguments
            guard arguments.count == 3 else {
                throw Failure(words: "usage: sekisho-overhead SEKISHO MANIFEST-OF-ALPHA")
            }
            try await run(program: URL(fileURLWithPath: arguments[1]), manifest: URL(fileURLWithPath: arguments[2]))
        } catch {
            FileHandle.standardError.write(Data("sekisho-overhead: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(program: URL, manifest: URL) async throws {
        let bed = try Bed(manifest: manifest)
        let onDisk = try GatewayProcess(
            program: program, configuration: try bed.configuration(store: #"{ path: "bench.sqlite3" }"#))
        defer { onDisk.stop() }
        let inMemory = try GatewayProcess(
            program: program, configuration: try bed.configuration(store: #"{ kind: "memory" }"#))
        defer { inMemory.stop() }
        let load = Load(client: try HTTPClient(), bed: bed)
        var turns: [Turn] = []
        for number in 0...Self.turns {
            let turn = Turn(
                direct: [try await load.direct(repeats, fresh: false), try await load.direct(repeats, fresh: true)],
                through: [
                    try await load.through(onDisk, purpose: "alpha", repeats),
                    try await load.through(onDisk, purpose: "alpha-fresh", repeats),
                ],
                memory: try await load.through(inMemory, purpose: "alpha", repeats),
                inHouse: try await load.through(inMemory, purpose: "in-house", repeats),
                refused: try await load.refused(inMemory, repeats))
            if number > 0 { turns.append(turn) }
        }
        Report(turns: turns).show()
    }
}
