/// Issues a card: IssuerSignedItems, MobileSecurityObject, IssuerAuth (ISO/IEC 18013-5 §8.3.2.1.2, §9.1.2.4).
struct Issuance {
    let plan: Plan
    let randomness: Randomness

    /// IssuerSigned with the disclosed items.
    func issuerSigned() throws(WalletError) -> Item {
        var digests: [(String, [Item.Pair])] = []
        var disclosed: [(String, [Item])] = []
        for namespace in namespaces {
            let (pairs, items) = try issue(namespace)
            digests.append((namespace, pairs))
            if !items.isEmpty { disclosed.append((namespace, items)) }
        }
        plan.editDisclosed(&disclosed)
        return .record([
            "nameSpaces": .map(disclosed.map { Item.Pair(.text($0.0), .array($0.1)) }),
            "issuerAuth": try issuerAuth(digests),
        ])
    }

    private var namespaces: [String] {
        var seen: Set<String> = []
        return plan.card.elements.map(\.namespace).filter { seen.insert($0).inserted }
    }

    /// The digests of a whole namespace, decoys among them, and its disclosed items.
    private func issue(_ namespace: String) throws(WalletError) -> (digests: [Item.Pair], items: [Item]) {
        var digests: [Item.Pair] = []
        var items: [Item] = []
        var identifier = plan.firstDigestID
        for element in plan.card.elements where element.namespace == namespace {
            var item: Item = .record([
                "digestID": .unsigned(identifier),
                "random": .bytes(randomness.bytes(plan.randomLength)),
                "elementIdentifier": .text(element.identifier),
                "elementValue": element.value,
            ])
            plan.editItem(&item)
            let embedded = Item.embedded(item.encoded(plan.style))
            let digest = try LibCrypto.digest(embedded.encoded(), plan.digest.function)
            digests.append(Item.Pair(.unsigned(identifier), .bytes(digest)))
            if plan.disclosed.contains(where: { $0.namespace == namespace && $0.identifier == element.identifier }) {
                plan.forgeItem(&item)
                items.append(.raw(Item.embedded(item.encoded(plan.style)).encoded()))
            }
            identifier += 1
        }
        let width = try LibCrypto.digest([], plan.digest.function).count
        for _ in 0..<plan.decoys {
            digests.append(Item.Pair(.unsigned(identifier), .bytes(randomness.bytes(width))))
            identifier += 1
        }
        return (digests, items)
    }

    private func issuerAuth(_ digests: [(String, [Item.Pair])]) throws(WalletError) -> Item {
        var payload = Item.embedded(object(digests).encoded(plan.style)).encoded()
        let protected = plan.issuerProtected.encoded()
        let structure: Item = .array([
            .text("Signature1"), .bytes(protected), plan.externalAAD, .bytes(payload),
        ])
        var signature = try plan.signer.key.signCOSE(structure.encoded())
        plan.editIssuerSignature(&signature)
        plan.editIssuerPayload(&payload)
        var unprotected: Item = .map(plan.chain.map { [Item.Pair(.integer(33), $0)] } ?? [])
        plan.editUnprotected(&unprotected)
        return .array([.bytes(protected), unprotected, .bytes(payload), .bytes(signature)])
    }

    private func object(_ digests: [(String, [Item.Pair])]) -> Item {
        var object: Item = .record([
            "version": .text("1.0"),
            "digestAlgorithm": .text(plan.digestName ?? plan.digest.rawValue),
            "valueDigests": .map(digests.map { Item.Pair(.text($0.0), .map($0.1)) }),
            "deviceKeyInfo": .record(["deviceKey": Issuance.coseKey(plan.card.deviceKey)]),
            "docType": .text(plan.issuedType),
            "validityInfo": .record([
                "signed": .tag(0, .text(plan.signed.text)),
                "validFrom": .tag(0, .text(plan.validFrom.text)),
                "validUntil": .tag(0, .text(plan.validUntil.text)),
            ]),
        ])
        plan.editObject(&object)
        return object
    }

    /// A COSE_Key (RFC 9053 section 7): EC2 with both coordinates, or OKP.
    static func coseKey(_ key: PrivateKey) -> Item {
        if key.kind == .ed25519 {
            return .map([
                Item.Pair(.integer(1), .integer(1)), Item.Pair(.integer(-1), .integer(key.kind.coseCurve)),
                Item.Pair(.integer(-2), .bytes(key.publicBytes)),
            ])
        }
        let width = key.kind.width
        return .map([
            Item.Pair(.integer(1), .integer(2)), Item.Pair(.integer(-1), .integer(key.kind.coseCurve)),
            Item.Pair(.integer(-2), .bytes(Array(key.publicBytes[1..<1 + width]))),
            Item.Pair(.integer(-3), .bytes(Array(key.publicBytes[(1 + width)...]))),
        ])
    }
}
