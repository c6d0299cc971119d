import Cryptography

/// The encoded certificates or CRLs of a file: the blocks of a PEM file, or the one of a DER file.
enum TrustBlocks {
    struct Block {
        let number: Int
        let der: [UInt8]
    }

    /// The blocks of a file, all of the kind `label`; whatever is wrong is added to `problems` with its block's number.
    static func blocks(of file: TrustFiles.File, label: String, _ problems: inout [TrustProblem]) -> [Block] {
        // A certificate or a CRL is a SEQUENCE of more than 127 bytes.
        if file.bytes.first == 0x30, file.bytes.dropFirst().first.map({ $0 >= 0x80 }) ?? false {
            return [Block(number: 1, der: file.bytes)]
        }
        let found: [PEM.Block]
        do throws(PEM.Problem) {
            found = try PEM.blocks(file.bytes)
        } catch {
            let number = block(at: error.line, of: file.bytes)
            problems.append(TrustProblem(path: file.path, block: number, fault: .malformedBlock))
            return []
        }
        if found.isEmpty { problems.append(TrustProblem(path: file.path, fault: .noBlock)) }
        var blocks: [Block] = []
        for (index, block) in found.enumerated() {
            if block.label != label {
                problems.append(TrustProblem(path: file.path, block: index + 1, fault: .unexpectedBlock))
            } else if block.isEncrypted {
                problems.append(TrustProblem(path: file.path, block: index + 1, fault: .malformedBlock))
            } else {
                blocks.append(Block(number: index + 1, der: block.bytes))
            }
        }
        return blocks
    }

    /// The number of the block that a line belongs to; a block that begins inside another belongs to that one's trouble.
    private static func block(at line: Int, of bytes: [UInt8]) -> Int {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(line)
            .map { $0.drop { $0 == 0x20 || $0 == 0x09 } }
        func count(_ mark: String, _ lines: some Sequence<ArraySlice<UInt8>>) -> Int {
            lines.count { $0.starts(with: mark.utf8) }
        }
        let begun = count("-----BEGIN ", lines.dropLast())
        let isInside = begun > count("-----END ", lines.dropLast())
        return max(1, isInside ? begun : count("-----BEGIN ", lines))
    }
}
