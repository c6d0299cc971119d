import HTTPClient
import JSONTree
import Testing
import VerificationCore

@testable import Certified

/// What templates become: whole values, encoded for where they stand.
@Suite struct TemplateTests {
    static let nasty = "a/b?c#d&e=f\"g\\h\r\nX: y%2F 山{session}"

    private var scope: TemplateScope {
        TemplateScope(
            place: "submit", credentials: ["key"], variables: ["v", "n", "b"], refusal: { _ in nil }, nonceForm: .hex)
    }

    private func values(_ text: String = nasty) throws -> TemplateValues {
        TemplateValues(
            access: .example(.script([]), credentials: ["key": "s3cret"]).with(
                ["v": .text(text), "n": .integer(7), "b": .boolean(true)]),
            attempt: Stage.attempt(), request: try Stage.request(), document: "DOC", claims: ["name", "birthdate"],
            nonce: Nonce([0xAB, 0xFF]), identity: nil, evidence: Stage.evidence, reference: text, kept: ["k": text])
    }

    private func template(_ text: String) throws -> TextTemplate {
        let problems = JSONProblemList()
        let node = JSONNode(kind: .string(text), line: 1, column: 1)
        let template = scope.template(JSONReader(node, problems: problems))
        #expect(problems.problems == [])
        return try #require(template)
    }

    private func path(_ text: String, _ value: String) throws -> String {
        let node = JSONNode(kind: .string(text), line: 1, column: 1)
        let template = try #require(scope.path(JSONReader(node, problems: JSONProblemList())))
        return try Rendering(values: values(value)).path(template)
    }

    @Test func `a value in a path is one segment, whatever it holds`() throws {
        #expect(try path("/v1/{reference}/x", "a/b") == "/v1/a%2Fb/x")
        #expect(try path("/v1/{reference}:verify", "a:b") == "/v1/a%3Ab:verify")
        #expect(try path("/{reference}", Self.nasty).split(separator: "/").count == 1)
        #expect(try path("/{reference}", "山") == "/%E5%B1%B1")
        #expect(try path("/a%20b/{reference}", "%2e") == "/a%20b/%252e")
        for gone in ["", ".", ".."] {
            #expect(throws: RenderingError.unfit) { try path("/v1/{reference}/x", gone) }
        }
    }

    @Test func `a value in a form or a query cannot begin another field`() throws {
        let named = [NamedTemplate(name: "a b", template: try template("{reference}"))]
        let rendering = Rendering(values: try values("x&y=z +%"))
        #expect(try rendering.query(named) == "a%20b=x%26y%3Dz%20%2B%25")
        let body = try #require(try rendering.body(.form(named)))
        #expect(String(decoding: body.bytes, as: UTF8.self) == "a+b=x%26y%3Dz+%2B%25")
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\u{0}b", "山", " a", "a ", "\t"])
    func `a value that could begin another header field is not sent`(value: String) throws {
        let named = [NamedTemplate(name: "X-A", template: try template("{reference}"))]
        #expect(throws: RenderingError.unfit) { try Rendering(values: values(value)).headers(named) }
    }

    @Test func `a list is a whole JSON value, or says how it is joined`() throws {
        let problems = JSONProblemList()
        let wrong = try JSONNode.parse(Array(#"["x{claims}"]"#.utf8), syntax: .json5)
        #expect(scope.json(JSONReader(wrong, problems: problems)) == nil)
        #expect(problems.problems.map(\.problem) == ["a list must be the whole value"])
        let right = try JSONNode.parse(Array(#"["x{claims:comma}", "{claims:space}"]"#.utf8), syntax: .json5)
        let template = try #require(scope.json(JSONReader(right, problems: JSONProblemList())))
        #expect(try Rendering(values: values()).value(template).text == #"["xname,birthdate","name birthdate"]"#)
    }

    @Test func `a value in JSON cannot leave its string`() throws {
        let text =
            #"{a: "{reference}", b: "x{reference}y", c: "{claims}", d: "{variables.n}", e: "{variables.b}", f: 1, g: null, h: [true, "{{literal}}"], i: "{now:epoch_seconds}", l: "{nonce}", m: "{nonce:base64}", n: "{credentials.key}", "{o}": "p"}"#
        let node = try JSONNode.parse(Array(text.utf8), syntax: .json5)
        let problems = JSONProblemList()
        let template = try #require(scope.json(JSONReader(node, problems: problems)))
        #expect(problems.problems == [])
        let bytes = try Rendering(values: values()).value(template).encoded()
        let read = try JSONNode.parse(bytes, syntax: .json)
        #expect(read["a"]?.string == Self.nasty)
        #expect(read["b"]?.string == "x\(Self.nasty)y")
        #expect(read["c"]?.elements?.compactMap(\.string) == ["name", "birthdate"])
        #expect(read["d"].flatMap(JSONScalar.init) == .integer(7))
        #expect(read["e"].flatMap(JSONScalar.init) == .boolean(true))
        #expect(read["h"]?.elements?.last?.string == "{literal}")
        #expect(read["i"].flatMap(JSONScalar.init) == .integer(1_790_000_000))
        #expect(read["l"]?.string == "abff")
        #expect(read["m"]?.string == "q/8=")
        #expect(read["n"]?.string == "s3cret")
        #expect(read["{o}"]?.string == "p")
    }

    @Test func `a nonce that is no text is not sent as one`() throws {
        var values = try values()
        values.nonce = Nonce([0xFF, 0xFE])
        #expect(throws: RenderingError.unfit) { try Rendering(values: values).text(self.template("{nonce:utf8}")) }
    }

    @Test(arguments: [
        ("{", "brace"), ("}", "brace"), ("a{b", "brace"), ("{a{b}}", "brace"), ("{}", "names no variable"),
        ("{sesion}", "did you mean \"session\""), ("{evidence}", "must say how"), ("{now}", "must say how"),
        ("{evidence:rfc3339}", "no encoding"), ("{session:hex}", "no encoding"), ("{evidence:utf8}", "no encoding"),
        ("{evidence:base46}", "did you mean"), ("{variables.x}", "names no entry"),
        ("{credentials.x}", "names no entry"),
        ("{kept.}", "names no variable"), ("{other.x}", "names no variable"),
    ])
    func `a template that cannot be read is refused with its reason`(text: String, reason: String) {
        let problems = JSONProblemList()
        let node = JSONNode(kind: .string(text), line: 3, column: 1)
        #expect(scope.template(JSONReader(node, problems: problems)) == nil)
        #expect(problems.problems.count == 1)
        #expect(problems.problems.first?.problem.contains(reason) == true)
        #expect(problems.problems.first?.line == 3)
    }
}

extension ProviderAccess {
    fileprivate func with(_ variables: [String: VariableValue]) -> ProviderAccess {
        var access = self
        access.variables = variables
        return access
    }
}
