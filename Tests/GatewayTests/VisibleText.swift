import Foundation

/// What a page says to whoever reads it: its text, and the attributes that are read out or shown. Codes and identifiers
/// (`code`), and what the page itself marks as another language's, are left out.
enum VisibleText {
    static func of(_ page: String, language: String) -> [String] {
        var text = page
        for pattern in [
            #"<(code|script)\b[^>]*>.*?</\1>"#, #"<(a|span)\b[^>]*class="code"[^>]*>.*?</\1>"#,
            // The page itself begins with the language that it is in.
            #"<(a|span|p)\b[^>]* lang="(?!\#(language))[^"]*"[^>]*>.*?</\1>"#,
        ] {
            text = text.replacing(pattern, with: " ")
        }
        var pieces: [String] = []
        for name in ["title", "aria-label", "placeholder", "data-value", "alt"] {
            pieces += text.matches("<[^>]*\\b\(name)=\"([^\"]*)\"")
        }
        pieces += text.replacing("<[^>]*>", with: "\u{1}").split(separator: "\u{1}").map(String.init)
        return pieces.map {
            $0.replacingOccurrences(of: "&amp;", with: "&").replacingOccurrences(of: "&lt;", with: "<")
                .replacingOccurrences(of: "&gt;", with: ">").replacingOccurrences(of: "&quot;", with: "\"")
                .replacingOccurrences(of: "&#39;", with: "'").trimmingCharacters(in: .whitespacesAndNewlines)
        }.filter { !$0.isEmpty }
    }

    /// The words in Latin letters.
    static func latinWords(_ text: String) -> [String] { text.matches("([A-Za-z][A-Za-z0-9_'-]+)") }
}

extension String {
    fileprivate func replacing(_ pattern: String, with text: String) -> String {
        guard let expression = try? NSRegularExpression(pattern: pattern, options: .dotMatchesLineSeparators) else {
            return self
        }
        return expression.stringByReplacingMatches(
            in: self, range: NSRange(startIndex..., in: self), withTemplate: text)
    }

    fileprivate func matches(_ pattern: String) -> [String] {
        guard let expression = try? NSRegularExpression(pattern: pattern, options: .dotMatchesLineSeparators) else {
            return []
        }
        return expression.matches(in: self, range: NSRange(startIndex..., in: self)).compactMap {
            Range($0.range(at: 1), in: self).map { String(self[$0]) }
        }
    }
}
