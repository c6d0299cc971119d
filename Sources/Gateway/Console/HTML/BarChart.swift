/// Bars drawn as SVG by the server. The picture holds no letters: they stand beside it as text, where they keep their
/// size on every screen, and the numbers stand in a table.
struct BarChart: Sendable {
    /// What a part of each bar stands for; the class gives it its colour.
    struct Series: Sendable {
        let label: String
        let style: Style
    }

    /// Colours that the stylesheet knows, each told apart by more than hue.
    enum Style: Sendable, CaseIterable {
        case first, second, third, fourth, fifth, sixth

        var name: StaticString {
            switch self {
            case .first: "series-1"
            case .second: "series-2"
            case .third: "series-3"
            case .fourth: "series-4"
            case .fifth: "series-5"
            case .sixth: "series-6"
            }
        }

        /// The style of a place, going round where there are more series than styles. What is good or bad has the
        /// first two, so that names begin with others.
        static func at(_ place: Int) -> Style { names[place % names.count] }

        private static let names: [Style] = [.fifth, .third, .sixth, .first, .second, .fourth]
    }

    /// One bar; a value for each series, from below.
    struct Bar: Sendable {
        let label: String
        let values: [Int64]
        /// What is said when somebody points at it.
        let text: String
    }

    /// What its elements are named by: once on a page.
    let name: StaticString
    let title: String
    let description: String
    let series: [Series]
    let bars: [Bar]
    /// How the greatest value is written beside the axis.
    var scale: @Sendable (Int64) -> String = { String($0) }

    /// Units of a bar's width with its gap, and of the picture's height.
    private static let step = 10
    private static let height = 100

    var html: HTML {
        let top = max(1, bars.map { $0.values.reduce(0) { $0 + max(0, $1) } }.max() ?? 1)
        let width = max(1, bars.count) * Self.step
        return HTML(.figure, [.class("chart")]) {
            HTML(.p, [.class("scale")]) { scale(top) }
            HTML(
                .svg,
                [
                    .text(.viewBox, "0 0 \(width) \(Self.height)"), .text(.preserveAspectRatio, "none"),
                    .text(.role, "img"), .text(.ariaLabelledBy, "\(name)-title"),
                    .text(.ariaDescribedBy, "\(name)-text"),
                ]
            ) {
                HTML(.title, [.text(.id, "\(name)-title")]) { title }
                HTML(.desc, [.text(.id, "\(name)-text")]) { description }
                HTML(
                    .line,
                    [
                        .number(.x1, 0), .number(.x2, width), .number(.y1, Self.height / 2),
                        .number(.y2, Self.height / 2), .class("grid"),
                    ])
                bars.enumerated().map { place, bar in self.bar(bar, at: place, top: top) }
                HTML(
                    .line,
                    [
                        .number(.x1, 0), .number(.x2, width), .number(.y1, Self.height),
                        .number(.y2, Self.height), .class("axis"),
                    ])
            }
            HTML(.p, [.class("ends"), .text(.ariaHidden, "true")]) {
                HTML(.span) { bars.first?.label ?? "" }
                if bars.count > 2 { HTML(.span) { bars[bars.count / 2].label } }
                HTML(.span) { bars.last?.label ?? "" }
            }
            HTML(.output, [.class("pointed"), .text(.ariaHidden, "true")]) { "\u{00A0}" }
            HTML(.figcaption) {
                HTML(.ul, [.class("legend")]) {
                    series.map { entry in
                        HTML(.li) {
                            HTML(.span, [.class("swatch"), .text(.ariaHidden, "true")]) {
                                HTML(
                                    .svg,
                                    [.text(.viewBox, "0 0 10 10")]
                                ) {
                                    HTML(
                                        .rect, [.number(.width, 10), .number(.height, 10), .class(entry.style.name)])
                                }
                            }
                            entry.label
                        }
                    }
                }
            }
        }
    }

    private func bar(_ bar: Bar, at place: Int, top: Int64) -> HTML {
        var base = Self.height
        var parts: [HTML] = []
        for (value, entry) in zip(bar.values, series) where value > 0 {
            // Something is never drawn as nothing.
            let height = max(1, Int(Int128(value) * Int128(Self.height) / Int128(top)))
            base = max(0, base - height)
            parts.append(
                HTML(
                    .rect,
                    [
                        .number(.x, place * Self.step + 1), .number(.y, base), .number(.width, Self.step - 2),
                        .number(.height, height), .class(entry.style.name),
                    ]))
        }
        return HTML(.g, [.class("bar"), .text(.dataValue, bar.text)]) {
            HTML(.title) { bar.text }
            HTML(
                .rect,
                [
                    .number(.x, place * Self.step), .number(.y, 0), .number(.width, Self.step),
                    .number(.height, Self.height), .class("reach"),
                ])
            parts
        }
    }
}
