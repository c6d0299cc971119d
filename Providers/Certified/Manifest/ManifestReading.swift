import Billing
import Configuration
import JSONTree
import VerificationCore

/// Turns the tree of a manifest into its model; every method notes what is wrong and goes on.
struct ManifestReading {
    let root: JSONReader
    let credentials: Set<CredentialName>
    let variables: [String: VariableDeclaration]
    let vocabulary: Vocabulary
    let wallet: WalletDeclaration
    let nonce: NonceDeclaration
    let sketch: StepsSketch

    /// Reads a text; the manifest is good for use only where no problem was noted.
    static func manifest(_ text: [UInt8], problems: JSONProblemList) -> Manifest? {
        guard let node = JSONNode.parse(text, syntax: .json5, problems: problems) else { return nil }
        let root = JSONReader(node, problems: problems)
        guard root.isObject() else { return nil }
        return ManifestReading(root).manifest()
    }

    private init(_ root: JSONReader) {
        self.root = root
        _ = root.optionalString("$schema")
        credentials = ManifestReading.credentials(root)
        variables = ManifestReading.variables(root)
        vocabulary = ManifestReading.vocabulary(root)
        wallet = ManifestReading.wallet(root)
        nonce = ManifestReading.nonce(root)
        sketch = StepsSketch(root.node["steps"])
    }

    private func manifest() -> Manifest? {
        let name = root.words("name", limit: 200)
        if root.node["documentation"] != nil { _ = root.words("documentation", limit: 500) }
        let endpoint = root.optional("endpoint").flatMap(Endpoint.read)
        let authentication = authentication(root)
        let idempotency = root.optionalObject("idempotency").flatMap(idempotency)
        let steps = steps()
        let webhooks = root.optionalObject("webhooks").flatMap(webhooks)
        let invoice = root.optionalObject("invoice").flatMap { InvoiceFormat($0) }
        root.rejectUnknownKeys()
        guard let name else { return nil }
        let manifest = Manifest(
            name: name, endpoint: endpoint, credentials: credentials, variables: variables, vocabulary: vocabulary,
            authentication: authentication, wallet: wallet, nonce: nonce, idempotency: idempotency, steps: steps,
            webhooks: webhooks, invoice: invoice)
        ManifestRules(manifest: manifest, root: root).judge()
        return manifest
    }

    private static func credentials(_ root: JSONReader) -> Set<CredentialName> {
        guard let reader = root.optionalObject("credentials") else { return [] }
        return Set(
            reader.entries().compactMap { name, value in
                _ = value.words()
                return value.isName(name) ? name : nil
            })
    }

    private static func variables(_ root: JSONReader) -> [String: VariableDeclaration] {
        guard let reader = root.optionalObject("variables") else { return [:] }
        var variables: [String: VariableDeclaration] = [:]
        for (name, value) in reader.entries() where value.isName(name) && value.isObject() {
            _ = value.words("description")
            variables[name] = VariableDeclaration(standard: value.optional("default").flatMap(VariableValue.init))
            value.rejectUnknownKeys()
        }
        return variables
    }

    private static func vocabulary(_ root: JSONReader) -> Vocabulary {
        guard let reader = root.optionalObject("vocabulary") else { return Vocabulary() }
        defer { reader.rejectUnknownKeys() }
        var vocabulary = Vocabulary()
        for (type, word) in reader.optionalObject("documents")?.entries() ?? [] {
            if DocumentCatalog.definition(of: type) == nil {
                word.reportUnknown(type, "known document type", among: DocumentCatalog.documents.map(\.type))
            }
            if let text = word.words(limit: 200) { vocabulary.documents[type] = text }
        }
        for (claim, word) in reader.optionalObject("claims")?.entries() ?? [] {
            guard word.isClaim(claim) else { continue }
            if let text = word.words(limit: 200) { vocabulary.claims[ClaimName(claim)] = text }
        }
        return vocabulary
    }

    private enum IdentitySource: String, CaseIterable {
        case configuration, begin
    }

    private static func wallet(_ root: JSONReader) -> WalletDeclaration {
        guard let reader = root.optionalObject("wallet") else { return .configured }
        defer { reader.rejectUnknownKeys() }
        guard reader.enumeration("identity", as: IdentitySource.self) == .begin else { return .configured }
        let merchant = reader.required("merchant_identifier")?.pointer()
        let team = reader.optionalPointer("team_identifier")
        return merchant.map { .answered(merchantIdentifier: $0, teamIdentifier: team) } ?? .configured
    }

    /// The shortest nonce: 128 bits cannot be guessed.
    static let shortestNonce = 16

    private static func nonce(_ root: JSONReader) -> NonceDeclaration {
        let range = shortestNonce...Nonce.maximumLength
        guard let reader = root.object("nonce") else {
            return NonceDeclaration(origin: .gateway, form: .base64URL, lengths: range)
        }
        defer { reader.rejectUnknownKeys() }
        let origin = reader.enumeration("origin", as: NonceOrigin.self) ?? .gateway
        let form = reader.enumeration("form", as: NonceForm.self) ?? .base64URL
        var lengths = range
        if let bytes = reader.optionalObject("bytes") {
            // A provider may make shorter ones than we would; nobody may make them so short that they can be guessed.
            let least = bytes.integer("minimum", in: 8...Int64(Nonce.maximumLength), default: Int64(shortestNonce))
            let most = bytes.integer("maximum", in: 8...Int64(Nonce.maximumLength), default: 64)
            if least <= most { lengths = least...most } else { bytes.report("lies below minimum", member: "maximum") }
            bytes.rejectUnknownKeys()
        }
        let ours = form == .utf8 ? NonceText.textLength : Nonce.generatedLength
        if origin == .gateway, !lengths.contains(ours) {
            reader.report("the gateway's nonce has \(ours) bytes in this form", member: "bytes")
        }
        return NonceDeclaration(origin: origin, form: form, lengths: lengths)
    }

    private func idempotency(_ reader: JSONReader) -> IdempotencyDeclaration? {
        defer { reader.rejectUnknownKeys() }
        let header = reader.optional("header")?.headerName()
        let isInBody = reader.optionalBoolean("in_body") ?? false
        let replaysErrors = reader.optionalBoolean("replays_errors") ?? false
        var steps: Set<VerificationStep> = []
        for step in reader.array("steps") ?? [] {
            if let step: VerificationStep = step.enumeration() { steps.insert(step) }
        }
        if (header != nil) == isInBody {
            reader.report("needs either header, or in_body: true where the body holds {idempotency_key}")
        }
        return IdempotencyDeclaration(header: header, steps: steps, replaysErrors: replaysErrors)
    }
}

extension JSONReader {
    /// Whether a text names a claim of some document of ours, and none that is forbidden; notes why not.
    func isClaim(_ name: String) -> Bool {
        let documents = DocumentCatalog.documents
        if ForbiddenElements.japaneseCardNames.contains(name) || ForbiddenElements.identifiers.contains(name) {
            // A driving licence has a document number; the Japanese card has only the one that nobody may read.
            guard documents.contains(where: { $0.offers(ClaimName(name)) }) else {
                report("is the individual number (マイナンバー), which can never be asked for")
                return false
            }
        }
        if documents.contains(where: { $0.offers(ClaimName(name)) }) { return true }
        reportUnknown(name, "claim of a known document", among: documents.flatMap { $0.elements.map(\.claim.rawValue) })
        return false
    }
}

extension VariableValue {
    /// A string, a whole number or a Boolean; notes what else it is.
    init?(_ reader: JSONReader) {
        switch JSONScalar(reader.node) {
        case .text(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .boolean(let flag): self = .boolean(flag)
        case .null, nil:
            reader.report("must be a string, a whole number, true or false")
            return nil
        }
    }
}

/// What the steps declare, before they are read: the templates of one step name what the answers of others give.
struct StepsSketch {
    /// The steps whose answers have a reference.
    var references: Set<VerificationStep> = []
    /// The names that each step's answer keeps.
    var keeps: [VerificationStep: Set<String>] = [:]
    var steps: Set<VerificationStep> = []

    init(_ node: JSONNode?) {
        for step in VerificationStep.allCases {
            guard let declaration = node?[step.rawValue] else { continue }
            steps.insert(step)
            let answer = declaration["answer"]
            if let text = answer?["reference"]?.string, JSONPointer(text) != nil { references.insert(step) }
            keeps[step] = Set(answer?["keep"]?.members?.map(\.name) ?? [])
        }
    }

    /// The steps whose answers are known when another is made.
    static func before(_ step: VerificationStep) -> [VerificationStep] {
        switch step {
        case .begin: []
        // A fetch is made where the submission's answer was lost.
        case .submit, .fetch: [.begin]
        case .poll: [.begin, .submit, .poll]
        case .erase: [.begin, .submit, .poll, .fetch]
        }
    }
}
