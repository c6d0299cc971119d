extension HTML {
    /// The elements that pages use. Neither a script nor a style with content is one of them.
    enum Tag: String, Sendable {
        case html, head, body, title, meta, link, script
        case header, nav, main, footer, section, div, span, p, h1, h2, h3, a, ul, ol, li, dl, dt, dd
        case strong, em, code, small, time, hr, br
        case table, caption, thead, tbody, tfoot, tr, th, td
        case form, label, input, select, option, button, fieldset, legend, output, textarea
        case figure, figcaption, details, summary
        case svg, g, rect, line, text, desc

        /// An element without content.
        var isVoid: Bool {
            switch self {
            case .meta, .link, .hr, .br, .input: true
            case .html, .head, .body, .title, .script, .header, .nav, .main, .footer, .section, .div, .span, .p, .h1,
                .h2, .h3, .a, .ul, .ol, .li, .dl, .dt, .dd, .strong, .em, .code, .small, .time, .table, .caption,
                .thead, .tbody, .tfoot, .tr, .th, .td, .form, .label, .select, .option, .button, .fieldset, .legend,
                .output, .textarea, .figure, .figcaption, .details, .summary, .svg, .g, .rect, .line, .text, .desc:
                false
            }
        }
    }

    /// An attribute. Those that a browser would run or fetch take only places of the console's own; handlers of events
    /// and styles are none of them.
    struct Attribute: Sendable {
        let name: String
        let value: String?

        private init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }

        static func href(_ place: ConsolePlace) -> Attribute { Attribute("href", place.target) }
        static func source(_ place: ConsolePlace) -> Attribute { Attribute("src", place.target) }
        static func action(_ place: ConsolePlace) -> Attribute { Attribute("action", place.target) }
        /// A place on the same page.
        static func href(fragment: StaticString) -> Attribute { Attribute("href", "#\(fragment)") }
        static func text(_ name: TextName, _ value: String) -> Attribute { Attribute(name.rawValue, value) }
        static func number(_ name: NumberName, _ value: Int) -> Attribute { Attribute(name.rawValue, String(value)) }
        static func flag(_ name: FlagName) -> Attribute { Attribute(name.rawValue, nil) }
        static func `class`(_ name: StaticString) -> Attribute { Attribute("class", "\(name)") }
        static func id(_ name: StaticString) -> Attribute { Attribute("id", "\(name)") }

        /// Attributes that hold text.
        enum TextName: String, Sendable {
            case lang, charset, content, name, value, type, rel, method, enctype, scope, role, pattern, placeholder
            case autocomplete, accept, title, download, datetime, viewBox, list, inputmode, hreflang
            case `for`, id
            case ariaLabel = "aria-label"
            case ariaLabelledBy = "aria-labelledby"
            case ariaDescribedBy = "aria-describedby"
            case ariaCurrent = "aria-current"
            case ariaHidden = "aria-hidden"
            case ariaLive = "aria-live"
            case dataValue = "data-value"
            case textAnchor = "text-anchor"
            case preserveAspectRatio
        }

        /// Attributes that hold a whole number.
        enum NumberName: String, Sendable {
            case x, y, width, height, x1, x2, y1, y2, rows, maxlength, colspan, tabindex
        }

        /// Attributes that are there or not.
        enum FlagName: String, Sendable {
            case required, checked, selected, disabled, `defer`, autofocus
        }
    }
}
