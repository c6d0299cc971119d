public import JSONTree
public import VerificationCore

/// How a provider writes its invoice: which column holds what. A manifest declares it under `invoice`.
public struct InvoiceFormat: Sendable {
    /// The encoding.
    public let encoding: TextEncoding
    /// What separates cells.
    public let separator: Unicode.Scalar
    /// Lines before the one that names the columns.
    public let linesBefore: Int
    /// The column of the provider's reference.
    public let reference: String?
    /// The column of our own reference.
    public let ownReference: String?
    /// The column of the time, its form and its zone.
    public let time: (column: String, pattern: TimePattern, zone: BillingZone)
    /// The column of the class, and what its values mean; a value that is not named is an error.
    public let billableClass: (column: String, values: [String: BillableClass])?
    /// The column of the quantity; without one each line is one.
    public let quantity: String?
    /// The column of the amount before tax.
    public let amount: String?

    /// Reads a declaration; notes every problem.
    public init?(_ reader: JSONReader) {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let encoding = reader.optional("encoding").map { $0.enumeration(as: TextEncoding.self) } ?? .utf8
        let separator = InvoiceFormat.separator(reader)
        let before = reader.optional("lines_before").map { $0.integer(in: 0...InvoiceFormat.mostLinesBefore) } ?? 0
        let columns = reader.object("columns")
        reference = columns?.optionalString("reference")
        ownReference = columns?.optionalString("own_reference")
        quantity = columns?.optionalString("quantity")
        amount = columns?.optionalString("amount")
        let time = columns?.object("time").flatMap(InvoiceFormat.time)
        billableClass = columns?.optionalObject("class").flatMap(InvoiceFormat.classes)
        if let columns, reference == nil, ownReference == nil {
            columns.report("must name a column for \"reference\" or \"own_reference\": nothing else finds a call")
        }
        columns?.rejectUnknownKeys()
        guard let encoding, let separator, let before, let time, columns != nil else { return nil }
        self.encoding = encoding
        self.separator = separator
        self.linesBefore = Int(before)
        self.time = time
    }

    /// Titles and addresses above a table: more would be another document.
    static let mostLinesBefore: Int64 = 100

    private static func separator(_ reader: JSONReader) -> Unicode.Scalar? {
        guard let place = reader.optional("separator") else { return "," }
        guard let text = place.string() else { return nil }
        guard [",", ";", "\t"].contains(text), let scalar = text.unicodeScalars.first else {
            place.report("must be a comma, a semicolon or a tabulator")
            return nil
        }
        return scalar
    }

    private static func time(_ reader: JSONReader) -> (column: String, pattern: TimePattern, zone: BillingZone)? {
        defer { reader.rejectUnknownKeys() }
        let column = reader.string("column")
        let place = reader.required("format")
        let zone = BillingZone.read(reader.optional("time_zone"), default: PriceBook.defaultZone)
        guard let column, let place, let text = place.string(), let zone else { return nil }
        guard let pattern = TimePattern(text) else {
            place.report("must be \"rfc3339\", \"unix_seconds\" or a form such as \"yyyy/MM/dd HH:mm:ss\"")
            return nil
        }
        return (column, pattern, zone)
    }

    private static func classes(_ reader: JSONReader) -> (column: String, values: [String: BillableClass])? {
        defer { reader.rejectUnknownKeys() }
        let column = reader.string("column")
        var values: [String: BillableClass] = [:]
        for (name, entry) in reader.object("values")?.entries() ?? [] {
            if let billableClass = entry.enumeration(as: BillableClass.self) { values[name] = billableClass }
        }
        return column.map { ($0, values) }
    }
}
