import CTLS
import Glibc

/// The seam to libssl: every pointer of it is in this file and none leaves it.
///
/// `@unchecked Sendable` is right because a context is never changed after its initialiser, and libssl counts references
/// to it under locks of its own.
final class TLSContext: @unchecked Sendable {
    fileprivate let pointer: OpaquePointer

    /// A server's context: its certificate and key, and the authority whose client certificates it takes.
    ///
    /// A client without a certificate is let in: whether one is needed is the matter of each API.
    init(certificate: String, key: String, clientAuthority: String) throws(SandboxError) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw .tls("a context") }
        pointer = context
        guard sekisho_tls_at_least_1_2(context) == 1, sekisho_tls_session_name(context, "sekisho-sandbox") == 1 else {
            throw .tls("the settings")
        }
        guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else { throw .tls(certificate) }
        guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(context) == 1
        else { throw .tls(key) }
        guard SSL_CTX_load_verify_file(context, clientAuthority) == 1 else { throw .tls(clientAuthority) }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
    }

    deinit {
        SSL_CTX_free(pointer)
    }
}

/// A server's side of one TLS connection. The socket stays the caller's.
final class TLSStream: ByteStream {
    private let ssl: OpaquePointer
    /// Whether the client showed a certificate of the authority.
    let hasClientCertificate: Bool

    /// Greets a client; `nil` where it does not come to an agreement.
    init?(_ context: TLSContext, socket: Int32) {
        guard let ssl = SSL_new(context.pointer) else { return nil }
        guard SSL_set_fd(ssl, socket) == 1, SSL_accept(ssl) == 1 else {
            SSL_free(ssl)
            ERR_clear_error()
            return nil
        }
        self.ssl = ssl
        let certificate = SSL_get1_peer_certificate(ssl)
        // A certificate that does not verify has ended the handshake already.
        hasClientCertificate = certificate != nil && SSL_get_verify_result(ssl) == X509_V_OK
        X509_free(certificate)
    }

    deinit {
        SSL_free(ssl)
        ERR_clear_error()
    }

    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Sockets.chunk)
        let count = SSL_read(ssl, &buffer, Int32(buffer.count))
        guard count > 0 else {
            ERR_clear_error()
            return []
        }
        return Array(buffer[..<Int(count)])
    }

    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                SSL_write(ssl, $0.baseAddress, Int32(min($0.count, Sockets.chunk)))
            }
            guard count > 0 else {
                ERR_clear_error()
                return false
            }
            sent += Int(count)
        }
        return true
    }

    func finish() {
        SSL_shutdown(ssl)
        ERR_clear_error()
    }
}
