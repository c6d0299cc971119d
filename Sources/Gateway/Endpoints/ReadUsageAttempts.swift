import Billing
import HTTPServer
import JSONTree
import Usage
import VerificationCore

/// `GET /v1/usage/attempts`: the calls behind a month's figures, page by page. The next page's address is in `Link`.
struct ReadUsageAttempts: Sendable {
    /// Calls in one answer, unless it is asked for fewer or more.
    static let usualLimit = 1000
    /// The most calls in one answer: a few megabytes.
    static let maximumLimit = 10_000

    /// The forms that it is given in.
    enum Format: String, CaseIterable, Sendable {
        case jsonl, csv
    }

    let sessions: SessionService

    func answer(_ request: GatewayRequest) async throws(Problem) -> Answer {
        let client = try request.client(.finance)
        var query = QueryReader(request.http.query)
        let month = try query.month()
        let verifier = try query.value("verifier").map { VerifierID($0) }
        let format = try query.enumeration("format", as: Format.self) ?? .jsonl
        let hasMark = try query.flag("bom")
        let limit = try query.number("limit", in: 1...Self.maximumLimit) ?? Self.usualLimit
        var place: CallPlace?
        if let text = try query.value("cursor") {
            place = CallPlace(text: text)
            guard place != nil else { throw Problem(.requestInvalid, "cursor must be the next of another answer") }
        }
        try query.rejectUnknown(known: "month, verifier, format, bom, limit, cursor")
        try await sessions.audit(.usageDownloaded, by: client, subject: month.description)
        let page = try await UsageService(sessions: sessions).calls(
            of: month, verifier: verifier, after: place, limit: limit)
        var headers: [(String, String)] = []
        if let next = page.next {
            let others = request.http.query.filter { $0.0 != "cursor" }
            headers.append(("Link", "<\(Self.address(others + [("cursor", next.text)]))>; rel=\"next\""))
        }
        switch format {
        case .jsonl:
            var lines: [UInt8] = []
            for row in page.rows { lines += row.json.encoded() + [UInt8(ascii: "\n")] }
            return Answer(.file(lines, type: UsageMedia.lines, headers: headers))
        case .csv:
            var writer = CSVWriter(byteOrderMark: hasMark && place == nil)
            // The head stands on the first page alone: pages one after the other are one file.
            if place == nil { writer.line(CallRow.columns.map { .text($0) }) }
            for row in page.rows { writer.line(row.cells) }
            return Answer(.file(writer.bytes, type: UsageMedia.csv, headers: headers))
        }
    }

    private static func address(_ pairs: [(String, String)]) -> String {
        "/v1/usage/attempts?"
            + pairs.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
    }

    /// Everything but the unreserved characters (RFC 3986, 2.3).
    private static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
    }
}

extension CallPlace {
    /// A text that nobody has to understand.
    var text: String {
        ByteText.base64URL(Array("\(cursor.time.milliseconds) \(cursor.sequence) \(verifier)".utf8))
    }

    /// Reads ``text``; `nil` for anything else.
    init?(text: String) {
        guard let bytes = ByteText.bytes(base64: text) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let milliseconds = Int64(parts[0]), let sequence = Int64(parts[1]) else { return nil }
        self.init(
            verifier: VerifierID(String(parts[2])),
            cursor: UsageCursor(time: Timestamp(milliseconds: milliseconds), sequence: sequence))
    }
}
