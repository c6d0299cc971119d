import Gateway
import JSONTree
import VerificationCore

extension InventoryChange {
    /// What a reload would swap, in words: `manifest of alpha: steps.submit changed`. Of a secret no more than that it is
    /// another one.
    var words: String {
        let what = kind.words + (owner == "prices" ? "" : " of " + (owner.split(separator: ".").last ?? "")) + ": "
        guard kind.isNamed else {
            let parts = [Self.words(added, "added"), Self.words(removed, "removed"), Self.words(unknown)]
            return what + parts.compactMap(\.self).joined(separator: ", ")
        }
        let parts =
            changed.map { $0 + (kind.isSecret ? " is another one" : " changed") } + added.map { $0 + " added" }
            + removed.map { $0 + " removed" } + [Self.words(unknown)].compactMap(\.self)
        return what + parts.joined(separator: ", ")
    }

    private static func words(_ names: [String], _ word: String) -> String? {
        guard !names.isEmpty else { return nil }
        let places = Set(names).sorted().joined(separator: ", ")
        return "\(names.count) \(word) (\(places))"
    }

    private static func words(_ unknown: [String]) -> String? {
        guard !unknown.isEmpty else { return nil }
        return "\(unknown.joined(separator: ", ")) cannot be compared: the sealing key that runs is not configured"
    }

    /// The change as JSON.
    var json: JSONValue {
        func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        return .object([
            ("owner", .string(owner)), ("kind", .string(kind.rawValue)), ("added", texts(added)),
            ("removed", texts(removed)), ("changed", texts(changed)), ("unknown", texts(unknown)),
        ])
    }
}

extension LoadedPart.Kind {
    fileprivate var words: String {
        switch self {
        case .manifest: "manifest"
        case .trustAnchor: "trust anchors"
        case .revocationList: "revocation lists"
        case .walletKey: "wallet keys"
        case .walletCertificate: "wallet key's certificate"
        case .credential: "credentials"
        case .certificateAuthority: "certificate authorities"
        case .clientCertificate: "client certificate"
        case .clientKey: "client certificate's key"
        case .webhookSecret: "webhook's secrets"
        case .prices: "price book"
        }
    }

    fileprivate var isSecret: Bool {
        switch self {
        case .credential, .clientKey, .webhookSecret: true
        case .manifest, .trustAnchor, .revocationList, .walletKey, .walletCertificate, .certificateAuthority,
            .clientCertificate, .prices:
            false
        }
    }
}
