/// The names that a configuration gives to clients, purposes, verifiers and keys. They stand in logs, metrics and
/// ledgers, so they are plain.
enum ConfiguredName {
    /// The longest name.
    static let longest = 64

    /// The form, in words for a message.
    static let form = "lower-case letters, digits, '-', '_' and '.', a letter or digit first, at most \(longest) in all"

    /// Whether a text is such a name.
    static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, (0x61...0x7A).contains(first) || (0x30...0x39).contains(first),
            bytes.count <= longest
        else { return false }
        return bytes.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F || $0 == 0x2E
        }
    }
}
