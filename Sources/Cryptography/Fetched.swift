import COpenSSL

/// An algorithm of the library beneath, looked up once for the process: a look-up at each use costs more than a hash.
///
/// `@unchecked Sendable` is sound: a fetched EVP_MD, EVP_CIPHER or EVP_MAC is immutable after the fetch and counted
/// atomically, OpenSSL documents it as shareable between threads, and ours is never freed.
struct Fetched: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Without its hash, cipher or MAC the process can verify nothing, and a missing digest must never become a value:
    /// a broken installation stops it here.
    private init(_ pointer: OpaquePointer?, _ name: StaticString) {
        guard let pointer else { fatalError("the OpenSSL installation offers no \(name)") }
        self.pointer = pointer
    }

    static let sha256 = Fetched(EVP_MD_fetch(nil, "SHA2-256", nil), "SHA2-256")
    static let sha384 = Fetched(EVP_MD_fetch(nil, "SHA2-384", nil), "SHA2-384")
    static let sha512 = Fetched(EVP_MD_fetch(nil, "SHA2-512", nil), "SHA2-512")
    static let aes128GCM = Fetched(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil), "AES-128-GCM")
    static let aes256GCM = Fetched(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil), "AES-256-GCM")
    static let hmac = Fetched(EVP_MAC_fetch(nil, "HMAC", nil), "HMAC")
}
