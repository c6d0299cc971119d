extension Fault {
    private static let check = "issuer_certificate"

    /// Faults of the signer's certificate and its chain.
    static let certificate: [Fault] = [
        Fault("chain_missing", check, "issuer_certificate_missing", "no `x5chain`") { plan, _ in
            plan.chain = nil
        },
        Fault("chain_empty", check, "issuer_certificate_missing", "`x5chain` is an empty array") { plan, _ in
            plan.chain = .array([])
        },
        Fault("chain_garbage", check, "issuer_certificate_invalid", "`x5chain` is not a certificate") { plan, _ in
            plan.chain = .bytes(Array("not a certificate".utf8))
        },
        Fault("root_unknown", check, "issuer_untrusted", "signed under a root that nobody configured") { plan, scene in
            var options = scene.issuer.options
            options.organisation = "Another Issuer"
            let other = try Issuer(options, at: scene.issuer.created, randomness: scene.wallet.randomness)
            plan.sign(with: other.signer)
        },
        Fault(
            "root_forged", check, "issuer_untrusted",
            "a root of the same name, and key identifiers copied from the real one"
        ) { plan, scene in
            let forged = try Issuer(
                scene.issuer.options, at: scene.issuer.created, randomness: scene.wallet.randomness)
            let identifier = CertificateExtension.authorityKeyIdentifier(try scene.issuer.rootKey.identifier)
            plan.sign(with: try forged.signer { $0[identifier.identifier] = identifier })
        },
        Fault("chain_with_own_root", check, "issuer_untrusted", "an unknown root comes along in `x5chain`") {
            plan, scene in
            var options = scene.issuer.options
            options.organisation = "Another Issuer"
            let other = try Issuer(options, at: scene.issuer.created, randomness: scene.wallet.randomness)
            var signer = other.signer
            signer.chain.append(other.root)
            plan.sign(with: signer)
        },
        Fault("certificate_signature", check, "issuer_untrusted", "one bit of the certificate's signature") {
            plan, scene in
            var signer = scene.issuer.signer
            signer.chain[0][signer.chain[0].count - 1] ^= 1
            plan.sign(with: signer)
        },
        Fault("certificate_without_purpose", check, "issuer_certificate_invalid", "no extended key usage") {
            plan, scene in
            plan.sign(with: try scene.issuer.signer { $0[CertificateExtension.extendedKeyUsageID] = nil })
        },
        Fault("certificate_of_reader", check, "issuer_certificate_invalid", "extended key usage of a reader") {
            plan, scene in
            plan.sign(
                with: try scene.issuer.signer { template in
                    let critical = template[CertificateExtension.extendedKeyUsageID]?.critical ?? false
                    template[CertificateExtension.extendedKeyUsageID] = .extendedKeyUsage(
                        [CertificateExtension.reader], critical: critical)
                })
        },
        Fault("certificate_any_purpose", check, "issuer_certificate_invalid", "extended key usage of any purpose") {
            plan, scene in
            plan.sign(
                with: try scene.issuer.signer { template in
                    let critical = template[CertificateExtension.extendedKeyUsageID]?.critical ?? false
                    template[CertificateExtension.extendedKeyUsageID] = .extendedKeyUsage(
                        ["2.5.29.37.0"], critical: critical)
                })
        },
        Fault("certificate_sha1", check, "issuer_certificate_invalid", "signed with SHA-1") { plan, scene in
            plan.sign(with: try scene.issuer.signer(sha1: true))
        },
        Fault(
            "certificate_of_authority", check, "issuer_certificate_invalid",
            "an authority's certificate signs a document"
        ) { plan, scene in
            plan.sign(
                with: try scene.issuer.signer { template in
                    template[CertificateExtension.basicConstraintsID] = .basicConstraints(authority: true)
                })
        },
        Fault("certificate_key_usage", check, "issuer_certificate_invalid", "key usage without digitalSignature") {
            plan, scene in
            plan.sign(with: try scene.issuer.signer { $0[CertificateExtension.keyUsageID] = .keyUsage(bits: [4]) })
        },
        Fault("certificate_critical_unknown", check, "issuer_certificate_invalid", "an unknown critical extension") {
            plan, scene in
            plan.sign(
                with: try scene.issuer.signer { template in
                    template.extensions.append(
                        CertificateExtension("1.3.6.1.4.1.99999.1", critical: true, value: DER.null))
                })
        },
        Fault(
            "certificate_critical_policy", check, "issuer_certificate_invalid",
            "a critical name constraint, which nobody here applies"
        ) { plan, scene in
            let subtree = DER.sequence(DER.element(0x82, Array("example".utf8)))
            let value = DER.sequence(DER.element(0xA0, subtree))
            plan.sign(
                with: try scene.issuer.signer { template in
                    template.extensions.append(CertificateExtension("2.5.29.30", critical: true, value: value))
                })
        },
        Fault("certificate_expired", check, "issuer_certificate_expired", "the signer's certificate has expired") {
            plan, scene in
            // The document was signed while the certificate was valid: only the certificate is late.
            plan.sign(
                with: try scene.issuer.signer { template in
                    template.notBefore = scene.now.adding(days: -30)
                    template.notAfter = scene.now.adding(seconds: -60)
                })
        },
        Fault(
            "certificate_country", check, "issuer_certificate_invalid", "another country than the root's", need: .annexB
        ) { plan, scene in
            plan.sign(
                with: try scene.issuer.signer { template in
                    guard let index = template.subject.attributes.firstIndex(where: { $0.type == "2.5.4.6" }) else {
                        return
                    }
                    template.subject.attributes[index].value = "XX"
                })
        },
        Fault(
            "certificate_too_long", check, "issuer_certificate_invalid", "valid for more than 457 days", need: .annexB
        ) { plan, scene in
            plan.sign(with: try scene.issuer.signer { $0.notAfter = $0.notBefore.adding(days: 458) })
        },
    ]

    /// Faults of the issuer's signature.
    static let issuerSignature: [Fault] = [
        Fault("issuer_signature_flipped", "issuer_signature", "issuer_signature_invalid", "one bit of the signature") {
            plan, _ in
            plan.editIssuerSignature = { $0[$0.count - 1] ^= 1 }
        },
        Fault("issuer_signature_der", "issuer_signature", "issuer_signature_invalid", "the signature is DER") {
            plan, _ in
            plan.editIssuerSignature = { signature in
                let half = signature.count / 2
                signature = DER.sequence(
                    DER.integer(Array(signature[..<half])), DER.integer(Array(signature[half...])))
            }
        },
        Fault(
            "issuer_signature_other_key", "issuer_signature", "issuer_signature_invalid",
            "signed by another key than the certificate's"
        ) { plan, scene in
            plan.signer.key = try PrivateKey(plan.signer.key.kind, randomness: scene.wallet.randomness)
        },
        Fault(
            "external_aad_null", "issuer_signature", "issuer_signature_invalid", "external_aad is null instead of empty"
        ) { plan, _ in
            plan.externalAAD = .null
        },
        Fault(
            "object_altered", "issuer_signature", "issuer_signature_invalid",
            "the MobileSecurityObject was changed after signing"
        ) { plan, _ in
            // An unknown key is ignored, so that nothing but the signature can tell.
            plan.editObject = { $0["note"] = .text("genuine") }
            plan.editIssuerPayload = { payload in
                guard let index = find(Array("genuine".utf8), in: payload) else { return }
                payload.replaceSubrange(index..<index + 7, with: Array("forgery".utf8))
            }
        },
        Fault(
            "issuer_algorithm_unprotected", "issuer_signature", "algorithm_unsupported",
            "`alg` only in the unprotected header"
        ) { plan, _ in
            plan.issuerProtected = .map([])
            plan.editUnprotected = { $0[.integer(1)] = .integer(-7) }
        },
        Fault("issuer_algorithm_hmac", "issuer_signature", "algorithm_unsupported", "`alg` is HS256") { plan, _ in
            plan.issuerProtected[.integer(1)] = .integer(5)
        },
        Fault("issuer_algorithm_pair", "issuer_signature", "algorithm_unsupported", "ES384 with a P-256 key") {
            plan, scene in
            plan.sign(with: try scene.issuer.signer(kind: .p256))
            plan.issuerProtected[.integer(1)] = .integer(-35)
        },
        Fault("issuer_brainpool", "issuer_signature", "algorithm_unsupported", "a brainpool key") { plan, scene in
            plan.sign(with: try scene.issuer.signer(kind: .brainpoolP256))
        },
    ]

    static func find(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= needle.count else { return nil }
        return (0...(bytes.count - needle.count)).first { bytes[$0..<$0 + needle.count].elementsEqual(needle) }
    }
}
