import Cryptography
import Foundation
import Synchronization
import Testing

@Suite struct ThreadTests {
    /// Threads of their own, begun and ended here, so that contexts are both made and freed while others are in use.
    @Test func `threads that come and go side by side all compute the same`() throws {
        let key = [UInt8](repeating: 3, count: 16)
        let nonce = [UInt8](repeating: 4, count: 12)
        let message = (0..<1000).map { UInt8($0 & 0xff) }
        let sealed = try AESGCM.seal(message, key: key, nonce: nonce)
        let digests = HashAlgorithm.allCases.map { Hash.digest(message, $0) }
        let code = HMACSHA256.authenticationCode(for: message, key: key)
        let secret = try P256PrivateKey(scalar: [UInt8](repeating: 5, count: 32))
        let shared = try secret.sharedSecret(with: secret.publicKey)
        let wrong = Atomic<Int>(0)
        let done = Atomic<Int>(0)
        withExtendedLifetime(secret) {
            for _ in 0..<4 {
                let threads = (0..<8).map { _ in
                    Thread {
                        for _ in 0..<50 {
                            let same =
                                HashAlgorithm.allCases.map { Hash.digest(message, $0) } == digests
                                && HMACSHA256.authenticationCode(for: message, key: key) == code
                                && (try? AESGCM.open(sealed, key: key, nonce: nonce)) == message
                                && (try? AESGCM.open(sealed.reversed(), key: key, nonce: nonce)) == nil
                                && (try? AESGCM.seal(message, key: key, nonce: nonce)) == sealed
                                && (try? secret.sharedSecret(with: secret.publicKey)) == shared
                            if !same { wrong.add(1, ordering: .relaxed) }
                        }
                        done.add(1, ordering: .releasing)
                    }
                }
                let before = done.load(ordering: .acquiring)
                for thread in threads { thread.start() }
                while done.load(ordering: .acquiring) < before + threads.count { usleep(500) }
            }
        }
        #expect(done.load(ordering: .acquiring) == 32)
        #expect(wrong.load(ordering: .relaxed) == 0)
    }
}
