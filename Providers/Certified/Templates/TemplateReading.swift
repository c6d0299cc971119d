import JSONTree

/// The variables that the templates of one place may name, and why not others.
struct TemplateScope {
    /// The variables of the place, in words for a message, such as `begin`.
    var place: String
    /// Secrets by name; empty where none may stand.
    var credentials: Set<CredentialName>
    var variables: Set<String>
    /// Why a variable cannot be used here; `nil` where it can.
    var refusal: (Variable) -> String?
    /// The text form of a nonce where a template names none.
    var nonceForm: NonceForm

    /// Notes every problem of a template and gives it back where there is none.
    func template(_ reader: JSONReader) -> TextTemplate? {
        guard let text = reader.string(limit: TemplateScope.longest) else { return nil }
        return template(text, reader)
    }

    /// The longest template: a fixed text of an API, never data.
    static let longest = 8192

    func template(_ text: String, _ reader: JSONReader) -> TextTemplate? {
        guard let pieces = TemplateScope.pieces(text) else {
            reader.report("has a brace without its partner; write {{ and }} for braces that are text")
            return nil
        }
        var parts: [TextTemplate.Part] = []
        for piece in pieces {
            switch piece {
            case .text(let text): parts.append(.text(text))
            case .name(let name):
                guard let use = use(name, reader) else { return nil }
                parts.append(.variable(use))
            }
        }
        return TextTemplate(parts: parts)
    }

    private func use(_ text: String, _ reader: JSONReader) -> VariableUse? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let variable = variable(parts[0], reader) else { return nil }
        var encoding = variable == .nonce ? nonceForm.encoding : nil
        if parts.count == 2 {
            guard let named = ValueEncoding(rawValue: parts[1]) else {
                let known = ValueEncoding.allCases.filter { $0.kind == variable.kind }.map(\.rawValue)
                reader.reportUnknown(parts[1], "encoding", among: known)
                return nil
            }
            guard named.kind == variable.kind, named != .utf8 || variable == .nonce else {
                reader.report("{\(parts[0])} has no encoding \(named.rawValue)")
                return nil
            }
            encoding = named
        }
        if encoding == nil, variable.kind == .bytes || variable.kind == .instant {
            let known = ValueEncoding.allCases.filter { $0.kind == variable.kind && $0 != .utf8 }
                .map { "{\(parts[0]):\($0.rawValue)}" }
            reader.report("must say how {\(parts[0])} is written: \(known.sorted().joined(separator: ", "))")
            return nil
        }
        return VariableUse(variable: variable, encoding: encoding)
    }

    private func variable(_ name: String, _ reader: JSONReader) -> Variable? {
        guard let variable = Variable(name) else {
            reader.reportUnknown(name, "variable", among: Array(Variable.plain.keys))
            return nil
        }
        switch variable {
        case .configured(let name) where !variables.contains(name):
            reader.reportUnknown(name, "entry of this manifest's variables", among: Array(variables))
            return nil
        case .credential(let name) where credentials.isEmpty:
            reader.report("a secret ({credentials.\(JSONPath.quoted(name))}) may not stand here")
            return nil
        case .credential(let name) where !credentials.contains(name):
            reader.reportUnknown(name, "entry of this manifest's credentials", among: Array(credentials))
            return nil
        default: break
        }
        if let refusal = refusal(variable) {
            reader.report("{\(name)} \(refusal)")
            return nil
        }
        return variable
    }

    private enum Piece {
        case text(String)
        case name(String)
    }

    /// Text and names in turn; `nil` where braces do not fit together.
    private static func pieces(_ text: String) -> [Piece]? {
        var pieces: [Piece] = []
        var literal = String.UnicodeScalarView()
        var name: String.UnicodeScalarView?
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if var open = name {
                if scalar == "}" {
                    pieces.append(.name(String(open)))
                    name = nil
                } else if scalar == "{" {
                    return nil
                } else {
                    open.append(scalar)
                    name = open
                }
            } else if scalar == "{" || scalar == "}" {
                if rest.first == scalar {
                    rest.removeFirst()
                    literal.append(scalar)
                } else if scalar == "{" {
                    if !literal.isEmpty { pieces.append(.text(String(literal))) }
                    literal = String.UnicodeScalarView()
                    name = String.UnicodeScalarView()
                } else {
                    return nil
                }
            } else {
                literal.append(scalar)
            }
        }
        if name != nil { return nil }
        if !literal.isEmpty || pieces.isEmpty { pieces.append(.text(String(literal))) }
        return pieces
    }
}

extension NonceForm {
    /// The encoding of the same name.
    var encoding: ValueEncoding {
        switch self {
        case .base64URL: .base64URL
        case .base64: .base64
        case .hex: .hex
        case .utf8: .utf8
        }
    }
}

extension TemplateScope {
    /// The path of a request: what stands between slashes is literal or a template.
    func path(_ reader: JSONReader) -> PathTemplate? {
        guard let text = reader.string(limit: TemplateScope.longest) else { return nil }
        guard text.utf8.first == 0x2F else {
            reader.report("must begin with a slash; the API's endpoint comes before it")
            return nil
        }
        var segments: [TextTemplate] = []
        for segment in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let template = template(String(segment), reader) else { return nil }
            for case .text(let literal) in template.parts where !PercentEncoding.isSegment(literal) {
                reader.report(
                    "holds a character that a path cannot hold; a query goes into query, anything else as %XX")
                return nil
            }
            if template.variables.contains(where: { $0.variable.kind == .list && $0.encoding == nil }) {
                reader.report("a list must say how it is joined: {claims:comma} or {claims:space}")
                return nil
            }
            if template.parts == [.text(".")] || template.parts == [.text("..")] {
                reader.report("must not hold the segments . and ..")
                return nil
            }
            segments.append(template)
        }
        return PathTemplate(segments: segments)
    }

    /// Named templates: a query, a form or headers.
    func named(_ reader: JSONReader?) -> [NamedTemplate] {
        guard let reader else { return [] }
        return reader.entries().compactMap { name, value in
            guard let template = scalar(value) else { return nil }
            return NamedTemplate(name: name, template: template)
        }
    }

    /// Headers: names are tokens, and those that the client or the authentication writes cannot be set here.
    func headers(_ reader: JSONReader?) -> [NamedTemplate] {
        let headers = named(reader)
        for (name, value) in reader?.entries() ?? [] {
            if !HeaderField.isName(name) { value.report("is not the name of a header field") }
            if HeaderField.reserved.contains(name.lowercased()) {
                value.report("is written by the client")
            }
        }
        let names = headers.map { $0.name.lowercased() }
        for (index, header) in headers.enumerated() {
            if names[..<index].contains(names[index]) { reader?.report("occurs twice", member: header.name) }
            for case .text(let literal) in header.template.parts where !HeaderField.isText(literal) {
                reader?.report("holds a character that a header field cannot hold", member: header.name)
            }
        }
        return headers
    }

    /// A text of a query, a form or a header: a template, or a number or Boolean as it is written.
    private func scalar(_ reader: JSONReader) -> TextTemplate? {
        switch reader.node.kind {
        case .number(let number):
            guard let value = number.integer else {
                reader.report("must be a whole number or a string")
                return nil
            }
            return TextTemplate(parts: [.text(String(value))])
        case .boolean(let flag): return TextTemplate(parts: [.text(flag ? "true" : "false")])
        case .string, .null, .array, .object:
            guard let template = template(reader) else { return nil }
            if template.variables.contains(where: { $0.variable.kind == .list && $0.encoding == nil }) {
                reader.report("a list must say how it is joined: {claims:comma} or {claims:space}")
                return nil
            }
            return template
        }
    }

    /// A JSON body.
    func json(_ reader: JSONReader) -> JSONTemplate? {
        switch reader.node.kind {
        case .null: return .null
        case .boolean(let flag): return .boolean(flag)
        case .number(let number):
            guard let value = number.integer else {
                reader.report("must be a whole number; a fraction can only be sent as a string")
                return nil
            }
            return .integer(value)
        case .string:
            guard let template = template(reader) else { return nil }
            let isJoined = template.variables.allSatisfy { $0.variable.kind != .list || $0.encoding != nil }
            if template.only == nil, !isJoined {
                reader.report("a list must be the whole value")
                return nil
            }
            return .text(template)
        case .array:
            let elements = reader.elements() ?? []
            let templates = elements.compactMap(json)
            return templates.count == elements.count ? .array(templates) : nil
        case .object:
            let entries = reader.entries()
            let members = entries.compactMap { name, value in
                json(value).map { JSONTemplate.Member(name: name, value: $0) }
            }
            return members.count == entries.count ? .object(members) : nil
        }
    }

    /// The body of an object that has at most one of `json` and `form`.
    func body(_ reader: JSONReader) -> BodyTemplate? {
        let json = reader.optional("json")
        let form = reader.optional("form")
        if json != nil, let form {
            form.report("stands beside json; a request has one body")
            return nil
        }
        if let json { return self.json(json).map(BodyTemplate.json) }
        if let form { return .form(named(form)) }
        return BodyTemplate.none
    }
}
