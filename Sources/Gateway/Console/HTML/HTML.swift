/// A piece of a page. There is no way to make one of unescaped text: it is text, which is escaped, or an element whose
/// name and attributes come from closed sets.
struct HTML: Sendable {
    /// The markup.
    let markup: String

    private init(markup: String) {
        self.markup = markup
    }

    /// Text, escaped.
    init(_ text: String) {
        markup = HTML.escaped(text)
    }

    /// Pieces one after the other.
    init(_ pieces: [HTML]) {
        markup = pieces.map(\.markup).joined()
    }

    /// An element around its content.
    init(_ tag: Tag, _ attributes: [Attribute] = [], @HTMLBuilder _ content: () -> [HTML] = { [] }) {
        var text = "<" + tag.rawValue
        for attribute in attributes {
            text += " " + attribute.name
            if let value = attribute.value { text += "=\"" + HTML.escaped(value) + "\"" }
        }
        text += ">"
        if !tag.isVoid { text += content().map(\.markup).joined() + "</" + tag.rawValue + ">" }
        markup = text
    }

    /// A whole page: the document's type and its root.
    static func document(_ attributes: [Attribute], @HTMLBuilder _ content: () -> [HTML]) -> HTML {
        HTML(markup: "<!doctype html>\n" + HTML(.html, attributes, content).markup + "\n")
    }

    /// Fit for element content and for quoted attribute values. What no HTML may hold becomes a mark of its own.
    private static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
            // Signs that turn the direction of what stands around them would let a name rewrite its neighbours.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Puts pieces, texts and lists of pieces one after the other.
@resultBuilder
enum HTMLBuilder {
    static func buildExpression(_ piece: HTML) -> [HTML] { [piece] }
    static func buildExpression(_ pieces: [HTML]) -> [HTML] { pieces }
    static func buildExpression(_ text: String) -> [HTML] { [HTML(text)] }
    static func buildExpression(_ piece: HTML?) -> [HTML] { piece.map { [$0] } ?? [] }
    static func buildBlock(_ parts: [HTML]...) -> [HTML] { parts.flatMap { $0 } }
    static func buildOptional(_ part: [HTML]?) -> [HTML] { part ?? [] }
    static func buildEither(first part: [HTML]) -> [HTML] { part }
    static func buildEither(second part: [HTML]) -> [HTML] { part }
    static func buildArray(_ parts: [[HTML]]) -> [HTML] { parts.flatMap { $0 } }
}
