import Configuration
import JSONTree
import VerificationCore

extension ManifestReading {
    /// The most values that one answer may have us keep.
    static let mostKept = 16

    func answer(_ reader: JSONReader, of step: VerificationStep?, scope: TemplateScope) -> AnswerDeclaration {
        defer { reader.rejectUnknownKeys() }
        var answer = AnswerDeclaration()
        if step != nil { answer.reference = ManifestReading.reference(reader.optional("reference")) }
        answer.echoes = (reader.optionalArray("echoes") ?? []).compactMap { echo($0, scope) }
        answer.keeps = ManifestReading.keeps(reader.optionalObject("keep"))
        answer.nonce = step == .begin ? reader.optionalPointer("nonce") : nil
        guard step != .begin, step != .erase else { return answer }
        answer.final = reader.optional("final").flatMap(ConditionReading.condition)
        answer.claims = reader.optionalObject("claims").map(ClaimReading.claims) ?? []
        answer.document = reader.optionalObject("document").map(document) ?? DocumentPlaces()
        answer.checks = reader.optionalObject("checks").map(checks) ?? []
        answer.program = reader.optionalPointer("program")
        answer.programVersion = reader.optionalPointer("program_version")
        answer.eventTime = reader.optional("event_time")?.timePlace()
        answer.retryAfter = reader.optionalObject("retry_after").flatMap(ManifestReading.pause)
        return answer
    }

    private static func reference(_ reader: JSONReader?) -> ReferencePlace {
        guard let reader, let text = reader.string() else { return .undeclared }
        if text == "not_stated" { return .notStated }
        return reader.pointer().map(ReferencePlace.at) ?? .undeclared
    }

    private func echo(_ reader: JSONReader, _ scope: TemplateScope) -> Echo? {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let pointer = reader.required("at")?.pointer()
        guard let member = reader.required("equals"), let template = scope.template(member), let pointer else {
            return nil
        }
        if template.variables.isEmpty { member.report("names no variable; a fixed value belongs into an outcome") }
        return Echo(pointer: pointer, template: template)
    }

    private static func keeps(_ reader: JSONReader?) -> [(name: String, pointer: JSONPointer)] {
        let keeps: [(name: String, pointer: JSONPointer)] = (reader?.entries() ?? []).compactMap { name, value in
            guard value.isName(name), let pointer = value.pointer() else { return nil }
            return (name, pointer)
        }
        if keeps.count > mostKept { reader?.report("keeps more than \(mostKept) values") }
        return keeps
    }

    private static func pause(_ reader: JSONReader) -> PausePlace? {
        defer { reader.rejectUnknownKeys() }
        let pointer = reader.required("at")?.pointer()
        guard let form = reader.enumeration("format", as: PausePlace.Form.self), let pointer else { return nil }
        return PausePlace(pointer: pointer, form: form)
    }

    private func document(_ reader: JSONReader) -> DocumentPlaces {
        defer { reader.rejectUnknownKeys() }
        var places = DocumentPlaces()
        places.type = reader.optionalPointer("type")
        if places.type != nil, vocabulary.documents.isEmpty {
            reader.report("needs vocabulary.documents, to be compared with", member: "type")
        }
        places.issuingCountry = reader.optionalPointer("issuing_country")
        places.issuingAuthority = reader.optionalPointer("issuing_authority")
        places.signed = reader.optional("signed")?.timePlace()
        places.validFrom = reader.optional("valid_from")?.timePlace()
        places.validUntil = reader.optional("valid_until")?.timePlace()
        return places
    }

    private func checks(_ reader: JSONReader) -> [CheckSource] {
        reader.entries().compactMap { name, value in
            let known = CheckName.inHouse.filter { $0 != .elements }
            guard let check = CheckName(rawValue: name), known.contains(check) else {
                value.reportUnknown(name, "check that a provider can state", among: known.map(\.rawValue))
                return nil
            }
            guard value.isObject() else { return nil }
            defer { value.rejectUnknownKeys() }
            let pointer = value.required("at")?.pointer()
            var codes: [String: CheckOutcome] = [:]
            for code in value.optionalArray("passed") ?? [] { code.add(.passed, to: &codes) }
            for code in value.optionalArray("not_checked") ?? [] { code.add(.notChecked, to: &codes) }
            for (code, reason) in value.optionalObject("failed")?.entries() ?? [] {
                guard let named: Reason = reason.enumeration() else { continue }
                if codes.updateValue(.failed(named), forKey: code) != nil { reason.report("is named twice") }
            }
            if codes.isEmpty { value.report("names no value: passed, failed or not_checked") }
            return pointer.map { CheckSource(check: check, pointer: $0, codes: codes) }
        }
    }
}

extension JSONReader {
    fileprivate func add(_ outcome: CheckOutcome, to codes: inout [String: CheckOutcome]) {
        guard let code = scalar()?.code else {
            if case .null = node.kind { report("cannot be null: a value that is missing is not_checked") }
            return
        }
        if codes.updateValue(outcome, forKey: code) != nil { report("is named twice") }
    }
}
