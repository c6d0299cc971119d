import Configuration
import JSONTree
import VerificationCore

extension ManifestReading {
    /// How long one request may take.
    static let timeouts: ClosedRange<Duration> = .milliseconds(100) ... .seconds(120)
    static let standardTimeout: Duration = .seconds(15)
    /// The most tries of one call: more only hides an outage.
    static let mostTries: Int64 = 5

    func steps() -> [VerificationStep: StepDeclaration] {
        guard let reader = root.object("steps") else { return [:] }
        var steps: [VerificationStep: StepDeclaration] = [:]
        for (name, value) in reader.entries() {
            guard let step = VerificationStep(rawValue: name) else {
                value.reportUnknown(name, "step", among: VerificationStep.allCases.map(\.rawValue))
                continue
            }
            if value.isObject() { steps[step] = self.step(step, value) }
        }
        if reader.node["submit"] == nil { reader.report("is missing", member: "submit") }
        return steps
    }

    private func step(_ step: VerificationStep, _ reader: JSONReader) -> StepDeclaration? {
        defer { reader.rejectUnknownKeys() }
        let scope = scope(of: step)
        let open = scope.withoutCredentials
        let method = reader.enumeration("method", as: HTTPMethod.self)
        let path = reader.required("path").flatMap(open.path)
        let query = open.named(reader.optionalObject("query"))
        let headers = scope.headers(reader.optionalObject("headers"))
        let body = scope.body(reader)
        if let method, method == .get, body != BodyTemplate.none {
            reader.report("cannot have a body", member: "method")
        }
        let timeout = reader.duration(
            "timeout", in: ManifestReading.timeouts, default: ManifestReading.standardTimeout)
        let billing = reader.optionalObject("billing").flatMap(ManifestReading.billing)
        let retry = reader.optionalObject("retry").flatMap(retry)
        let answer = reader.optionalObject("answer").map { self.answer($0, of: step, scope: open) }
        let outcomes = outcomes(reader, of: step)
        guard let method, let path, let body else { return nil }
        return StepDeclaration(
            step: step, method: method, path: path, query: query, headers: headers, body: body, timeout: timeout,
            billing: billing, retry: retry, answer: answer ?? AnswerDeclaration(), outcomes: outcomes,
            line: reader.node.line)
    }

    /// A billing rule: `{class, when, quantity}`.
    static func billing(_ reader: JSONReader) -> BillingRule? {
        defer { reader.rejectUnknownKeys() }
        let billable = reader.enumeration("class", as: BillableClass.self)
        let condition = reader.enumeration("when", as: BillingRule.Condition.self)
        let quantity = reader.integer("quantity", in: 1...1_000_000, default: 1)
        if billable == .nonBillable { reader.report("is what a step without billing is", member: "class") }
        guard let billable, let condition else { return nil }
        return BillingRule(billable, when: condition, quantity: Int64(quantity))
    }

    private func retry(_ reader: JSONReader) -> RetryDeclaration? {
        defer { reader.rejectUnknownKeys() }
        let tries = reader.integer("tries", in: 2...ManifestReading.mostTries)
        let backoff = reader.duration("backoff", in: .milliseconds(10) ... .seconds(30), default: .milliseconds(200))
        let longest = reader.duration("longest_pause", in: .milliseconds(10) ... .seconds(60), default: .seconds(5))
        if longest < backoff { reader.report("is shorter than backoff", member: "longest_pause") }
        return tries.map { RetryDeclaration(tries: Int($0), backoff: backoff, longestPause: longest) }
    }

    /// What the templates of a step may name.
    func scope(of step: VerificationStep) -> TemplateScope {
        let known = StepsSketch.before(step)
        return TemplateScope(
            place: step.rawValue, credentials: credentials, variables: Set(variables.keys),
            refusal: { refusal($0, in: step, known: known) }, nonceForm: nonce.form)
    }

    private func refusal(_ variable: Variable, in step: VerificationStep, known: [VerificationStep]) -> String? {
        switch variable {
        case .session, .attempt, .idempotencyKey, .submitIdempotencyKey, .purpose, .documentType, .claims, .now,
            .configured, .credential:
            return nil
        case .document:
            return vocabulary.documents.isEmpty ? "needs vocabulary.documents" : nil
        case .nonce:
            return step == .begin && nonce.origin == .provider ? "is made by the provider and not known yet" : nil
        case .merchantIdentifier, .teamIdentifier:
            return step == .begin && wallet != .configured ? "is said by the answer and not known yet" : nil
        case .evidence, .evidenceDigest:
            return step == .submit ? nil : "is known to submit only"
        case .reference:
            if known.contains(where: sketch.references.contains) { return nil }
            let from = known.filter { $0 != step }.map(\.rawValue)
            return from.isEmpty
                ? "is not known before the first answer"
                : "is not known: no answer to \(from.joined(separator: " or ")) declares a reference"
        case .kept(let name):
            if known.contains(where: { sketch.keeps[$0]?.contains(name) == true }) { return nil }
            let from = known.filter { $0 != step }.map(\.rawValue)
            return from.isEmpty
                ? "is not known before the first answer"
                : "is not known: no answer to \(from.joined(separator: " or ")) keeps it"
        }
    }
}

extension TemplateScope {
    /// The same place without secrets: paths, queries and answers are logged by others.
    var withoutCredentials: TemplateScope {
        var scope = self
        scope.credentials = []
        return scope
    }
}
