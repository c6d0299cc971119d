import Foundation

extension Answer {
    /// The same answer spoilt; `nil` for a fault that does not touch the bytes of an answer.
    func spoilt(by fault: Fault, now: Date) -> Delivery? {
        var answer = self
        switch fault {
        case .slow(let milliseconds): return .later(milliseconds: milliseconds, .answer(self))
        case .timeout: return .silence
        case .resetAfterReading: return .reset
        case .tooManyRequests(let seconds, let asDate):
            let value = asDate ? Self.httpDate(now.addingTimeInterval(Double(seconds))) : String(seconds)
            return .answer(Answer(429, headers: [("Retry-After", value), ("Content-Type", "text/plain")]))
        case .unavailable: return .answer(Answer(503))
        case .htmlError: return .answer(Self.page)
        case .gzipBomb:
            answer.headers = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
            answer.body = GzipBomb.bytes
            return .answer(answer)
        case .badJSON: answer.body = Array(#"{"status": verified, }"#.utf8)
        case .truncatedJSON: answer.body = Array(body.prefix(body.count / 2))
        case .duplicateKeys: answer.body = Self.doubled(body)
        case .byteOrderMark: answer.body = [0xEF, 0xBB, 0xBF] + body
        case .redirect(let location): return .answer(Answer(307, headers: [("Location", location)]))
        case .emptyAnswer: return .answer(Answer(200, headers: [("Content-Type", "application/json")]))
        case .noContent: return .answer(Answer(204))
        case .cutBody: return .cut(self)
        case .resetBeforeReading, .wrongReference, .unknownStatus, .individualNumber, .revised, .lateWebhook,
            .duplicateWebhook, .wronglySignedWebhook, .webhookForAnother, .lostWebhook, .tokenExpiresAtOnce,
            .tokenLifetime:
            return nil
        }
        return .answer(answer)
    }

    private static let page = Answer.text(
        500, "<!DOCTYPE html><html><head><title>500</title></head><body><h1>It broke</h1></body></html>",
        type: "text/html")

    /// An object's members, and behind them the same names again with `null`.
    private static func doubled(_ body: [UInt8]) -> [UInt8] {
        guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any], body.last == 0x7D
        else { return body }
        let again = object.keys.sorted().map { "\"\($0)\":null" }.joined(separator: ",")
        return body.dropLast() + Array(",\(again)}".utf8)
    }

    /// IMF-fixdate (RFC 9110 section 5.6.7).
    private static func httpDate(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A compressed answer that is a thousand times larger than it looks, made by the real gzip.
enum GzipBomb {
    /// What it unpacks to.
    static let unpackedLength = 200 << 20

    /// About 200 kB; empty where this machine has no gzip.
    static let bytes: [UInt8] = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "head -c \(unpackedLength) /dev/zero | gzip -9"]
        let output = Pipe()
        process.standardOutput = output
        guard (try? process.run()) != nil else { return [] }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Array(data)
    }()
}
