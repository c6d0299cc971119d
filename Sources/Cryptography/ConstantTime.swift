import COpenSSL

/// Whether two byte strings are equal, in a time that depends on their lengths only.
public func constantTimeEquals(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    withBytes(of: left) { left in
        withBytes(of: right) { right in
            guard left.count == right.count else { return false }
            guard let first = left.baseAddress, let second = right.baseAddress else { return true }
            return CRYPTO_memcmp(first, second, left.count) == 0
        }
    }
}
