import HTTPServer

/// A language of the console.
enum ConsoleLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case japanese = "ja"

    /// The language of a request: what it asks for, else what was chosen before, else what the browser prefers.
    init(_ request: HTTPRequest) {
        let asked = request.query.last { $0.0 == "lang" }.flatMap { ConsoleLanguage(rawValue: $0.1) }
        let chosen = ConsoleCookies.value(ConsoleCookies.language, in: request.headers)
            .flatMap { ConsoleLanguage(rawValue: $0) }
        self = asked ?? chosen ?? Self.preferred(request.headers.values(of: "Accept-Language").joined(separator: ","))
    }

    /// The first of ours with the greatest weight (RFC 9110, 12.5.4); English where there is none.
    static func preferred(_ header: String) -> ConsoleLanguage {
        var best: (language: ConsoleLanguage, weight: Int)?
        for range in header.lowercased().split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = parts.first?.split(separator: "-").first.map(String.init),
                let language = ConsoleLanguage(rawValue: tag)
            else { continue }
            let weight =
                parts.dropFirst().first { $0.hasPrefix("q=") }.map { Self.thousandths($0.dropFirst(2)) } ?? 1000
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        return best?.language ?? .english
    }

    private static func thousandths(_ text: Substring) -> Int {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let whole = parts.first.flatMap { Int($0) } ?? 0
        let digits = parts.count > 1 ? String((parts[1] + "000").prefix(3)) : "0"
        return min(1000, max(0, whole * 1000 + (Int(digits) ?? 0)))
    }
}
