import Cryptography
import HTTPServer

/// The fields of a form sent as `application/x-www-form-urlencoded`, decoded strictly and bounded.
struct FormFields: Sendable {
    /// More than the longest form with its note.
    static let mostBytes = 16 * 1024
    /// More than any form has.
    static let mostFields = 64

    let pairs: [(name: String, value: String)]

    init(pairs: [(name: String, value: String)]) {
        self.pairs = pairs
    }

    init(_ request: HTTPRequest) throws(ConsoleRefusal) {
        let type = request.headers["Content-Type"]?.lowercased().split(separator: ";").first.map(String.init)
        guard type == "application/x-www-form-urlencoded" else { throw .malformed }
        guard request.body.count <= Self.mostBytes else { throw .tooLarge }
        var pairs: [(name: String, value: String)] = []
        for part in request.body.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < Self.mostFields else { throw .malformed }
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = halves.first.flatMap(Self.decoded),
                let value = halves.count == 2 ? Self.decoded(halves[1]) : ""
            else { throw .malformed }
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    /// The one value of a name; `nil` where it is missing, empty or there twice.
    func value(_ name: String) -> String? {
        let found = pairs.filter { $0.name == name }
        guard found.count == 1, let value = found.first?.value, !value.isEmpty else { return nil }
        return value
    }

    /// Every value of a name.
    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): result.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                result.append(high << 4 | low)
            default: result.append(byte)
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

/// Comparing what nobody may guess piece by piece.
enum ConsoleSecrets {
    static func areEqual(_ one: String, _ other: String) -> Bool {
        constantTimeEquals(Array(one.utf8), Array(other.utf8))
    }
}
