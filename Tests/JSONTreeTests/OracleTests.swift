import Foundation
import JSONTree
import Testing

/// Python's own json module, made as strict as ours, judges the same texts.
@Suite struct OracleTests {
    static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
        where: FileManager.default.isExecutableFile)

    static let script = """
        import json, sys
        def pairs(members):
            if len({name for name, _ in members}) != len(members): raise ValueError("twice")
            return dict(members)
        def constant(name): raise ValueError(name)
        for line in sys.stdin:
            try:
                text = bytes.fromhex(line).decode("utf-8")
                value = json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_int=str, parse_float=str)
                print(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8").hex())
            except (ValueError, RecursionError):
                print("-")
        """

    @Test(.enabled(if: python != nil)) func `python's json accepts what we accept, and reads the same`() throws {
        var generator = Seeded(state: 0x5EED)
        let seeds = GrammarTests.accepted.map(\.0) + GrammarTests.refusedInBoth + StrictnessTests.duplicates
        var texts = seeds.map { Array($0.utf8) } + GrammarTests.notUTF8
        let alphabet = Array(#"{}[]:,"\\u0019aeE+-.tfn \#u{9}"#.utf8) + [0xC3, 0xA9, 0xED]
        for _ in 0..<8000 {
            var text = Array(GrammarTests.accepted.randomElement(using: &generator)?.0.utf8 ?? "".utf8)
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                let place = Int.random(in: 0...text.count, using: &generator)
                let sign = alphabet.randomElement(using: &generator) ?? 0
                if place < text.count, Bool.random(using: &generator) {
                    text[place] = sign
                } else {
                    text.insert(sign, at: place)
                }
            }
            texts.append(text)
        }
        let answers = try ask(texts)
        #expect(answers.count == texts.count)
        var agreed = 0
        for (text, answer) in zip(texts, answers) {
            let ours = (try? JSONNode.parse(text, syntax: .json)).map { hex(compared($0)) } ?? "-"
            #expect(ours == answer, "\(String(decoding: text, as: UTF8.self))")
            agreed += ours == "-" ? 0 : 1
        }
        // A judge who refuses everything would agree with a reader who does.
        #expect(agreed > 500 && agreed < texts.count - 500)
    }

    /// Numbers as strings, as the script has them.
    private func compared(_ node: JSONNode) -> String {
        switch node.kind {
        case .number(let number): JSONValue.string(number.text).text
        case .array(let elements): "[" + elements.map(compared).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.string($0.name).text + ":" + compared($0.value) }.joined(separator: ",") + "}"
        default: rendered(node)
        }
    }

    private func hex(_ text: String) -> String { text.utf8.map { String(format: "%02x", $0) }.joined() }

    private func ask(_ texts: [[UInt8]]) throws -> [String] {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: try #require(OracleTests.python))
        process.arguments = ["-c", OracleTests.script]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let lines = texts.map { $0.map { String(format: "%02x", $0) }.joined() + "\n" }.joined()
        Thread.detachNewThread {
            try? input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
            try? input.fileHandleForWriting.close()
        }
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// SplitMix64: the same texts in each run.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
