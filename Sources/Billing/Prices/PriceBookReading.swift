public import JSONTree
public import VerificationCore

extension PriceBook {
    /// The zone in which months begin unless the book says otherwise.
    public static let defaultZone = "Asia/Tokyo"
    /// The longest name of a book.
    static let longestName = 64

    /// Reads a book from strict JSON5, or throws everything that is wrong with it. Where `known` verifiers are given, a
    /// name that is none of them is a problem, unless its entry says `retired: true`: what a verifier cost before it left
    /// the configuration must stay.
    public static func read(_ text: [UInt8], known: Set<VerifierID>? = nil) throws(JSONProblems) -> PriceBook {
        let problems = JSONProblemList()
        let root = JSONNode.parse(text, syntax: .json5, limits: .standard, problems: problems)
        let book = root.flatMap { read(JSONReader($0, problems: problems), known: known) }
        try problems.throwIfAny()
        guard let book else {
            throw JSONProblems([JSONProblem(path: "", line: 1, problem: "is no price book")])
        }
        return book
    }

    static func read(_ reader: JSONReader, known: Set<VerifierID>?) -> PriceBook? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        reader.leave(["$schema"])
        let name = reader.string("name", limit: longestName)
        let zoneReader = reader.optional("time_zone")
        let zone = BillingZone.read(zoneReader, default: defaultZone)
        var verifiers: [VerifierID: VerifierPrices] = [:]
        for (id, entry) in reader.object("verifiers")?.entries() ?? [] {
            if let known { judge(id, entry, known) }
            guard let zone, let prices = VerifierPrices.read(entry, zone: zone) else { continue }
            verifiers[VerifierID(id)] = prices
        }
        guard let name, let zone else { return nil }
        if name.isEmpty { reader.report("must not be empty", member: "name") }
        return PriceBook(name: name, zone: zone, verifiers: verifiers)
    }
}

extension PriceBook {
    private static func judge(_ id: String, _ entry: JSONReader, _ known: Set<VerifierID>) {
        guard entry.node.members != nil else { return }
        let isRetired = entry.optionalBoolean("retired") ?? false
        guard !known.contains(VerifierID(id)) else {
            if isRetired { entry.report("is configured, and so it is not retired", member: "retired") }
            return
        }
        guard !isRetired else { return }
        let hint = NearestName.of(id, among: known.map(\.rawValue).sorted()).map { "; did you mean \"\($0)\"?" } ?? ""
        entry.report("names no verifier of the configuration\(hint) (`retired: true` for one that has left it)")
    }
}

extension BillingZone {
    static func read(_ reader: JSONReader?, default name: String) -> BillingZone? {
        guard let reader else { return BillingZone(name) }
        guard let text = reader.string() else { return nil }
        guard let zone = BillingZone(text) else {
            reader.report("is not the name of a time zone, such as \"Asia/Tokyo\"")
            return nil
        }
        return zone
    }
}

extension VerifierPrices {
    static func read(_ reader: JSONReader, zone bookZone: BillingZone) -> VerifierPrices? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        _ = reader.optionalBoolean("retired")
        let currency = reader.required("currency").flatMap(readCurrency)
        let zone = BillingZone.read(reader.optional("time_zone"), default: bookZone.name)
        let time = reader.optional("month_by").map { $0.enumeration(as: BillingTime.self) } ?? .ended
        guard let list = reader.required("tariffs"), let readers = list.elements() else { return nil }
        if readers.isEmpty { list.report("must not be empty: leave the verifier out where it has no prices") }
        var tariffs: [Tariff] = []
        for entry in readers {
            guard let tariff = Tariff.read(entry) else { return nil }
            if let last = tariffs.last { Tariff.judge(tariff, after: last, entry) }
            tariffs.append(tariff)
        }
        guard let currency, let zone, let time, !tariffs.isEmpty else { return nil }
        return VerifierPrices(currency: currency, zone: zone, billingTime: time, tariffs: tariffs)
    }

    private static func readCurrency(_ reader: JSONReader) -> Currency? {
        guard let code = reader.string() else { return nil }
        guard let currency = Currency(code) else {
            reader.report("is not the code of a currency whose minor unit is known, such as \"JPY\"")
            return nil
        }
        return currency
    }
}

extension Tariff {
    static func read(_ reader: JSONReader) -> Tariff? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let from = reader.required("from").flatMap(readDay)
        let untilReader = reader.optional("until")
        let until = untilReader.flatMap(readDay)
        if let from, let until, until <= from { untilReader?.report("must be later than \"from\"") }
        var prices: [BillableClass: Price] = [:]
        for (name, entry) in reader.object("prices")?.entries() ?? [] {
            guard let billableClass = readClass(name, entry), let price = Price.read(entry) else { continue }
            prices[billableClass] = price
        }
        var notBilled: Set<BillableClass> = []
        for entry in reader.optionalArray("not_billed") ?? [] {
            guard let name = entry.string(), let billableClass = readClass(name, entry) else { continue }
            if prices[billableClass] != nil { entry.report("has a price as well") }
            notBilled.insert(billableClass)
        }
        let flatFee = reader.optional("flat_fee").map { $0.amount() } ?? .zero
        let minimum = reader.optional("minimum").map { $0.amount() } ?? .zero
        let tax = reader.object("tax")
        let rate = tax?.required("rate").flatMap(readRate)
        let rounding = tax?.enumeration("rounding", as: Rounding.self)
        tax?.rejectUnknownKeys()
        guard let from, let flatFee, let minimum, let rate, let rounding, untilReader == nil || until != nil else {
            return nil
        }
        return Tariff(
            from: from, until: until, prices: prices, notBilled: notBilled, flatFee: flatFee, minimum: minimum,
            taxRate: rate, rounding: rounding)
    }

    /// Notes a gap or an overlap between two tariffs that follow each other.
    static func judge(_ tariff: Tariff, after last: Tariff, _ reader: JSONReader) {
        guard let end = last.until else {
            reader.report("begins after a tariff that has no end: give that one an \"until\"", member: "from")
            return
        }
        if tariff.from < end { reader.report("overlaps the tariff before it, which ends on \(end)", member: "from") }
        if tariff.from > end {
            reader.report("leaves a gap after the tariff before it, which ends on \(end)", member: "from")
        }
    }

    private static func readDay(_ reader: JSONReader) -> CivilDate? {
        guard let text = reader.string() else { return nil }
        guard let day = CivilDate(text) else {
            reader.report("must be a day, such as \"2026-04-01\"")
            return nil
        }
        return day
    }

    private static func readRate(_ reader: JSONReader) -> TaxRate? {
        guard let text = reader.string() else { return nil }
        guard let rate = TaxRate(text) else {
            reader.report("must be a decimal from 0 to 1 in a string, such as \"0.10\"")
            return nil
        }
        return rate
    }

    private static func readClass(_ name: String, _ reader: JSONReader) -> BillableClass? {
        if let known = BillableClass(rawValue: name), known != .nonBillable { return known }
        let names = BillableClass.allCases.filter { $0 != .nonBillable }.map(\.rawValue)
        let hint = NearestName.of(name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        reader.report("is not a class that can be billed\(hint)")
        return nil
    }
}

extension Price {
    /// Steps of one price: contracts have a handful.
    static let mostSteps = 50
    /// Positions are counted in 64 bits; a trillion a month is beyond any gateway.
    static let highestEdge: Int64 = 1_000_000_000_000

    static func read(_ reader: JSONReader) -> Price? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let free = reader.optional("free").map { $0.integer(in: 0...highestEdge) } ?? 0
        if let unit = reader.optional("unit") {
            if reader.optional("steps") != nil { reader.report("has both \"unit\" and \"steps\"") }
            guard let amount = unit.amount(), let free else { return nil }
            return Price(free: free, steps: [Step(upTo: nil, unit: amount)])
        }
        guard let list = reader.required("steps"), let readers = list.elements() else { return nil }
        let kind = reader.enumeration("kind", as: Steps.self)
        if readers.isEmpty || readers.count > mostSteps { list.report("must hold 1 to \(mostSteps) steps") }
        var steps: [Step] = []
        for (index, entry) in readers.enumerated() {
            guard let step = readStep(entry, isLast: index == readers.count - 1, after: steps.last) else { return nil }
            steps.append(step)
        }
        guard let free, let kind, !steps.isEmpty else { return nil }
        return Price(free: free, kind: kind, steps: steps)
    }

    private static func readStep(_ reader: JSONReader, isLast: Bool, after last: Step?) -> Step? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let unit = reader.required("unit")?.amount()
        if isLast {
            if let edge = reader.optional("up_to") { edge.report("must not be on the last step, which has no end") }
            return unit.map { Step(upTo: nil, unit: $0) }
        }
        guard let edgeReader = reader.required("up_to"), let edge = edgeReader.integer(in: 1...highestEdge) else {
            return nil
        }
        if let before = last?.upTo, edge <= before { edgeReader.report("must rise from step to step") }
        return unit.map { Step(upTo: edge, unit: $0) }
    }
}

extension JSONReader {
    /// An amount of money: a decimal in a string, because a number would pass through a float somewhere.
    func amount() -> ExactAmount? {
        guard case .string(let text) = node.kind else {
            report("must be a decimal in a string, such as \"0.5\", not \(node.kindName)")
            return nil
        }
        guard let amount = ExactAmount(text), amount >= .zero else {
            report("must be a decimal of at most six digits after the point, such as \"0.5\", and not below zero")
            return nil
        }
        return amount
    }
}
