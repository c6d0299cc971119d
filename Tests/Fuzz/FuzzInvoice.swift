import Billing
import JSONTree

/// The formats that the invoice target reads with: both encodings, two separators, every kind of time and column.
enum FuzzInvoice {
    static let formats: [InvoiceFormat] = texts.compactMap { text in
        let problems = JSONProblemList()
        let node = JSONNode.parse(Array(text.utf8), syntax: .json5, limits: .standard, problems: problems)
        let format = node.flatMap { InvoiceFormat(JSONReader($0, problems: problems)) }
        return problems.problems.isEmpty ? format : nil
    }

    static let texts = [
        """
        {columns: {reference: "ref", own_reference: "ours", time: {column: "at", format: "yyyy/MM/dd HH:mm:ss"},
          class: {column: "item", values: {"本人確認": "completed_pass"}}, quantity: "n", amount: "円"}}
        """,
        """
        {encoding: "windows-31j", separator: "\\t", lines_before: 1, columns: {reference: "照会番号",
          time: {column: "日時", format: "yyyyMMddHHmmssSSS"}, amount: "円"}}
        """,
        """
        {separator: ";", columns: {own_reference: "ours", time: {column: "at", format: "unix_seconds"}, quantity: "n"}}
        """,
        """
        {columns: {reference: "ref", time: {column: "at", format: "rfc3339", time_zone: "America/New_York"}, amount: "usd"}}
        """,
    ]

    /// The first byte of an input picks the format; the rest is the file.
    static func format(of input: [UInt8]) -> InvoiceFormat? {
        input.first.map { formats[Int($0) % formats.count] }
    }
}
