import Foundation

/// Lines on standard output, each in one write, so that two threads never mix theirs.
enum StandardOutput {
    static func write(line: String) {
        // A reader that went away must not stop the gateway.
        try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }
}
