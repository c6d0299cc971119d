extension Fault {
    private static let check = "device_signature"

    /// Faults of the device's signature.
    static let deviceSignature: [Fault] = [
        Fault(
            "resealed_old_response", check, "device_signature_invalid", "an old response, sealed again for this nonce"
        ) { plan, scene in
            plan.deviceTranscript = try scene.transcript {
                $0.nonce = scene.wallet.randomness.bytes($0.nonce.count)
            }
        },
        Fault(
            "resealed_with_payload", check, "device_signature_invalid",
            "an old response with its own DeviceAuthentication embedded"
        ) { plan, scene in
            plan.deviceTranscript = try scene.transcript {
                $0.nonce = scene.wallet.randomness.bytes($0.nonce.count)
            }
            plan.editDevicePayload = { .bytes($0) }
        },
        Fault("device_signature_flipped", check, "device_signature_invalid", "one bit of the signature") { plan, _ in
            plan.editDeviceSignature = { $0[$0.count - 1] ^= 1 }
        },
        Fault("device_signature_der", check, "device_signature_invalid", "the signature is DER") { plan, _ in
            plan.editDeviceSignature = { signature in
                let half = signature.count / 2
                signature = DER.sequence(
                    DER.integer(Array(signature[..<half])), DER.integer(Array(signature[half...])))
            }
        },
        Fault("device_signature_zero", check, "device_signature_invalid", "64 zero bytes") { plan, _ in
            plan.editDeviceSignature = { $0 = [UInt8](repeating: 0, count: $0.count) }
        },
        Fault("device_key_other", check, "device_signature_invalid", "signed by a key that the issuer never saw") {
            plan, scene in
            plan.deviceKey = try PrivateKey(plan.deviceKey.kind, randomness: scene.wallet.randomness)
        },
        Fault("device_mac", check, "device_signature_invalid", "a MAC instead of a signature") { plan, scene in
            let mac = mac(scene)
            plan.editDeviceAuth = { $0 = .record(["deviceMac": mac]) }
        },
        Fault(
            "device_elements_changed", check, "device_signature_invalid",
            "DeviceNameSpaces spelled otherwise than signed"
        ) { plan, _ in
            plan.editDocument = { $0["deviceSigned"]?["nameSpaces"] = .embedded([0xB8, 0x00]) }
        },
        Fault("device_signed_nonce", check, "device_signature_invalid", "the device signed the nonce alone") {
            plan, scene in
            let structure: Item = .array([
                .text("Signature1"), .bytes(plan.deviceProtected.encoded()), .bytes([]), .bytes(scene.request.nonce),
            ])
            let signature = try plan.deviceKey.signCOSE(structure.encoded())
            plan.editDeviceSignature = { $0 = signature }
        },
        Fault(
            "device_transcript_wrapped", check, "device_signature_invalid",
            "the device signed the transcript under tag 24"
        ) { plan, _ in
            plan.deviceTranscript = Item.embedded(plan.deviceTranscript).encoded()
        },
        Fault("device_algorithm_pair", check, "algorithm_unsupported", "ES384 with a P-256 key") { plan, _ in
            plan.deviceProtected[.integer(1)] = .integer(-35)
        },
        Fault("device_algorithm_missing", check, "algorithm_unsupported", "no `alg` in the protected header") {
            plan, _ in
            plan.deviceProtected = .map([])
        },
        Fault("device_brainpool", check, "algorithm_unsupported", "a brainpool key") { plan, scene in
            let key = try PrivateKey(.brainpoolP256, randomness: scene.wallet.randomness)
            plan.card.deviceKey = key
            plan.deviceKey = key
            plan.deviceProtected = Plan.protected(key.kind)
        },
        Fault(
            "developer_profile", "issuer_certificate", "issuer_certificate_missing",
            "a phone with the developer profile: a real device signature, a zero issuer signature",
            others: [Expectation(check: "issuer_signature", reason: "issuer_signature_invalid")]
        ) { plan, _ in
            plan.chain = .array([])
            plan.editIssuerSignature = { $0 = [UInt8](repeating: 0, count: 64) }
        },
        Fault(
            "simulator", "issuer_certificate", "issuer_certificate_missing", "the simulator: no signature at all",
            others: [
                Expectation(check: "issuer_signature", reason: "issuer_signature_invalid"),
                Expectation(check: "device_signature", reason: "device_signature_invalid"),
            ]
        ) { plan, _ in
            plan.chain = nil
            plan.editIssuerSignature = { $0 = [UInt8](repeating: 0, count: 64) }
            plan.editDeviceSignature = { $0 = [UInt8](repeating: 0, count: 64) }
        },
    ]
}
