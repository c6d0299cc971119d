extension Fault {
    /// Faults of the DeviceResponse and its parts.
    static let response: [Fault] = [
        Fault("topic_missing", "device_response", "evidence_malformed", "a DeviceResponse without `identity`") {
            plan, _ in
            plan.editTopics = { $0 = $0["identity"] ?? $0 }
        },
        Fault("plaintext_trailing_byte", "device_response", "evidence_malformed", "one byte follows the plaintext") {
            plan, _ in
            plan.editPlaintext = { $0.append(0xF6) }
        },
        Fault("plaintext_garbage", "device_response", "evidence_malformed", "the plaintext is not CBOR") { plan, _ in
            plan.editPlaintext = { $0 = Array("not CBOR".utf8) }
        },
        Fault("response_version", "device_response", "evidence_malformed", "version 2.0") { plan, _ in
            plan.editResponse = { $0["version"] = .text("2.0") }
        },
        Fault("response_status", "device_response", "evidence_malformed", "status 10") { plan, _ in
            plan.editResponse = { $0["status"] = .unsigned(10) }
        },
        Fault("documents_none", "device_response", "evidence_malformed", "no document") { plan, _ in
            plan.editResponse = { $0["documents"] = .array([]) }
        },
        Fault("documents_two", "device_response", "evidence_malformed", "the document twice") { plan, _ in
            plan.editResponse = { response in
                guard case .array(let documents) = response["documents"] else { return }
                response["documents"] = .array(documents + documents)
            }
        },
        Fault("device_signed_missing", "device_response", "evidence_malformed", "`deviceSigned` is missing") {
            plan, _ in
            plan.editDocument = { $0["deviceSigned"] = nil }
        },
        Fault("issuer_auth_missing", "device_response", "evidence_malformed", "`issuerAuth` is missing") { plan, _ in
            plan.editDocument = { $0["issuerSigned"]?["issuerAuth"] = nil }
        },
        Fault("issuer_auth_short", "device_response", "evidence_malformed", "`issuerAuth` has three parts") { plan, _ in
            plan.editDocument = { document in
                guard case .array(let parts) = document["issuerSigned"]?["issuerAuth"] else { return }
                document["issuerSigned"]?["issuerAuth"] = .array(Array(parts.prefix(3)))
            }
        },
        Fault("object_version", "device_response", "evidence_malformed", "MobileSecurityObject version 9.0") {
            plan, _ in
            plan.editObject = { $0["version"] = .text("9.0") }
        },
        Fault("object_without_digests", "device_response", "evidence_malformed", "`valueDigests` is missing") {
            plan, _ in
            plan.editObject = { $0["valueDigests"] = nil }
        },
        Fault("object_without_device_key", "device_response", "evidence_malformed", "`deviceKeyInfo` is missing") {
            plan, _ in
            plan.editObject = { $0["deviceKeyInfo"] = nil }
        },
        Fault("object_without_validity", "device_response", "evidence_malformed", "`validityInfo` is missing") {
            plan, _ in
            plan.editObject = { $0["validityInfo"] = nil }
        },
        Fault(
            "object_duplicate_key", "device_response", "evidence_malformed",
            "`docType` twice in the MobileSecurityObject"
        ) { plan, _ in
            plan.editObject = { object in
                guard case .map(let pairs) = object else { return }
                object = .map(pairs + pairs.filter { $0.key == .text("docType") })
            }
        },
        Fault("signature_and_mac", "device_response", "evidence_malformed", "`deviceSignature` and `deviceMac`") {
            plan, scene in
            let mac = mac(scene)
            plan.editDeviceAuth = { $0["deviceMac"] = mac }
        },
        Fault("digest_sha1", "device_response", "algorithm_unsupported", "`digestAlgorithm` SHA-1") { plan, _ in
            plan.digestName = "SHA-1"
        },
        Fault("digest_truncated_name", "device_response", "algorithm_unsupported", "`digestAlgorithm` SHA-512/256") {
            plan, _ in
            plan.digestName = "SHA-512/256"
        },
        Fault("digest_name_spelled", "device_response", "algorithm_unsupported", "`digestAlgorithm` sha256") {
            plan, _ in
            plan.digestName = "sha256"
        },
    ]

    /// Faults of the document type.
    static let documentType: [Fault] = [
        Fault(
            "document_type_presented", "document_type", "document_type_mismatch",
            "the Document names another type than its MobileSecurityObject"
        ) { plan, _ in
            plan.presentedType = "org.iso.23220.photoid.1"
        },
        Fault(
            "document_type_issued", "document_type", "document_type_mismatch",
            "the MobileSecurityObject names another type than its Document"
        ) { plan, _ in
            plan.issuedType = "org.iso.23220.photoid.1"
        },
        Fault(
            "document_type_other", "document_type", "document_type_mismatch",
            "another document than was asked for, itself right"
        ) { plan, _ in
            plan.presentedType = "org.iso.23220.photoid.1"
            plan.issuedType = "org.iso.23220.photoid.1"
        },
    ]

    /// A COSE_Mac0 of HMAC 256/256 (RFC 9053 section 3.1) with a tag of nothing.
    static func mac(_ scene: Scene) -> Item {
        let protected = Item.map([Item.Pair(.integer(1), .integer(5))]).encoded()
        return .array([.bytes(protected), .map([]), .null, .bytes(scene.wallet.randomness.bytes(32))])
    }
}
