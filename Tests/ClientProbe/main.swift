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
print(outcome, peakKilobytes(), peakKilobytes() - first)

func peakKilobytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss
}
