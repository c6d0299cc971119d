import Synchronization

/// Where the wallet takes its random bytes from: an argument, so that a test can have the same ones again.
public struct Randomness: Sendable {
    private let source: @Sendable (Int) -> [UInt8]

    /// A source.
    public init(_ source: @escaping @Sendable (Int) -> [UInt8]) {
        self.source = source
    }

    /// So many bytes.
    public func bytes(_ count: Int) -> [UInt8] { source(count) }

    /// The system's generator.
    public static let system = Randomness { LibCrypto.random($0) }

    /// The same bytes for the same seed: SHA-256 of seed and counter. Elliptic-curve signatures differ all the same.
    public static func repeatable(seed: UInt64) -> Randomness {
        let counter = Counter()
        return Randomness { count in
            var bytes: [UInt8] = []
            while bytes.count < count {
                let block = bigEndian(seed) + bigEndian(counter.next())
                guard let digest = try? LibCrypto.digest(block) else { return LibCrypto.random(count) }
                bytes += digest
            }
            return Array(bytes.prefix(count))
        }
    }

    private final class Counter: Sendable {
        private let value = Mutex<UInt64>(0)

        func next() -> UInt64 {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }
}

func bigEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
}
