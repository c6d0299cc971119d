/// Random numbers fit for keys and nonces: the system's generator.
///
/// It is passed as an argument, never reached for, so that a test can give its own generator.
public struct SecureRandom: RandomNumberGenerator, Sendable {
    private var system = SystemRandomNumberGenerator()

    /// A generator over the system's.
    public init() {}

    /// Eight random bytes as a number.
    public mutating func next() -> UInt64 {
        system.next()
    }
}

extension RandomNumberGenerator {
    /// `count` random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let word = next()
                for shift in 0..<min(8, count - filled) {
                    buffer[filled + shift] = UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))
                }
                filled = min(count, filled + 8)
            }
        }
    }
}
