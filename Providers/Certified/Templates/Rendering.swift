import JSONTree
import VerificationCore

/// Why a request could not be made of its templates. A fault of ours or of the configuration, never the person's.
enum RenderingError: Error {
    /// A variable has no value in this call.
    case missing
    /// A value cannot stand where the template puts it.
    case unfit
}

/// Makes requests of templates. Every place encodes what is put into it; nothing is spliced as it is.
struct Rendering<Values: VariableValues> {
    let values: Values

    func text(_ template: TextTemplate) throws(RenderingError) -> String {
        var text = ""
        for part in template.parts {
            switch part {
            case .text(let literal): text += literal
            case .variable(let use): text += try self.text(use)
            }
        }
        return text
    }

    private func text(_ use: VariableUse) throws(RenderingError) -> String {
        guard let value = values.value(of: use.variable) else { throw .missing }
        guard let text = value.text(use.encoding) else { throw .unfit }
        return text
    }

    /// The path: literal parts as they are, what variables bring percent-encoded.
    func path(_ template: PathTemplate) throws(RenderingError) -> String {
        var path = ""
        for segment in template.segments {
            var text = ""
            for part in segment.parts {
                switch part {
                case .text(let literal): text += literal
                case .variable(let use): text += PercentEncoding.encode(try self.text(use))
                }
            }
            // Whoever normalises a path drops these, and the request would go somewhere else.
            if text == "." || text == ".." || text.isEmpty && !segment.variables.isEmpty { throw .unfit }
            path += "/" + text
        }
        return path
    }

    func query(_ items: [NamedTemplate]) throws(RenderingError) -> String {
        var query: [String] = []
        for item in items {
            query.append(PercentEncoding.encode(item.name) + "=" + PercentEncoding.encode(try text(item.template)))
        }
        return query.joined(separator: "&")
    }

    func headers(_ fields: [NamedTemplate]) throws(RenderingError) -> [DraftRequest.Header] {
        var headers: [DraftRequest.Header] = []
        for field in fields {
            let value = try text(field.template)
            guard HeaderField.isValue(value) else { throw .unfit }
            headers.append(DraftRequest.Header(name: field.name, value: Sensitive(value)))
        }
        return headers
    }

    /// The body with its media type; `nil` where there is none.
    func body(_ template: BodyTemplate) throws(RenderingError) -> (mediaType: String, bytes: [UInt8])? {
        switch template {
        case .none: return nil
        case .json(let json): return ("application/json", try value(json).encoded())
        case .form(let fields):
            var items: [String] = []
            for field in fields {
                items.append(
                    PercentEncoding.formEncode(field.name) + "=" + PercentEncoding.formEncode(try text(field.template)))
            }
            return ("application/x-www-form-urlencoded", Array(items.joined(separator: "&").utf8))
        }
    }

    func value(_ template: JSONTemplate) throws(RenderingError) -> JSONValue {
        switch template {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .text(let template): return try value(template)
        case .array(let elements):
            var values: [JSONValue] = []
            for element in elements { values.append(try value(element)) }
            return .array(values)
        case .object(let members):
            var values: [(String, JSONValue)] = []
            for member in members { values.append((member.name, try value(member.value))) }
            return .object(values)
        }
    }

    /// A text that is one variable takes the variable's own type; an instant counted in numbers is a number.
    private func value(_ template: TextTemplate) throws(RenderingError) -> JSONValue {
        guard let use = template.only else { return .string(try text(template)) }
        guard let value = values.value(of: use.variable) else { throw .missing }
        switch (value, use.encoding) {
        case (.integer(let number), _): return .integer(number)
        case (.boolean(let flag), _): return .boolean(flag)
        case (.list(let texts), nil): return .array(texts.map(JSONValue.string))
        case (.instant(let time), .epochSeconds): return .integer(time.milliseconds / 1000)
        case (.instant(let time), .epochMilliseconds): return .integer(time.milliseconds)
        default: return .string(try text(use))
        }
    }
}

extension Rendering where Values == TemplateValues {
    /// The request of a step, but for its authentication.
    func request(
        _ step: StepDeclaration, idempotency: IdempotencyDeclaration?
    ) throws(RenderingError) -> DraftRequest {
        var draft = DraftRequest(
            method: step.method, origin: values.access.endpoint.origin,
            path: values.access.endpoint.path + (try path(step.path)), query: try query(step.query),
            headers: try headers(step.headers), body: nil, reference: values.reference)
        if !draft.has("Accept") { draft.set("Accept", Sensitive("application/json")) }
        if !draft.has("User-Agent") { draft.set("User-Agent", Sensitive("sekisho")) }
        if let body = try body(step.body) {
            if !draft.has("Content-Type") { draft.set("Content-Type", Sensitive(body.mediaType)) }
            draft.body = Sensitive(body.bytes)
        }
        if let idempotency, let header = idempotency.header, idempotency.steps.contains(step.step) {
            guard HeaderField.isValue(values.attempt.idempotencyKey) else { throw .unfit }
            draft.set(header, Sensitive(values.attempt.idempotencyKey))
        }
        return draft
    }
}

extension DraftRequest {
    /// Whether a header field is there.
    func has(_ name: String) -> Bool { headers.contains { $0.name.lowercased() == name.lowercased() } }
}
