extension Variant {
    /// Every variant; each must verify.
    public static let all: [Variant] = spelling + algorithms + contents + chains + devices

    private static let spelling: [Variant] = [
        Variant("keys_length_first", "map keys shorter first, as Apple in 2025") { plan, _ in
            plan.style.keyOrder = .lengthFirst
        },
        Variant("keys_reversed", "map keys backwards") { plan, _ in plan.style.keyOrder = .reversed },
        Variant("indefinite", "arrays, maps and byte strings of indefinite length") { plan, _ in
            plan.style.indefinite = true
        },
        Variant("wide", "every length and number in nine bytes") { plan, _ in plan.style.wide = true },
        Variant("envelope_indefinite", "the envelope's map is of indefinite length") { plan, _ in
            plan.editEnvelope = { $0 = .raw($0.encoded(EncodingStyle(indefinite: true))) }
        },
        Variant("envelope_reversed", "the envelope's keys backwards, lengths in nine bytes") { plan, _ in
            plan.editEnvelope = { $0 = .raw($0.encoded(EncodingStyle(keyOrder: .reversed, wide: true))) }
        },
    ]

    private static let algorithms: [Variant] = [
        Variant("sha384", "SHA-384 digests") { plan, _ in plan.digest = .sha384 },
        Variant("sha512", "SHA-512 digests") { plan, _ in plan.digest = .sha512 },
        Variant("issuer_es384", "ES384 by the issuer") { plan, scene in
            plan.sign(with: try scene.issuer.signer(kind: .p384))
        },
        Variant("issuer_es512", "ES512 by the issuer") { plan, scene in
            plan.sign(with: try scene.issuer.signer(kind: .p521))
        },
        Variant("issuer_eddsa", "EdDSA by the issuer") { plan, scene in
            plan.sign(with: try scene.issuer.signer(kind: .ed25519))
        },
        Variant("device_es384", "ES384 by the device") { plan, scene in try device(.p384, &plan, scene) },
        Variant("device_es512", "ES512 by the device") { plan, scene in try device(.p521, &plan, scene) },
        Variant("device_eddsa", "EdDSA by the device") { plan, scene in try device(.ed25519, &plan, scene) },
    ]

    private static let contents: [Variant] = [
        Variant("chain_array_of_one", "`x5chain` is an array of one") { plan, _ in
            plan.chain = plan.chain.map { .array([$0]) }
        },
        Variant("chain_with_stray", "a certificate of somebody else follows in `x5chain`") { plan, scene in
            let stray = try scene.issuer.signer()
            plan.chain = Plan.chain(plan.signer.chain + [stray.chain[0]])
        },
        Variant("header_kid", "a key identifier in the unprotected header") { plan, _ in
            plan.editUnprotected = { $0[.integer(4)] = .bytes([0x31, 0x31]) }
        },
        Variant("dates_with_fraction", "ValidityInfo with fractions of a second") { plan, _ in
            plan.editObject = { object in
                for name in ["signed", "validFrom", "validUntil"] {
                    guard case .tag(0, .text(let text)) = object["validityInfo"]?[name] else { continue }
                    object["validityInfo"]?[name] = .tag(0, .text(text.dropLast() + ".123456789Z"))
                }
            }
        },
        Variant("expected_update", "`expectedUpdate` in ValidityInfo") { plan, scene in
            let update = scene.now.adding(days: 7).text
            plan.editObject = { $0["validityInfo"]?["expectedUpdate"] = .tag(0, .text(update)) }
        },
        Variant("valid_until_now", "the last second of validity") { plan, scene in plan.validUntil = scene.now },
        Variant("object_version_1_1", "MobileSecurityObject version 1.1") { plan, _ in
            plan.editObject = { $0["version"] = .text("1.1") }
        },
        Variant("object_unknown_key", "an unknown key and a null `status` in the MobileSecurityObject") { plan, _ in
            plan.editObject = { object in
                object["status"] = .null
                object["x-future"] = .array([.undefined])
            }
        },
        Variant("device_key_dressed", "the device key with kid and alg, in another order, and key authorizations") {
            plan, _ in
            plan.editObject = { object in
                guard case .map(let pairs) = object["deviceKeyInfo"]?["deviceKey"] else { return }
                let more = [
                    Item.Pair(.integer(2), .bytes([0x31])), Item.Pair(.integer(3), .integer(-7)),
                ]
                object["deviceKeyInfo"]?["deviceKey"] = .map(more + pairs.reversed())
                object["deviceKeyInfo"]?["keyAuthorizations"] = .record(["nameSpaces": .array([.text("x")])])
            }
        },
        Variant("digest_ids_large", "digest identifiers above 2^32") { plan, _ in
            plan.firstDigestID = 5_000_000_000
        },
        Variant("decoys_many", "120 digests of items that are never disclosed") { plan, _ in plan.decoys = 120 },
        Variant("decoys_none", "no digest but those of the card") { plan, _ in plan.decoys = 0 },
        Variant("random_shortest", "`random` of 16 bytes") { plan, _ in plan.randomLength = 16 },
        Variant("random_long", "`random` of 64 bytes") { plan, _ in plan.randomLength = 64 },
        Variant("item_unknown_key", "an unknown key in every IssuerSignedItem") { plan, _ in
            plan.editItem = { $0["x-future"] = .null }
        },
        Variant("device_payload_embedded", "the right DeviceAuthentication is embedded") { plan, _ in
            plan.editDevicePayload = { .bytes($0) }
        },
        Variant("topic_unknown", "an unknown topic beside `identity`") { plan, _ in
            plan.editTopics = { $0["weather"] = .text("fair") }
        },
        Variant("response_unknown_key", "an unknown key in the DeviceResponse") { plan, _ in
            plan.editResponse = { $0["x-future"] = .boolean(false) }
        },
        Variant("portrait_large", "a portrait of 60 kB") { plan, _ in
            for index in plan.card.elements.indices where plan.card.elements[index].identifier == "portrait" {
                plan.card.elements[index].value = .bytes(Portrait.large.bytes)
            }
        },
        Variant("birth_date_map", "`birth_date` as the map of ISO/IEC 23220-2") { plan, _ in
            guard let date = plan.card["birth_date", in: Card.Japan.isoNamespace] else { return }
            plan.card["birth_date", in: Card.Japan.isoNamespace] = .record(["birth_date": date])
        },
    ]

    private static let chains: [Variant] = [
        Variant("chain_with_root", "the configured root comes along in `x5chain`") { plan, scene in
            plan.chain = Plan.chain(plan.signer.chain + [scene.issuer.root])
        },
        Variant("certificate_extension", "an unknown extension of the certificate, not critical") { plan, scene in
            plan.sign(
                with: try scene.issuer.signer { template in
                    template.extensions.append(CertificateExtension("1.3.6.1.4.1.99999.1", value: DER.null))
                })
        },
        Variant("signed_at_certificate_start", "`signed` in the first second of the signer's certificate") { plan, _ in
            plan.signed = plan.signer.template.notBefore
        },
        Variant("signed_at_certificate_end", "`signed` in the last second of the signer's certificate") { plan, scene in
            plan.sign(with: try scene.issuer.signer { $0.notAfter = scene.now })
            plan.signed = scene.now
            plan.validFrom = scene.now
        },
        Variant("valid_forever", "`validUntil` is the last second of the year 9999") { plan, _ in
            plan.validUntil = Moment(9999, 12, 31, 23, 59, 59)
        },
    ]

    private static let devices: [Variant] = [
        Variant("device_elements_indefinite", "an empty DeviceNameSpaces of indefinite length") { plan, _ in
            plan.deviceNameSpaces = [0xBF, 0xFF]
        },
        Variant("device_elements", "an element that the device asserts itself; it is no claim") { plan, _ in
            let namespace = plan.disclosed.first?.namespace ?? ""
            plan.deviceNameSpaces = Item.record([namespace: .record(["age_over_99": .boolean(true)])]).encoded()
            plan.editObject = {
                $0["deviceKeyInfo"]?["keyAuthorizations"] = .record(["nameSpaces": .array([.text(namespace)])])
            }
        },
    ]

    private static func device(_ kind: KeyKind, _ plan: inout Plan, _ scene: Scene) throws(WalletError) {
        let key = try PrivateKey(kind, randomness: scene.wallet.randomness)
        plan.card.deviceKey = key
        plan.deviceKey = key
        plan.deviceProtected = Plan.protected(kind)
    }
}
