/// A table with its caption, heads of columns and heads of rows, in a frame that scrolls by itself on a narrow screen.
struct DataTable: Sendable {
    /// A column.
    struct Column: Sendable {
        let title: String
        var isNumber = false
        /// Whether it holds sentences, which need room.
        var isWords = false
    }

    /// A cell.
    struct Cell: Sendable {
        let content: [HTML]

        init(_ text: String) { content = [HTML(text)] }
        init(_ number: Int) { content = [HTML(String(number))] }
        init(_ number: Int64) { content = [HTML(String(number))] }
        init(@HTMLBuilder _ content: () -> [HTML]) { self.content = content() }
        /// A code, as it stands in the interface.
        static func code(_ text: String) -> Cell { Cell { HTML(.code) { text } } }
    }

    let caption: String
    let columns: [Column]
    let rows: [[Cell]]
    /// Rows that add others up stand at the foot.
    var sums: [[Cell]] = []

    /// The columns' heads; those whose title stands in `numbers` hold numbers.
    init(_ caption: String, _ columns: [Column], rows: [[Cell]], sums: [[Cell]] = []) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
        self.sums = sums
    }

    var html: HTML {
        HTML(
            .div,
            [.class("scroll"), .number(.tabindex, 0), .text(.role, "region"), .text(.ariaLabel, caption)]
        ) {
            HTML(.table) {
                HTML(.caption) { caption }
                HTML(.thead) {
                    HTML(.tr) {
                        columns.map { column in
                            HTML(.th, attributes(column, [.text(.scope, "col")])) { column.title }
                        }
                    }
                }
                HTML(.tbody) { rows.map(row) }
                if !sums.isEmpty { HTML(.tfoot) { sums.map(row) } }
            }
        }
    }

    private func row(_ cells: [Cell]) -> HTML {
        let pieces = zip(columns, cells).enumerated().map { place, pair in
            let (column, cell) = pair
            return place == 0
                ? HTML(.th, attributes(column, [.text(.scope, "row")])) { cell.content }
                : HTML(.td, attributes(column, [])) { cell.content }
        }
        return HTML(.tr) { pieces }
    }

    private func attributes(_ column: Column, _ more: [HTML.Attribute]) -> [HTML.Attribute] {
        column.isNumber ? more + [.class("number")] : column.isWords ? more + [.class("words")] : more
    }
}
