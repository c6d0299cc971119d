import COpenSSL

/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
public enum HMACSHA256 {
    /// The number of bytes of an authentication code.
    public static let length = 32

    /// The authentication code of `message` under `key`.
    public static func authenticationCode(
        for message: some Collection<UInt8>, key: some Collection<UInt8>
    ) -> [UInt8] {
        withBytes(of: message) { message in
            withBytes(of: key) { key in code(key: key, parts: CollectionOfOne(message)) }
        }
    }

    /// The authentication code of several parts, one after another, without joining them in memory.
    public static func authenticationCode(ofParts parts: [ArraySlice<UInt8>], key: some Collection<UInt8>) -> [UInt8] {
        withBytes(of: key) { key in
            code(key: key) { context in
                parts.allSatisfy { part in part.withUnsafeBufferPointer { update(context, $0) } }
            }
        }
    }

    /// Whether `code` is the whole authentication code of `message` under `key`, compared in constant time.
    public static func isValid(
        _ code: some Collection<UInt8>, for message: some Collection<UInt8>, key: some Collection<UInt8>
    ) -> Bool {
        constantTimeEquals(code, authenticationCode(for: message, key: key))
    }

    /// The code over several parts, one after another.
    static func code(
        key: UnsafeBufferPointer<UInt8>, parts: some Sequence<UnsafeBufferPointer<UInt8>>
    ) -> [UInt8] {
        code(key: key) { context in parts.allSatisfy { update(context, $0) } }
    }

    private static func update(_ context: OpaquePointer, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
        part.isEmpty || EVP_MAC_update(context, part.baseAddress, part.count) == 1
    }

    private static func code(key: UnsafeBufferPointer<UInt8>, _ feed: (OpaquePointer) -> Bool) -> [UInt8] {
        let context = ThreadContexts.current.hmacSHA256
        let result = [UInt8](unsafeUninitializedCapacity: length) { out, filled in
            guard start(context, key: key), feed(context),
                EVP_MAC_final(context, out.baseAddress, &filled, length) == 1, filled == length
            else {
                // As with a hash: this fails only when memory does, and a code that is not one must not get out.
                fatalError("OpenSSL could not compute an HMAC")
            }
        }
        // The context stays with the thread; the key does not.
        _ = start(context, key: UnsafeBufferPointer(start: nil, count: 0))
        return result
    }

    private static func start(_ context: OpaquePointer, key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let bytes = key.baseAddress, !key.isEmpty else {
            // OpenSSL reads an absent key as "keep the last one". HMAC pads a key with zeros to the block length
            // (RFC 2104 §2), so one zero byte is the same key as none.
            var zero: UInt8 = 0
            return EVP_MAC_init(context, &zero, 1, nil) == 1
        }
        return EVP_MAC_init(context, bytes, key.count, nil) == 1
    }
}
