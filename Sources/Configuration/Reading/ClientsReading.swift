import Cryptography
import JSONTree
import VerificationCore

extension ConfigurationReading {
    /// The most keys of one client: the one in use, the next, and one that should be gone.
    static let mostClientKeys = 4

    /// The keys of our own demonstration, and no key at all: anybody knows them.
    static let publicKeys = ["demo-app-key", "demo-operator-key", "demo-finance-key", "demo-auditor-key"]

    func clients(
        purposes: [PurposeID: PurposeDeclaration], in environment: DeploymentEnvironment
    ) -> [ClientID: ClientDeclaration] {
        var clients: [ClientID: ClientDeclaration] = [:]
        var owners: Set<[UInt8]> = []
        let publicHashes =
            environment == .production ? ConfigurationReading.publicKeys.map { Hash.sha256($0.utf8) } : []
        for (name, reader) in named("clients") {
            defer { reader.rejectUnknownKeys() }
            let hashes = keyHashes(reader, owners: &owners, forbidden: publicHashes)
            let role = reader.enumeration("role", as: ClientDeclaration.Role.self)
            let allowed = clientPurposes(reader, role: role, known: purposes)
            let webhook = webhook(of: reader, role: role, in: environment)
            guard let role else { continue }
            clients[ClientID(name)] = ClientDeclaration(
                id: ClientID(name), keyHashes: hashes, role: role, purposes: allowed, webhook: webhook)
        }
        return clients
    }

    private func keyHashes(_ client: JSONReader, owners: inout Set<[UInt8]>, forbidden: [[UInt8]]) -> [[UInt8]] {
        guard let list = client.required("key_sha256"), let readers = list.elements() else { return [] }
        if readers.isEmpty || readers.count > ConfigurationReading.mostClientKeys {
            list.report("must hold 1 to \(ConfigurationReading.mostClientKeys) hashes of keys")
        }
        var hashes: [[UInt8]] = []
        for reader in readers {
            guard let text = reader.string() else { continue }
            // Not shown: somebody may have put the key itself here.
            guard let hash = ByteText.bytes(hex: text), hash.count == HashAlgorithm.sha256.length else {
                reader.report("must be the SHA-256 of a key, in 64 hexadecimal digits")
                continue
            }
            if hash == Hash.sha256([]) { reader.report("is the hash of nothing, not of a key") }
            if forbidden.contains(hash) { reader.report("is the hash of a demonstration key: not in production") }
            if !owners.insert(hash).inserted { reader.report("is the hash of a key that is listed already") }
            hashes.append(hash)
        }
        return hashes
    }

    private func clientPurposes(
        _ client: JSONReader, role: ClientDeclaration.Role?, known: [PurposeID: PurposeDeclaration]
    ) -> Set<PurposeID> {
        guard role == .app else {
            if role != nil, client.optional("purposes") != nil {
                client.report("only a client with the role \"app\" has purposes", member: "purposes")
            } else {
                _ = client.optional("purposes")
            }
            return []
        }
        guard let list = client.required("purposes") else { return [] }
        let strings = list.uniqueStrings()
        if list.node.elements?.isEmpty == true { list.report("must not be empty for an app") }
        for (text, reader) in strings where !isDeclared(text, in: "purposes") {
            reader.reportUnknown(text, "purpose", among: known.keys.map(\.rawValue))
        }
        return Set(strings.map { PurposeID($0.text) })
    }

    /// Whether a dictionary at the root has an entry of the name, even one with problems of its own: those are told
    /// where they are, not again at every mention.
    func isDeclared(_ name: String, in dictionary: String) -> Bool {
        root.node[dictionary]?[name] != nil
    }
}
