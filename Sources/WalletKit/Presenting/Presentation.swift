/// Makes the answer of a plan: DeviceResponse, and the envelope around it.
struct Presentation {
    let plan: Plan
    let randomness: Randomness

    /// The sealed envelope, as the phone sends it.
    func envelope() throws(WalletError) -> [UInt8] {
        var topics: Item = .record(["identity": try response()])
        plan.editTopics(&topics)
        var plaintext = topics.encoded(plan.style)
        plan.editPlaintext(&plaintext)
        let sealed = try Seal.seal(
            plaintext, to: plan.recipient, info: plan.info, aad: plan.aad,
            ephemeral: PrivateKey(.p256, randomness: randomness))
        var envelope: Item = .record([
            "algorithm": .text("APPLE-HPKE-v1"),
            "params": .record([
                "mode": .unsigned(0),
                "pkEm": .bytes(sealed.encapsulated),
                "pkRHash": .bytes(plan.recipientKeyHash),
                "infoHash": .bytes(plan.infoHash),
            ]),
            "data": .bytes(sealed.ciphertext),
        ])
        plan.editEnvelope(&envelope)
        var bytes = envelope.encoded()
        plan.editBytes(&bytes)
        return bytes
    }

    /// DeviceResponse (ISO/IEC 18013-5 §8.3.2.1.2.2): version 1.0, one document, status 0.
    func response() throws(WalletError) -> Item {
        var document: Item = .record([
            "docType": .text(plan.presentedType),
            "issuerSigned": try Issuance(plan: plan, randomness: randomness).issuerSigned(),
            "deviceSigned": try deviceSigned(),
        ])
        plan.editDocument(&document)
        var response: Item = .record([
            "version": .text("1.0"), "documents": .array([document]), "status": .unsigned(0),
        ])
        plan.editResponse(&response)
        return response
    }

    /// DeviceSigned (§8.3.2.1.2.2) with the signature over DeviceAuthentication (§9.1.3.4).
    private func deviceSigned() throws(WalletError) -> Item {
        let nameSpaces = Item.embedded(plan.deviceNameSpaces)
        let authentication: Item = .array([
            .text("DeviceAuthentication"), .raw(plan.deviceTranscript), .text(plan.presentedType), nameSpaces,
        ])
        let payload = Item.embedded(authentication.encoded()).encoded()
        let protected = plan.deviceProtected.encoded()
        let structure: Item = .array([.text("Signature1"), .bytes(protected), .bytes([]), .bytes(payload)])
        var signature = try plan.deviceKey.signCOSE(structure.encoded())
        plan.editDeviceSignature(&signature)
        var auth: Item = .record([
            "deviceSignature": .array([
                .bytes(protected), .map([]), plan.editDevicePayload(payload), .bytes(signature),
            ])
        ])
        plan.editDeviceAuth(&auth)
        // Spliced: the device signed these very bytes, whatever the style around them.
        return .record(["nameSpaces": .raw(nameSpaces.encoded()), "deviceAuth": auth])
    }
}
