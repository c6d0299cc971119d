import COpenSSL

/// Hashing in one call.
public enum Hash {
    /// The digest of `bytes`.
    public static func digest(_ bytes: some Collection<UInt8>, _ algorithm: HashAlgorithm) -> [UInt8] {
        withBytes(of: bytes) { bytes in
            run(algorithm) { context in update(context, bytes) }
        }
    }

    /// The SHA-256 digest of `bytes`.
    public static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        digest(bytes, .sha256)
    }

    /// The digest of several parts, one after another, without joining them in memory.
    public static func digest(parts: [ArraySlice<UInt8>], _ algorithm: HashAlgorithm) -> [UInt8] {
        run(algorithm) { context in
            parts.allSatisfy { part in part.withUnsafeBufferPointer { update(context, $0) } }
        }
    }

    private static func update(_ context: OpaquePointer, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }

    private static func run(_ algorithm: HashAlgorithm, _ feed: (OpaquePointer) -> Bool) -> [UInt8] {
        let context = ThreadContexts.current.digest(algorithm)
        return [UInt8](unsafeUninitializedCapacity: algorithm.length) { out, filled in
            guard EVP_DigestInit_ex2(context, algorithm.fetched.pointer, nil) == 1, feed(context),
                EVP_DigestFinal_ex(context, out.baseAddress, nil) == 1
            else {
                // Hashing bytes in memory fails only when memory does; a digest that is not one must not get out.
                fatalError("OpenSSL could not hash")
            }
            filled = algorithm.length
        }
    }
}

extension HashAlgorithm {
    var fetched: Fetched {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
