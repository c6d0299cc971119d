import JSONTree
import VerificationCore

extension ConfigurationReading {
    /// The length of a sealing key: AES-256.
    static let sealingKeyLength = 32
    /// The most sealing keys: they are tried by name, but each is a secret to be kept.
    static let mostSealingKeys = 16

    func sealingKeys() -> [SealingKey] {
        guard let sealing = root.object("sealing") else { return [] }
        defer { sealing.rejectUnknownKeys() }
        guard let list = sealing.required("keys"), let readers = list.elements() else { return [] }
        if readers.isEmpty || readers.count > ConfigurationReading.mostSealingKeys {
            list.report("must hold 1 to \(ConfigurationReading.mostSealingKeys) keys; the first one seals")
        }
        var names: Set<String> = []
        var keys: [SealingKey] = []
        for reader in readers where reader.isObject() {
            defer { reader.rejectUnknownKeys() }
            let id = reader.required("id")
            let name = id?.string()
            if let id, let name, !ConfiguredName.isValid(name) { id.report("must be \(ConfiguredName.form)") }
            if let id, let name, !names.insert(name).inserted { id.report("is the name of another key already") }
            guard let place = reader.required("key"), let reference = SecretReference(place) else { continue }
            if isRecalled {
                if let name { keys.append(SealingKey(id: name, key: Sensitive([]))) }
                continue
            }
            guard let key = sealingKey(reference, place), let name else { continue }
            if keys.contains(where: { $0.key.withValue { $0 } == key }) {
                place.report("is the same key as another one")
            }
            keys.append(SealingKey(id: name, key: Sensitive(key)))
        }
        return keys
    }

    /// 32 bytes as they are, or as hexadecimal or base64 text.
    private func sealingKey(_ reference: SecretReference, _ place: JSONReader) -> [UInt8]? {
        do throws(SecretProblem) {
            let whole = try resolver.content(reference)
            // A raw key may end in the byte that is a line end elsewhere.
            if whole.count == ConfigurationReading.sealingKeyLength { return whole }
            let bytes = try resolver.secret(reference).withValue { $0 }
            if bytes.count == ConfigurationReading.sealingKeyLength { return bytes }
            let text = String(decoding: bytes, as: UTF8.self)
            if let key = ByteText.bytes(hex: text) ?? ByteText.bytes(base64: text),
                key.count == ConfigurationReading.sealingKeyLength
            {
                return key
            }
            place.report(
                "is not \(ConfigurationReading.sealingKeyLength) bytes, as they are, in hexadecimal or in base64")
        } catch {
            place.report(error.words)
        }
        return nil
    }
}
