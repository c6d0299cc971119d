import Glibc
import HTTPClient

// client-probe URL AUTHORITY COUNT: sends as many requests, one after another, and says what became of the last, and by
// how many kilobytes the process has grown meanwhile.
let arguments = CommandLine.arguments
let client = try HTTPClient()
let request = OutboundRequest(
    method: "GET", url: arguments[1], connection: .reuse,
    tls: TLSSettings(certificateAuthorityFile: arguments[2]), pool: "probe")
var outcome = ""
let first = peakKilobytes()
for _ in 0..<(Int(arguments[3]) ?? 1) {
    do {
        outcome = "answered \(try await client.send(request).status)"
    } catch {
        outcome = "\(error.code.rawValue) \(error.wasSent)"
    }
}
client.shutdown()
print(outcome, first, peakKilobytes() - first)

/// The peak since the program began: `getrusage` would count what the process was before.
func peakKilobytes() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split { $0 == " " || $0 == "\t" }
        if words.first == "VmHWM:" { return Int(words[1]) ?? 0 }
    }
    return 0
}
