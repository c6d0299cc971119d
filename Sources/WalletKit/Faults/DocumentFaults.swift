extension Fault {
    /// Faults of ValidityInfo.
    static let validity: [Fault] = [
        Fault("not_yet_valid", "validity", "document_not_yet_valid", "`validFrom` is tomorrow") { plan, scene in
            plan.validFrom = scene.now.adding(days: 1)
        },
        Fault("expired", "validity", "document_expired", "`validUntil` was a second ago") { plan, scene in
            plan.validUntil = scene.now.adding(seconds: -1)
        },
        Fault(
            "signed_before_certificate", "validity", "validity_inconsistent",
            "`signed` a second before the signer's certificate"
        ) { plan, _ in
            plan.signed = plan.signer.template.notBefore.adding(seconds: -1)
        },
        Fault(
            "signed_after_certificate", "validity", "validity_inconsistent",
            "`signed` a second after the signer's certificate"
        ) { plan, _ in
            plan.signed = plan.signer.template.notAfter.adding(seconds: 1)
        },
        Fault("valid_before_signed", "validity", "validity_inconsistent", "`validFrom` is a second before `signed`") {
            plan, _ in
            plan.validFrom = plan.signed.adding(seconds: -1)
        },
    ]

    /// Faults of the items and their digests.
    static let digests: [Fault] = [
        Fault("value_changed", "digests", "digest_mismatch", "the first disclosed value was changed") { plan, _ in
            let first = plan.disclosed.first?.identifier ?? ""
            plan.forgeItem = { item in
                guard item["elementIdentifier"] == .text(first), let value = item["elementValue"] else { return }
                item["elementValue"] = changed(value)
            }
        },
        Fault("values_exchanged", "digests", "digest_mismatch", "two elements have each other's value") { plan, _ in
            let pair = plan.disclosed.prefix(2)
            plan.forgeItem = { item in
                for (mine, other) in [(0, 1), (1, 0)] where pair.count == 2 {
                    guard item["elementIdentifier"] == .text(pair[mine].identifier) else { continue }
                    item["elementValue"] = pair[other].value
                }
            }
        },
        Fault("random_changed", "digests", "digest_mismatch", "one bit of an item's `random`") { plan, _ in
            plan.forgeItem = { item in
                guard case .bytes(var random) = item["random"] else { return }
                random[0] ^= 1
                item["random"] = .bytes(random)
            }
        },
        Fault("digest_id_other", "digests", "digest_mismatch", "an item names a decoy's digest") { plan, _ in
            let decoy = plan.firstDigestID + UInt64(plan.card.elements.count)
            plan.decoys = max(plan.decoys, plan.card.elements.count)
            plan.forgeItem = { $0["digestID"] = .unsigned(decoy) }
        },
        Fault("digest_id_unknown", "digests", "digest_mismatch", "an item names no digest at all") { plan, _ in
            plan.forgeItem = { $0["digestID"] = .unsigned(4_245_825_587) }
        },
        Fault("element_never_issued", "digests", "digest_mismatch", "an element that the issuer never signed") {
            plan, scene in
            let random = scene.wallet.randomness.bytes(32)
            plan.editDisclosed = { namespaces in
                guard !namespaces.isEmpty else { return }
                let item: Item = .record([
                    "digestID": .unsigned(999), "random": .bytes(random),
                    "elementIdentifier": .text("age_over_25"), "elementValue": .boolean(true),
                ])
                namespaces[0].1.append(.embedded(item.encoded()))
            }
        },
        Fault(
            "digest_function_other", "digests", "digest_mismatch", "`digestAlgorithm` says SHA-512 over SHA-256 digests"
        ) { plan, _ in
            plan.digestName = "SHA-512"
        },
        Fault("random_short", "digests", "digest_mismatch", "`random` has 15 bytes") { plan, _ in
            plan.randomLength = 15
        },
        Fault("element_repeated", "digests", "element_duplicated", "the same item twice") { plan, _ in
            plan.editDisclosed = { namespaces in
                guard let item = namespaces.first?.1.first else { return }
                namespaces[0].1.append(item)
            }
        },
        Fault("element_contradicted", "digests", "element_duplicated", "one element with two values, both signed") {
            plan, _ in
            guard let first = plan.disclosed.first else { return }
            plan.card.elements.append(Card.Element(first.namespace, first.identifier, changed(first.value)))
        },
    ]

    /// Faults of revocation.
    static let revocation: [Fault] = [
        Fault(
            "signer_revoked", "revocation", "issuer_certificate_revoked", "the signer is on the revocation list",
            need: .revocationList
        ) { plan, scene in
            plan.sign(with: scene.issuer.revokedSigner)
        },
        Fault(
            "document_revoked", "revocation", "document_revoked",
            "the MobileSecurityObject's `status` points at a revoked entry", need: .statusList
        ) { plan, _ in
            plan.editObject = { object in
                object["status"] = .record([
                    "status_list": .record([
                        "idx": .unsigned(1), "uri": .text("https://issuer.example/status/1"),
                    ])
                ])
            }
        },
    ]

    /// Faults of what is asked for and what comes.
    static let elements: [Fault] = [
        Fault("element_withheld", "elements", "element_missing", "the first element that was asked for does not come") {
            plan, _ in
            plan.disclosed = Array(plan.disclosed.dropFirst())
        },
        Fault(tolerated: "individual_number", "a My Number comes unasked: it must vanish, and an incident be counted") {
            plan, _ in
            guard plan.card.documentType == Card.Japan.documentType else { return }
            plan.disclosed += plan.card.elements.filter { $0.identifier == "individual_number_unicode" }
        },
    ]

    /// The same kind of value with another content.
    static func changed(_ value: Item) -> Item {
        switch value {
        case .text(let text): .text(text + "子")
        case .bytes(let bytes): .bytes(bytes + [0x00])
        case .boolean(let value): .boolean(!value)
        case .unsigned(let value): .unsigned(value + 1)
        case .integer(let value): .integer(value + 1)
        case .array(let items): .array(items + [.null])
        case .tag(let number, let item): .tag(number, changed(item))
        case .map, .null, .undefined, .raw: .text("changed")
        }
    }
}
