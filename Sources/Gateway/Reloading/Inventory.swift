import JSONTree
public import VerificationCore

/// What a configuration brought in beside its own text: the contents of manifests, trust anchors, keys, secrets and the
/// price book, and what each verifier can verify by them. The running one is kept in the store, for `sekisho plan`.
///
/// It shows nothing: public content stands by its SHA-256, a secret by a digest under a sealing key, which nobody can
/// try guesses on who has the database alone.
public struct Inventory: Sendable, Hashable {
    /// The name under which the store keeps the inventory of what runs.
    public static let setting = "configuration.inventory"
    /// Half a digest: what it tells apart are contents of one operator's, none of them chosen to collide.
    static let digestLength = 16

    /// A part and whose it is.
    public struct Entry: Sendable, Hashable {
        /// The place in the configuration that names it, such as `verifiers.alpha`.
        public let owner: String
        /// What sort of thing it is.
        public let kind: LoadedPart.Kind
        /// Its name.
        public let name: String
        /// What tells its content apart; `nil` for a secret whose digest cannot be made by the keys that are here.
        let digest: [UInt8]?
    }

    /// The sealing key that secrets are digested under.
    public let keyID: String
    /// Every part.
    public let entries: [Entry]
    /// What each verifier can verify.
    public let offers: [VerifierID: VerifierOffer]

    /// The inventory of parts, by the place in the configuration that names them. Secrets are digested under the key
    /// named `keyID`, where that is among `keys`; without a name, under the one that seals.
    public init(
        _ parts: [(owner: String, part: LoadedPart)], offers: [VerifierID: VerifierOffer], keys: SealingKeys,
        keyID: String? = nil
    ) {
        let name = keyID ?? keys.current.id
        let key = keys.all.first { $0.id == name }
        self.keyID = name
        self.offers = offers
        entries = parts.map { owner, part in
            let digest: [UInt8]? =
                switch part.content {
                case .digest(let bytes): bytes
                case .secret(let secret): key.map { key in secret.withValue { key.digest(of: $0, label: "inventory") } }
                }
            return Entry(
                owner: owner, kind: part.kind, name: part.name,
                digest: digest.map { Array($0.prefix(Self.digestLength)) })
        }
    }

    private init(keyID: String, entries: [Entry], offers: [VerifierID: VerifierOffer]) {
        self.keyID = keyID
        self.entries = entries
        self.offers = offers
    }
}

extension Inventory {
    private static let version: Int64 = 1

    /// The inventory as it is kept.
    public func encoded() -> [UInt8] {
        JSONValue.object([
            ("version", .integer(Self.version)), ("key", .string(keyID)),
            ("parts", .array(entries.map(Self.json))),
            (
                "offers",
                .object(
                    offers.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, Self.json($0.value)) })
            ),
        ]).encoded()
    }

    /// Reads what ``encoded()`` wrote; `nil` for anything else, such as what a newer program wrote.
    public init?(decoding bytes: [UInt8]) {
        guard let root = try? JSONNode.parse(bytes, syntax: .json),
            case .number(let version)? = root["version"]?.kind, version.integer == Self.version,
            let key = root["key"]?.string,
            let parts = root["parts"]?.elements, let offers = root["offers"]?.members
        else { return nil }
        var entries: [Entry] = []
        for part in parts {
            guard let owner = part["owner"]?.string, let name = part["name"]?.string,
                let kind = part["kind"]?.string.flatMap(LoadedPart.Kind.init)
            else { return nil }
            let digest = part["digest"]?.string.flatMap { ByteText.bytes(hex: $0) }
            entries.append(Entry(owner: owner, kind: kind, name: name, digest: digest))
        }
        var read: [VerifierID: VerifierOffer] = [:]
        for offer in offers { read[VerifierID(offer.name)] = Self.offer(offer.value) }
        self.init(keyID: key, entries: entries, offers: read)
    }

    private static func json(_ entry: Entry) -> JSONValue {
        .object([
            ("owner", .string(entry.owner)), ("kind", .string(entry.kind.rawValue)), ("name", .string(entry.name)),
            ("digest", .string(orNull: entry.digest.map { ByteText.hex($0) })),
        ])
    }

    private static func json(_ offer: VerifierOffer) -> JSONValue {
        func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.sorted().map { .string($0) }) }
        let claims = offer.claims.map { claims in
            JSONValue.object(claims.sorted { $0.key < $1.key }.map { ($0.key, texts($0.value.map(\.rawValue))) })
        }
        return .object([("document_types", texts(offer.documentTypes)), ("claims", claims ?? .null)])
    }

    private static func offer(_ node: JSONNode) -> VerifierOffer {
        func texts(_ node: JSONNode?) -> [String] { node?.elements?.compactMap(\.string) ?? [] }
        let claims = node["claims"]?.members.map { members in
            Dictionary(
                members.map { ($0.name, Set(texts($0.value).map { ClaimName($0) })) },
                uniquingKeysWith: { one, _ in one })
        }
        return VerifierOffer(documentTypes: Set(texts(node["document_types"])), claims: claims)
    }
}
