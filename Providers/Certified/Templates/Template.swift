import JSONTree

/// A text with variables in braces. What it becomes is one whole value, which the place that it goes to encodes.
struct TextTemplate: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case text(String)
        case variable(VariableUse)
    }

    var parts: [Part]

    /// The variables that it names, in order.
    var variables: [VariableUse] {
        parts.compactMap { if case .variable(let use) = $0 { use } else { nil } }
    }

    /// The variable, where the template is nothing else.
    var only: VariableUse? {
        guard parts.count == 1, case .variable(let use) = parts[0] else { return nil }
        return use
    }
}

/// A header, a query item or a form field.
struct NamedTemplate: Sendable, Hashable {
    var name: String
    var template: TextTemplate
}

/// The path of a request: segments between slashes. What a variable puts into a segment is percent-encoded.
struct PathTemplate: Sendable, Hashable {
    var segments: [TextTemplate]
}

/// The body of a request.
enum BodyTemplate: Sendable, Hashable {
    case none
    case json(JSONTemplate)
    case form([NamedTemplate])

    /// Every template in it.
    var templates: [TextTemplate] {
        switch self {
        case .none: []
        case .json(let json): json.templates
        case .form(let fields): fields.map(\.template)
        }
    }
}

/// A JSON value in which texts may be templates. A text that is one variable and nothing else takes the variable's own
/// type: a list stays a list, a number of the configuration a number.
indirect enum JSONTemplate: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case text(TextTemplate)
    case array([JSONTemplate])
    case object([Member])

    struct Member: Sendable, Hashable {
        var name: String
        var value: JSONTemplate
    }

    var templates: [TextTemplate] {
        switch self {
        case .null, .boolean, .integer: []
        case .text(let template): [template]
        case .array(let elements): elements.flatMap(\.templates)
        case .object(let members): members.flatMap(\.value.templates)
        }
    }
}

extension BodyTemplate {
    var variables: [VariableUse] { templates.flatMap(\.variables) }
}

extension StepDeclaration {
    /// Every template of the request.
    var templates: [TextTemplate] {
        path.segments + query.map(\.template) + headers.map(\.template) + body.templates
    }
}
