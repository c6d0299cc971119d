extension Fault {
    /// Faults of the envelope's form.
    static let envelope: [Fault] = [
        Fault("envelope_empty", "envelope", "evidence_malformed", "no bytes at all") { plan, _ in
            plan.editBytes = { $0 = [] }
        },
        Fault("envelope_truncated", "envelope", "evidence_malformed", "the last byte is missing") { plan, _ in
            plan.editBytes = { $0.removeLast() }
        },
        Fault("envelope_trailing_byte", "envelope", "evidence_malformed", "one byte follows the map") { plan, _ in
            plan.editBytes = { $0.append(0x00) }
        },
        Fault("envelope_not_a_map", "envelope", "evidence_malformed", "an array instead of a map") { plan, _ in
            plan.editEnvelope = { $0 = .array([$0]) }
        },
        Fault("envelope_duplicate_key", "envelope", "evidence_malformed", "`data` twice") { plan, _ in
            plan.editEnvelope = { envelope in
                guard case .map(let pairs) = envelope, let last = pairs.last else { return }
                envelope = .map(pairs + [last])
            }
        },
        Fault("envelope_without_data", "envelope", "evidence_malformed", "`data` is missing") { plan, _ in
            plan.editEnvelope = { $0["data"] = nil }
        },
        Fault("envelope_without_key_hash", "envelope", "evidence_malformed", "`pkRHash` is missing") { plan, _ in
            plan.editEnvelope = { $0["params"]?["pkRHash"] = nil }
        },
        Fault("envelope_without_info_hash", "envelope", "evidence_malformed", "`infoHash` is missing") { plan, _ in
            plan.editEnvelope = { $0["params"]?["infoHash"] = nil }
        },
        Fault("encapsulated_key_short", "envelope", "evidence_malformed", "`pkEm` has 64 bytes") { plan, _ in
            plan.editEnvelope = { editKey(&$0) { _ = $0.popLast() } }
        },
        Fault("encapsulated_key_hybrid", "envelope", "evidence_malformed", "`pkEm` begins with 06") { plan, _ in
            plan.editEnvelope = { editKey(&$0) { $0[0] = 0x06 } }
        },
        Fault("encapsulated_key_compressed", "envelope", "evidence_malformed", "`pkEm` is compressed") { plan, _ in
            plan.editEnvelope = { editKey(&$0) { $0 = [0x02 | $0[64] & 1] + $0[1...32] } }
        },
        Fault("encapsulated_key_infinity", "envelope", "evidence_malformed", "`pkEm` is the point at infinity") {
            plan, _ in
            plan.editEnvelope = { editKey(&$0) { $0 = [0x00] } }
        },
        Fault("algorithm_unknown", "envelope", "envelope_unsupported", "`algorithm` is APPLE-HPKE-v2") { plan, _ in
            plan.editEnvelope = { $0["algorithm"] = .text("APPLE-HPKE-v2") }
        },
        Fault("mode_psk", "envelope", "envelope_unsupported", "`mode` is 1") { plan, _ in
            plan.editEnvelope = { $0["params"]?["mode"] = .unsigned(1) }
        },
    ]

    /// Faults of the recipient, of the session and of the sealing.
    static let binding: [Fault] = [
        Fault("recipient_other", "recipient_key", "recipient_key_unknown", "sealed to another merchant's key") {
            plan, scene in
            let other = try PrivateKey(.p256, randomness: scene.wallet.randomness)
            plan.recipient = other.publicBytes
            plan.recipientKeyHash = try LibCrypto.digest(other.publicBytes)
            try plan.bind(to: scene.request.transcript(recipientKeyHash: plan.recipientKeyHash))
        },
        Fault(
            "recipient_hash_of_public_key_info", "recipient_key", "recipient_key_unknown",
            "`pkRHash` is over SubjectPublicKeyInfo instead of the point"
        ) { plan, scene in
            plan.recipientKeyHash = try LibCrypto.digest(scene.wallet.merchant.key.publicKeyInfo)
        },
        Fault("info_hash_wrong", "session_binding", "session_mismatch", "only `infoHash` is wrong") { plan, _ in
            plan.infoHash[0] ^= 1
        },
        Fault("nonce_other", "session_binding", "session_mismatch", "answers another session's nonce") { plan, scene in
            try plan.bind(to: scene.transcript { $0.nonce = scene.wallet.randomness.bytes($0.nonce.count) })
        },
        Fault("merchant_other", "session_binding", "session_mismatch", "answers another merchant") { plan, scene in
            try plan.bind(to: scene.transcript { $0.merchantIdentifier += ".other" })
        },
        Fault("team_other", "session_binding", "session_mismatch", "answers another team") { plan, scene in
            try plan.bind(to: scene.transcript { $0.teamIdentifier += "X" })
        },
        Fault("ciphertext_flipped", "decryption", "decryption_failed", "one bit of the ciphertext") { plan, _ in
            plan.editEnvelope = { editData(&$0) { $0[$0.count / 2] ^= 1 } }
        },
        Fault("tag_flipped", "decryption", "decryption_failed", "one bit of the tag") { plan, _ in
            plan.editEnvelope = { editData(&$0) { $0[$0.count - 1] ^= 1 } }
        },
        Fault("ciphertext_short", "decryption", "decryption_failed", "15 bytes: less than a tag") { plan, _ in
            plan.editEnvelope = { editData(&$0) { $0 = Array($0.prefix(15)) } }
        },
        Fault("encapsulated_key_off_curve", "decryption", "decryption_failed", "`pkEm` is no point of P-256") {
            plan, _ in
            plan.editEnvelope = { editKey(&$0) { $0 = [0x04] + [UInt8](repeating: 0, count: 64) } }
        },
        Fault("encapsulated_key_other", "decryption", "decryption_failed", "`pkEm` is another ephemeral key") {
            plan, scene in
            let other = try PrivateKey(.p256, randomness: scene.wallet.randomness)
            plan.editEnvelope = { editKey(&$0) { $0 = other.publicBytes } }
        },
        Fault("info_hashed", "decryption", "decryption_failed", "HPKE's info is the transcript's hash") { plan, _ in
            plan.info = plan.infoHash
        },
        Fault("aad_present", "decryption", "decryption_failed", "HPKE's aad is the transcript") { plan, _ in
            plan.aad = plan.info
        },
    ]

    private static func editKey(_ envelope: inout Item, _ edit: (inout [UInt8]) -> Void) {
        guard case .bytes(var bytes) = envelope["params"]?["pkEm"] else { return }
        edit(&bytes)
        envelope["params"]?["pkEm"] = .bytes(bytes)
    }

    private static func editData(_ envelope: inout Item, _ edit: (inout [UInt8]) -> Void) {
        guard case .bytes(var bytes) = envelope["data"] else { return }
        edit(&bytes)
        envelope["data"] = .bytes(bytes)
    }
}
