/// HKDF with SHA-256 (RFC 5869).
public enum HKDF {
    /// The most bytes that one key can be expanded to (RFC 5869 §2.3).
    public static let maximumLength = 255 * HMACSHA256.length

    /// The pseudo-random key of `ikm` (RFC 5869 §2.2); an empty salt is the salt of zeros.
    public static func extract(salt: some Collection<UInt8>, ikm: some Collection<UInt8>) -> [UInt8] {
        HMACSHA256.authenticationCode(for: ikm, key: salt)
    }

    /// `length` bytes of output for a pseudo-random key (RFC 5869 §2.3).
    public static func expand(
        prk: some Collection<UInt8>, info: some Collection<UInt8>, length: Int
    ) throws(CryptographyError) -> [UInt8] {
        guard length >= 0, length <= maximumLength else { throw .unsupported }
        return withBytes(of: prk) { prk in
            withBytes(of: info) { info in
                var output: [UInt8] = []
                output.reserveCapacity(length)
                var block: [UInt8] = []
                var counter: UInt8 = 0
                while output.count < length {
                    counter += 1
                    block = withBytes(of: block) { previous in
                        withBytes(of: CollectionOfOne(counter)) { counter in
                            HMACSHA256.code(key: prk, parts: [previous, info, counter])
                        }
                    }
                    output.append(contentsOf: block.prefix(length - output.count))
                }
                Wipe.bytes(&block)
                return output
            }
        }
    }

    /// Extract and expand in one call.
    public static func derive(
        ikm: some Collection<UInt8>, salt: some Collection<UInt8>, info: some Collection<UInt8>, length: Int
    ) throws(CryptographyError) -> [UInt8] {
        var prk = extract(salt: salt, ikm: ikm)
        defer { Wipe.bytes(&prk) }
        return try expand(prk: prk, info: info, length: length)
    }
}
