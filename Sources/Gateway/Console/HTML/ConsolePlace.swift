/// A place of the console: a path that the code knows, with values that are encoded. No link leads anywhere else.
struct ConsolePlace: Sendable, Equatable {
    /// Where all of them begin.
    static let root = "/console"

    /// The path and query, encoded.
    let target: String

    /// A place under the root, such as `sessions`; `segments` stand behind it.
    init(_ path: StaticString, _ segments: [String] = [], query: [(StaticString, String)] = []) {
        var text = Self.root
        let path = "\(path)"
        if !path.isEmpty { text += "/" + path }
        for segment in segments { text += "/" + Self.encoded(segment) }
        let pairs = query.map { "\($0.0)=" + Self.encoded($0.1) }
        if !pairs.isEmpty { text += "?" + pairs.joined(separator: "&") }
        target = text
    }

    /// The same place in another language, which is remembered.
    func `in`(_ language: ConsoleLanguage) -> ConsolePlace {
        ConsolePlace(target: target + (target.contains("?") ? "&" : "?") + "lang=" + language.rawValue)
    }

    private init(target: String) {
        self.target = target
    }

    /// Everything but unreserved characters, percent-encoded (RFC 3986, 2.3).
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "."):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = Array("0123456789ABCDEF")
                result += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
        return result
    }
}
