import COpenSSL
import Glibc

/// The contexts that one thread uses again and again, so that no operation allocates its own.
///
/// Safety: an instance is reachable only through ``current``, which gives each thread its own; every user of it is a
/// synchronous function that takes the instance after all bytes are in hand, calls nothing but OpenSSL while it uses
/// it, and lets it go before it returns. So no two threads and no two operations ever hold one context at once, and
/// no suspension of a task can fall in between. The thread's end frees it.
final class ThreadContexts {
    private var digests: (OpaquePointer?, OpaquePointer?, OpaquePointer?)
    private var storedCipher: OpaquePointer?
    private var storedMAC: OpaquePointer?

    private init() {}

    deinit {
        EVP_MD_CTX_free(digests.0)
        EVP_MD_CTX_free(digests.1)
        EVP_MD_CTX_free(digests.2)
        EVP_CIPHER_CTX_free(storedCipher)
        EVP_MAC_CTX_free(storedMAC)
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { stored in
            if let stored { Unmanaged<ThreadContexts>.fromOpaque(stored).release() }
        }
        guard status == 0 else { fatalError("no thread-specific key is left") }
        return key
    }()

    /// This thread's contexts, made at its first use of them.
    static var current: ThreadContexts {
        if let stored = pthread_getspecific(key) {
            return Unmanaged<ThreadContexts>.fromOpaque(stored).takeUnretainedValue()
        }
        let made = ThreadContexts()
        guard pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque()) == 0 else {
            fatalError("no memory for a thread's contexts")
        }
        return made
    }

    /// The digest context of an algorithm; each has its own, because a change of algorithm frees what was set up.
    func digest(_ algorithm: HashAlgorithm) -> OpaquePointer {
        switch algorithm {
        case .sha256: Self.kept(&digests.0, EVP_MD_CTX_new)
        case .sha384: Self.kept(&digests.1, EVP_MD_CTX_new)
        case .sha512: Self.kept(&digests.2, EVP_MD_CTX_new)
        }
    }

    /// The cipher context; whoever uses it resets it, which wipes the key.
    var cipher: OpaquePointer { Self.kept(&storedCipher, EVP_CIPHER_CTX_new) }

    /// The HMAC context, with SHA-256 set; whoever uses it gives it another key afterwards, which wipes the first.
    var hmacSHA256: OpaquePointer {
        Self.kept(&storedMAC) {
            guard let made = EVP_MAC_CTX_new(Fetched.hmac.pointer) else { return nil }
            guard sekisho_hmac_use_sha256(made) == 1 else {
                EVP_MAC_CTX_free(made)
                return nil
            }
            return made
        }
    }

    /// A failure here means that there is no memory, and there is then nothing sensible left to answer.
    private static func kept(_ slot: inout OpaquePointer?, _ make: () -> OpaquePointer?) -> OpaquePointer {
        if let slot { return slot }
        guard let made = make() else { fatalError("no memory for a cryptographic context") }
        slot = made
        return made
    }
}
