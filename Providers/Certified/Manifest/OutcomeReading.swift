import JSONTree
import VerificationCore

extension ManifestReading {
    /// The outcomes of a step or, where `step` is `nil`, of a notification.
    func outcomes(_ reader: JSONReader, of step: VerificationStep?) -> [OutcomeDeclaration] {
        guard let list = reader.array("outcomes") else { return [] }
        if list.isEmpty { reader.report("must not be empty: no answer would mean anything", member: "outcomes") }
        let outcomes = list.compactMap { outcome($0, of: step) }
        for (index, outcome) in outcomes.enumerated() {
            let hides = outcomes[..<index].first { $0.condition == nil && $0.statuses.covers(outcome.statuses) }
            guard let hides, outcomes.count == list.count else { continue }
            list[index].report("can never be reached: the outcome on line \(hides.line) takes all that it would")
        }
        return outcomes
    }

    private enum Body: String, CaseIterable {
        case ignored
    }

    private enum Reference: String, CaseIterable {
        case notStated = "not_stated"
    }

    private func outcome(_ reader: JSONReader, of step: VerificationStep?) -> OutcomeDeclaration? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        var statuses = StatusSet(statuses: [], classes: [])
        if step != nil { statuses = StatusReading.statuses(reader.required("status")) }
        let when = reader.optional("when")
        let condition = when.flatMap(ConditionReading.condition)
        let ignoresBody = reader.optional("body").map { $0.enumeration(as: Body.self) == .ignored } ?? false
        let mayHaveBilled = reader.optionalBoolean("may_have_billed") ?? false
        let reference = reader.optional("reference").map { $0.enumeration(as: Reference.self) }
        guard let member = reader.required("then"), let word: OutcomeDeclaration.Word = member.enumeration() else {
            reader.leave(["reason", "reasons"])
            return nil
        }
        let allowed = OutcomeDeclaration.words(of: step)
        if !allowed.contains(word) {
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            member.report("is no outcome of \(step?.rawValue ?? "a notification"), which has \(names)")
        }
        if ignoresBody, condition != nil || [.opened, .verified, .rejected].contains(word) {
            reader.report("only an outcome that reads nothing of the body can ignore it", member: "body")
        }
        if mayHaveBilled, ![.tryAgain, .unavailable, .error].contains(word) {
            reader.report("belongs to try_again, unavailable and error", member: "may_have_billed")
        }
        guard let meaning = meaning(word, reader), when == nil || condition != nil else { return nil }
        return OutcomeDeclaration(
            statuses: statuses, condition: condition, meaning: meaning, ignoresBody: ignoresBody,
            mayHaveBilled: mayHaveBilled, statesReference: reference == nil, line: reader.node.line)
    }

    private func meaning(_ word: OutcomeDeclaration.Word, _ reader: JSONReader) -> OutcomeDeclaration.Meaning? {
        if word == .rejected { return reasons(reader).map(OutcomeDeclaration.Meaning.rejected) }
        for name in ["reason", "reasons"] where reader.optional(name) != nil {
            reader.report("belongs to rejected", member: name)
        }
        switch word {
        case .opened: return .opened
        case .verified: return .verified
        case .rejected: return nil
        case .pending: return .pending
        case .tryAgain: return .tryAgain
        case .unavailable: return .unavailable
        case .error: return .error
        case .neverReceived: return .neverReceived
        case .erased: return .erased
        }
    }

    private func reasons(_ reader: JSONReader) -> RejectionReasons? {
        let fixed = reader.optional("reason")
        guard let mapped = reader.optionalObject("reasons") else {
            guard let fixed else { return .fixed(.providerRejected) }
            return fixed.enumeration(as: Reason.self).map(RejectionReasons.fixed)
        }
        if let fixed { fixed.report("stands beside reasons") }
        defer { mapped.rejectUnknownKeys() }
        let each = mapped.optionalPointer("each")
        var codes: [String: Reason] = [:]
        for (code, reason) in mapped.object("codes")?.entries() ?? [] {
            if let named: Reason = reason.enumeration() { codes[code] = named }
        }
        let otherwise = mapped.optionalEnumeration("otherwise", as: Reason.self)
        guard let pointer = mapped.required("at")?.pointer() else { return nil }
        return .mapped(ReasonSource(pointer: pointer, each: each, codes: codes, otherwise: otherwise))
    }
}

extension OutcomeDeclaration {
    /// What the answer to a step can mean.
    static func words(of step: VerificationStep?) -> [Word] {
        switch step {
        case .begin: [.opened, .tryAgain, .unavailable, .error]
        case .submit, .poll: [.verified, .rejected, .pending, .tryAgain, .unavailable, .error]
        case .fetch: [.verified, .rejected, .pending, .neverReceived, .tryAgain, .unavailable, .error]
        case .erase: [.erased, .tryAgain, .unavailable, .error]
        case nil: [.verified, .rejected, .pending]
        }
    }
}

extension StatusSet {
    /// Whether every status of another set is in this one.
    func covers(_ other: StatusSet) -> Bool {
        other.classes.isSubset(of: classes) && other.statuses.allSatisfy(contains)
    }
}

/// Reads `200`, `"2xx"`, or a list of such.
enum StatusReading {
    static func statuses(_ reader: JSONReader?) -> StatusSet {
        var set = StatusSet(statuses: [], classes: [])
        guard let reader else { return set }
        let readers: [JSONReader]
        if case .array = reader.node.kind { readers = reader.elements() ?? [] } else { readers = [reader] }
        if readers.isEmpty { reader.report("must not be empty") }
        for value in readers {
            if let text = value.node.string {
                guard let hundred = classes[text] else {
                    value.report("must be a status such as 200, or one of 2xx, 3xx, 4xx and 5xx")
                    continue
                }
                set.classes.insert(hundred)
            } else if let status = value.integer(in: 200...599) {
                set.statuses.insert(Int(status))
            }
        }
        return set
    }

    private static let classes = ["2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5]
}

/// Reads what a body must say.
enum ConditionReading {
    static func condition(_ reader: JSONReader) -> Condition? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let compound = [reader.optional("all"), reader.optional("any"), reader.optional("not")]
        let place = reader.optional("at")
        let tests = ["equals", "in", "exists", "absent", "every", "some"].map { ($0, reader.optional($0)) }
            .compactMap { name, reader in reader.map { (name, $0) } }
        let count = compound.count { $0 != nil } + (place == nil ? 0 : 1)
        guard count == 1, (place == nil) == tests.isEmpty, tests.count <= 1 else {
            reader.report(
                "needs exactly one of all, any, not and at; and at exactly one of equals, in, exists, absent, every "
                    + "and some")
            return nil
        }
        if let place, let (name, test) = tests.first {
            let made = self.test(name, test, place.pointer())
            return made
        }
        if let not = compound[2] { return condition(not).map(Condition.not) }
        let (list, isAll) = compound[0].map { ($0, true) } ?? (compound[1] ?? reader, false)
        guard let elements = list.elements() else { return nil }
        if elements.isEmpty { list.report("must not be empty") }
        let conditions = elements.compactMap(condition)
        guard conditions.count == elements.count else { return nil }
        return isAll ? .all(conditions) : .any(conditions)
    }

    private static func test(_ name: String, _ reader: JSONReader, _ pointer: JSONPointer?) -> Condition? {
        switch name {
        case "equals":
            guard let scalar = reader.scalar(), let pointer else { return nil }
            return .isOneOf(pointer, [scalar])
        case "in":
            let elements = reader.elements() ?? []
            let scalars = elements.compactMap { $0.scalar() }
            if elements.isEmpty, reader.node.elements != nil { reader.report("must not be empty") }
            guard !scalars.isEmpty, scalars.count == elements.count, let pointer else { return nil }
            return .isOneOf(pointer, scalars)
        case "exists", "absent":
            guard reader.boolean() == true else {
                if reader.node.boolean == false { reader.report("must be true; absent is the other of exists") }
                return nil
            }
            return pointer.map { name == "exists" ? .exists($0) : .absent($0) }
        default:
            guard let inner = condition(reader), let pointer else { return nil }
            return name == "every" ? .every(pointer, inner) : .some(pointer, inner)
        }
    }
}

extension JSONNode {
    /// The value of a Boolean; `nil` for any other value.
    var boolean: Bool? {
        if case .boolean(let flag) = kind { flag } else { nil }
    }
}
