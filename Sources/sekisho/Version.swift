/// The version of this program.
enum Version {
    /// The text, as CHANGELOG has it.
    static let text = "0.1.0"
}
