public import Billing
public import Configuration
import Cryptography
import Foundation
import HTTPClient
public import JSONTree
public import VerificationCore

/// What a declaration of the kind says, with the manifest and the secrets that it names.
struct CertifiedConfiguration: Sendable {
    let id: VerifierID
    let isSimulated: Bool
    let certification: Certification?
    let manifest: Manifest
    let documentTypes: Set<String>
    /// The identity that every session's wallet is asked with; `nil` where the provider says it for each.
    let identity: WalletIdentity?
    let teamIdentifier: String?
    let walletKeys: WalletKeys?
    let billing: BillingPlan
    let credentials: [CredentialName: Sensitive<[UInt8]>]
    let variables: [String: VariableValue]
    let endpoint: Endpoint
    let tls: TLSReading.Result
    let proxy: String?

    /// Plain `http` may go to this machine, and not in production.
    var plaintext: PlaintextPolicy { endpoint.isPlaintext ? .loopback : .refused }

    /// How the provider is reached by a client.
    func access(by client: any OutboundSending) -> ProviderAccess {
        ProviderAccess(
            endpoint: endpoint, credentials: credentials, variables: variables, tls: tls.settings, pool: id.rawValue,
            plaintext: plaintext, proxy: proxy, client: client)
    }

    /// Reads a declaration and notes every problem, those of its manifest too; `nil` where a part is missing without which
    /// there is no verifier.
    init?(_ declaration: VerifierDeclaration, in context: KindContext, problems: JSONProblemList) {
        let reader = declaration.reader(problems: problems)
        let simulator = reader.optional("mode").map { $0.enumeration(as: Mode.self) == .simulator } ?? false
        let manifest = reader.required("manifest").flatMap(ManifestFile.read)
        let reading = ConfigurationParts(reader: reader, manifest: manifest, context: context)
        let documentTypes = ConfigurationParts.documentTypes(reader, manifest)
        let wallet = reading.wallet()
        let billing = reading.billing()
        let credentials = reading.credentials()
        let variables = reading.variables()
        let endpoint = reading.endpoint()
        let tls =
            reader.optionalObject("tls").map { TLSReading(reader: $0, context: context).result() }
            ?? TLSReading.Result()
        let proxy = reader.optional("proxy").flatMap(ConfigurationParts.proxy)
        reader.rejectUnknownKeys()
        guard let manifest, let endpoint, let wallet else { return nil }
        id = declaration.id
        isSimulated = declaration.isSimulated && simulator
        certification = declaration.certification
        self.manifest = manifest
        self.documentTypes = documentTypes
        identity = wallet.identity
        teamIdentifier = wallet.team
        walletKeys = wallet.identity.map { WalletKeys(identity: $0, keyHashes: wallet.keyHashes) }
        self.billing = billing
        self.credentials = credentials
        self.variables = variables
        self.endpoint = endpoint
        self.tls = tls
        self.proxy = proxy
        if credentials.count == manifest.credentials.count { checkSecrets(reader) }
    }

    private enum Mode: String, CaseIterable {
        case live, simulator
    }

    /// What was read from outside the declaration.
    var parts: [LoadedPart] {
        manifest.parts + tls.parts
            + credentials.sorted { $0.key < $1.key }.map { LoadedPart(.credential, $0.key, .secret($0.value)) }
    }

    /// Opens what uses the secrets, to hear which of them cannot be used as the manifest says.
    private func checkSecrets(_ reader: JSONReader) {
        let access = access(by: NoClient())
        do throws(CredentialProblem) {
            _ = try Authenticators.open(manifest.authentication, access: access)
            if let webhooks = manifest.webhooks { _ = try NotificationReceivers.open(webhooks, access: access) }
        } catch {
            let place = reader.optionalObject("credentials") ?? reader
            place.report(error.problem, member: error.credential)
        }
    }
}

/// Stands in for a client while nothing is sent.
private struct NoClient: OutboundSending {
    func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer {
        throw OutboundFailure(.closed, wasSent: false)
    }
}

/// Reads the manifest that a configuration names.
enum ManifestFile {
    /// The manifest at the path that a value holds; its problems are noted with the file's name before their place.
    static func read(_ reader: JSONReader) -> Manifest? {
        guard let path = reader.path(reader.string()) else { return nil }
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), !isDirectory.boolValue,
            let file = try? FileHandle(forReadingFrom: url),
            let data = try? file.read(upToCount: JSONLimits.standard.bytes + 1) ?? Data()
        else {
            reader.report("cannot be read")
            return nil
        }
        let problems = JSONProblemList()
        let text = Array(data)
        var manifest = ManifestReading.manifest(text, problems: problems)
        for problem in problems.problems {
            let place = problem.path.isEmpty ? JSONProblem.wholeDocument : problem.path
            reader.problems.append(
                JSONProblem(
                    path: "\(reader.path): \(url.lastPathComponent): \(place)", line: problem.line,
                    problem: problem.problem))
        }
        guard problems.problems.isEmpty else { return nil }
        if let root = try? JSONNode.parse(text, syntax: .json5) {
            manifest?.parts = LoadedPart.members(of: root, as: .manifest)
        }
        return manifest
    }
}

/// Turns the members of a declaration into parts; every method notes what is wrong and goes on.
private struct ConfigurationParts {
    let reader: JSONReader
    let manifest: Manifest?
    let context: KindContext

    static func documentTypes(_ reader: JSONReader, _ manifest: Manifest?) -> Set<String> {
        let spoken = manifest.map { Set($0.vocabulary.documents.keys) } ?? []
        guard let list = reader.optional("document_types") else {
            if manifest != nil, spoken.isEmpty {
                reader.report(
                    "is missing, and the manifest's vocabulary names no documents either", member: "document_types")
            }
            return spoken
        }
        var types: Set<String> = []
        let elements = list.elements() ?? []
        if elements.isEmpty, list.node.elements != nil { list.report("must not be empty") }
        for element in elements {
            guard let type = element.string() else { continue }
            if DocumentCatalog.definition(of: type) == nil {
                element.reportUnknown(type, "known document type", among: DocumentCatalog.documents.map(\.type))
            } else if !spoken.isEmpty, !spoken.contains(type) {
                element.report("has no word in the manifest's vocabulary.documents")
            }
            types.insert(type)
        }
        return types
    }

    struct Wallet {
        var identity: WalletIdentity?
        var team: String?
        var keyHashes: Set<[UInt8]>
    }

    private enum KeyHolder: String, CaseIterable {
        case provider
        case relyingParty = "relying_party"
    }

    /// The longest identifier: Apple's have fewer than a hundred characters.
    private static let longestIdentifier = 255

    func wallet() -> Wallet? {
        let isAnswered = manifest.map { $0.wallet != .configured } ?? false
        guard let wallet = isAnswered ? reader.optionalObject("wallet") : reader.object("wallet") else {
            if isAnswered, needsTeam, reader.node["wallet"] == nil {
                reader.report("is missing: begin's answer does not name the team", member: "wallet")
            }
            return isAnswered ? Wallet(keyHashes: []) : nil
        }
        defer { wallet.rejectUnknownKeys() }
        let merchant = wallet.optional("merchant_identifier")
        let identifier = merchant.flatMap { $0.words(limit: ConfigurationParts.longestIdentifier) }
        if merchant == nil, !isAnswered, manifest != nil {
            wallet.report("is missing", member: "merchant_identifier")
        }
        if isAnswered, let merchant { merchant.report("is said by the provider for each session (wallet.identity)") }
        let team = wallet.optional("team_identifier").flatMap { $0.words(limit: ConfigurationParts.longestIdentifier) }
        if wallet.node["team_identifier"] == nil, needsTeam { wallet.report("is missing", member: "team_identifier") }
        let holder = wallet.enumeration("key_holder", as: KeyHolder.self)
        for name in ["key", "keys"] where wallet.optional(name) != nil {
            wallet.report("does not belong here: this verifier never decrypts", member: name)
        }
        var hashes: Set<[UInt8]> = []
        for hash in wallet.optionalArray("key_sha256") ?? [] {
            guard let text = hash.string() else { continue }
            guard let bytes = ByteText.bytes(hex: text), bytes.count == 32 else {
                hash.report("must be 64 hexadecimal digits: SHA-256 of the uncompressed point")
                continue
            }
            hashes.insert(bytes)
        }
        if holder == .relyingParty, hashes.isEmpty, wallet.node["key_sha256"] == nil {
            wallet.report("is missing: the keys that you hold must be named", member: "key_sha256")
        }
        guard !isAnswered else { return Wallet(team: team, keyHashes: []) }
        guard let identifier, let team else { return nil }
        return Wallet(
            identity: WalletIdentity(merchantIdentifier: identifier, teamIdentifier: team), team: team,
            keyHashes: hashes)
    }

    private var needsTeam: Bool {
        guard let manifest else { return false }
        if case .answered(_, let team) = manifest.wallet { return team == nil }
        return true
    }

    func billing() -> BillingPlan {
        var rules = manifest.map { $0.steps.compactMapValues(\.billing) } ?? [:]
        guard let override = reader.optionalObject("billing") else { return BillingPlan(rules) }
        for (name, value) in override.entries() {
            guard let step = VerificationStep(rawValue: name), manifest == nil || manifest?.steps[step] != nil else {
                value.reportUnknown(
                    name, "step of the manifest", among: (manifest?.steps.keys).map { $0.map(\.rawValue) } ?? [])
                continue
            }
            guard value.isObject(), let rule = ManifestReading.billing(value) else { continue }
            if let manifest, manifest.steps[step]?.retry != nil, !manifest.isIdempotent(step) {
                value.report("bills a step that the manifest repeats without idempotency")
            }
            rules[step] = rule
        }
        return BillingPlan(rules)
    }

    func credentials() -> [CredentialName: Sensitive<[UInt8]>] {
        let declared = manifest?.credentials ?? []
        let entries = reader.optionalObject("credentials")?.entries() ?? []
        var secrets: [CredentialName: Sensitive<[UInt8]>] = [:]
        for (name, value) in entries {
            guard let reference = SecretReference(value) else { continue }
            guard manifest == nil || declared.contains(name) else {
                value.reportUnknown(name, "entry of the manifest's credentials", among: Array(declared))
                continue
            }
            do throws(SecretProblem) {
                secrets[name] = try reference.resolve(using: context.resolver)
            } catch {
                value.report(error.words)
            }
        }
        let missing = declared.subtracting(entries.map(\.name)).sorted()
        if !missing.isEmpty {
            reader.report("lacks what the manifest needs: \(missing.joined(separator: ", "))", member: "credentials")
        }
        return secrets
    }

    func variables() -> [String: VariableValue] {
        let declared = manifest?.variables ?? [:]
        var values = declared.compactMapValues(\.standard)
        let entries = reader.optionalObject("variables")?.entries() ?? []
        for (name, value) in entries {
            guard manifest == nil || declared[name] != nil else {
                value.reportUnknown(name, "entry of the manifest's variables", among: Array(declared.keys))
                continue
            }
            values[name] = VariableValue(value)
        }
        let missing = declared.filter { $0.value.standard == nil }.map(\.key)
            .filter { name in !entries.contains { $0.name == name } }.sorted()
        if !missing.isEmpty {
            reader.report("lacks what the manifest needs: \(missing.joined(separator: ", "))", member: "variables")
        }
        return values
    }

    func endpoint() -> Endpoint? {
        let member = reader.optional("endpoint")
        let given = member.flatMap(Endpoint.read)
        if member == nil, manifest != nil, manifest?.endpoint == nil {
            reader.report("is missing, and the manifest gives none", member: "endpoint")
        }
        guard let endpoint = member == nil ? manifest?.endpoint : given else { return nil }
        var addresses = [endpoint]
        for case .oauth(let oauth) in manifest?.authentication ?? [] {
            addresses += [Endpoint(oauth.tokenEndpoint)].compactMap(\.self)
        }
        for case .token(let token) in manifest?.authentication ?? [] {
            addresses += [Endpoint(token.request.endpoint)].compactMap(\.self)
        }
        for address in addresses where address.isPlaintext {
            if context.environment == .production {
                reader.report("is not encrypted: not in production", member: "endpoint")
            } else if !address.isLoopback {
                reader.report("is not encrypted, and not this machine", member: "endpoint")
            }
        }
        return endpoint
    }

    /// An address such as `http://proxy.example:3128`.
    static func proxy(_ reader: JSONReader) -> String? {
        guard let text = reader.string() else { return nil }
        if let endpoint = Endpoint(text), endpoint.path.isEmpty { return text }
        reader.report("must be an address such as \"http://proxy.example:3128\"")
        return nil
    }
}

extension CertifiedProvider {
    /// What a declaration's verifier can verify, as its manifest says; no secret is fetched. Throws what is wrong with either.
    public static func offer(of declaration: VerifierDeclaration) throws(JSONProblems) -> VerifierOffer {
        let problems = JSONProblemList()
        let reader = declaration.reader(problems: problems)
        let manifest = reader.required("manifest").flatMap(ManifestFile.read)
        let types = ConfigurationParts.documentTypes(reader, manifest)
        try problems.throwIfAny()
        return VerifierOffer(documentTypes: types, claims: manifest?.claims(of: types))
    }

    /// What the provider's invoices look like, as the manifest of a declaration says; `nil` where it does not, or cannot
    /// be read.
    public static func invoiceFormat(of declaration: VerifierDeclaration) -> InvoiceFormat? {
        let reader = declaration.reader(problems: JSONProblemList())
        return reader.optional("manifest").flatMap(ManifestFile.read)?.invoice
    }
}
