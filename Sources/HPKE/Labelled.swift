import Cryptography

/// HKDF-SHA256 with the labels of RFC 9180 §4, which keep each use of a key apart from every other.
struct Labelled: Sendable {
    private static let version = Array("HPKE-v1".utf8)

    let suiteID: [UInt8]

    func extract(salt: [UInt8], _ label: StaticString, _ ikm: some Collection<UInt8>) -> [UInt8] {
        var labelled = joined([], label, ikm)
        // What is extracted from is a secret in most uses.
        defer { Wipe.bytes(&labelled) }
        return HKDF.extract(salt: salt, ikm: labelled)
    }

    func expand(
        prk: [UInt8], _ label: StaticString, _ info: some Collection<UInt8>, length: Int
    ) throws(CryptographyError) -> [UInt8] {
        guard let short = UInt16(exactly: length) else { throw .unsupported }
        let labelled = joined([UInt8(short >> 8), UInt8(short & 0xff)], label, info)
        return try HKDF.expand(prk: prk, info: labelled, length: length)
    }

    private func joined(_ prefix: [UInt8], _ label: StaticString, _ content: some Collection<UInt8>) -> [UInt8] {
        var bytes = prefix
        // All of it at once: an array that grows leaves a copy of the secret behind.
        bytes.reserveCapacity(
            prefix.count + Self.version.count + suiteID.count + label.utf8CodeUnitCount + content.count)
        bytes += Self.version
        bytes += suiteID
        label.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: content)
        return bytes
    }
}
