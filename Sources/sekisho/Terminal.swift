import Foundation

/// The two streams of a command-line program.
enum Terminal {
    /// Writes to standard error.
    static func complain(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
        if !text.hasSuffix("\n") { FileHandle.standardError.write(Data("\n".utf8)) }
    }
}
