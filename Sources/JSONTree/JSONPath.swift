/// How places in a tree are written.
public enum JSONPath {
    /// The longest part of a name that a message shows: names come from outside.
    static let longestName = 48

    /// The path of a member: `parent.name`, or `parent["any name"]` where the name is no plain word.
    public static func member(_ name: String, of parent: String) -> String {
        guard isPlain(name) else { return "\(parent)[\(quoted(name))]" }
        return parent.isEmpty ? name : "\(parent).\(name)"
    }

    /// The path of an element: `parent[index]`.
    public static func element(_ index: Int, of parent: String) -> String { "\(parent)[\(index)]" }

    /// A name in quotation marks, escaped so that it stays on its line, and cut where it is long.
    public static func quoted(_ name: String) -> String {
        let short = name.unicodeScalars.count > longestName
        var bytes: [UInt8] = [0x22]
        for scalar in name.unicodeScalars.prefix(longestName) {
            if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator
            {
                bytes.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".utf8)
            } else if scalar == "\"" || scalar == "\\" {
                bytes.append(contentsOf: "\\\(scalar)".utf8)
            } else {
                bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self) + (short ? "…\"" : "\"")
    }

    private static func isPlain(_ name: String) -> Bool {
        let bytes = name.utf8
        return (1...longestName).contains(bytes.count)
            && bytes.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x5F
                    || $0 == 0x2D
            }
    }
}
