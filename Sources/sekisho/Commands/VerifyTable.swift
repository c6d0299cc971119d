import Mdoc
import VerificationCore

/// The result of `sekisho verify` for a person at a terminal.
enum VerifyTable {
    static func text(_ result: MdocResult) -> String {
        var lines = CheckName.inHouse.map { check in
            let outcome = result.report[check]
            let line = column(check.rawValue, 20) + column(outcome.status, 13) + (outcome.reason?.rawValue ?? "")
            return trimmed(line)
        }
        lines += ["", "status: " + VerifyJSON.status(result)]
        let document = result.document.map { $0.withValue(facts) } ?? []
        if !document.isEmpty { lines += ["", "document"] + document.map(line) }
        let claims = result.claims.withValue { claims in
            claims.sorted { $0.key < $1.key }.map { ($0.key.rawValue, words($0.value)) }
        }
        if !claims.isEmpty { lines += ["", "claims"] + claims.map(line) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ name: String, _ value: String) -> String {
        trimmed("  " + column(name, 28) + printable(value))
    }

    private static func facts(_ facts: DocumentFacts) -> [(String, String)] {
        let times = [
            ("signed", facts.signed), ("valid_from", facts.validFrom), ("valid_until", facts.validUntil),
        ]
        return [("type", facts.type)]
            + [("issuing_country", facts.issuingCountry), ("issuing_authority", facts.issuingAuthority)]
            .compactMap { name, value in value.map { (name, $0) } }
            + times.compactMap { name, time in time.map { (name, RFC3339.text($0, fraction: false)) } }
            + (facts.signer.map { [("signer", $0.subject)] } ?? [])
    }

    private static func words(_ value: ClaimValue) -> String {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .boolean(let flag): String(flag)
        case .image(let mediaType, let data): "(\(mediaType), \(data.count) bytes)"
        case .list(let values): "[" + values.map(words).joined(separator: ", ") + "]"
        case .record(let members): "{" + members.map { "\($0.name): \(words($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    /// A document must not be able to move the cursor: control characters are written as escapes.
    private static func printable(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let category = scalar.properties.generalCategory
            if category == .control || category == .lineSeparator || category == .paragraphSeparator
                || scalar.properties.isBidiControl
            {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
