import CCurl
import VerificationCore

/// Everything libcurl is told about one request, and the memory it reads while the request is out.
final class TransferOptions {
    private let request: OutboundRequest
    private let fields: RequestFields
    private let body: WipedBuffer?
    private let certificate: WipedBuffer?
    private let key: WipedBuffer?

    /// How long a connection is kept at most, however busy, in seconds: then names are asked again and certificates
    /// looked at again.
    private static let connectionLifetime = 600
    /// How long authorities once read are kept, in seconds, so that not every handshake reads the system's hundreds.
    private static let authorityLifetime = 60

    init?(_ request: OutboundRequest) {
        guard let fields = RequestFields(request) else { return nil }
        self.request = request
        self.fields = fields
        if let given = request.body {
            body = given.withValue { WipedBuffer($0) }
        } else {
            // These have a body: without one they say `Content-Length: 0`.
            body = ["POST", "PUT", "PATCH"].contains(request.method) ? WipedBuffer([]) : nil
        }
        certificate = request.tls.clientCertificate.map { WipedBuffer($0.certificate) }
        key = request.tls.clientCertificate.map { $0.key.withValue { WipedBuffer($0) } }
    }

    /// Whether the other end must be this machine.
    var demandsLoopback: Bool { request.plaintext == .loopback && request.url.lowercased().hasPrefix("http:") }

    /// Sets every option; `false` where libcurl refuses one.
    func apply(to easy: UnsafeMutableRawPointer, address: CheckedAddress) -> Bool {
        var options = Options(easy: easy)
        setCustoms(&options)
        setConnection(&options)
        setTLS(&options)
        setMessage(&options)
        options.check(sekisho_set_address(easy, address.handle))
        options.check(sekisho_set_fields(easy, fields.list))
        return options.areSet
    }

    /// What never differs.
    private func setCustoms(_ options: inout Options) {
        options.set(CURLOPT_NOSIGNAL, 1)
        // Otherwise the loop would wait for a name that does not resolve, and every other request with it.
        options.set(CURLOPT_QUICK_EXIT, 1)
        options.set(CURLOPT_FOLLOWLOCATION, 0)
        options.set(CURLOPT_HTTP09_ALLOWED, 0)
        options.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        options.set(CURLOPT_USERAGENT, "sekisho")
        // Only what is asked for; whatever comes all the same is counted after it is decoded.
        options.set(CURLOPT_ACCEPT_ENCODING, "gzip")
        options.set(CURLOPT_PROTOCOLS_STR, request.plaintext == .refused ? "https" : "http,https")
        // Empty, not absent: absent would ask the environment.
        options.set(CURLOPT_PROXY, request.proxy ?? "")
        options.set(CURLOPT_NOPROXY, "")
    }

    private func setConnection(_ options: inout Options) {
        options.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.limits.connectTimeout.milliseconds))
        options.set(CURLOPT_MAXLIFETIME_CONN, Self.connectionLifetime)
        switch request.connection {
        case .reuse:
            options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            // Rather waits for a handshake under way, to learn whether its connection takes many requests.
            options.set(CURLOPT_PIPEWAIT, 1)
        case .fresh:
            options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
            options.set(CURLOPT_FRESH_CONNECT, 1)
            options.set(CURLOPT_FORBID_REUSE, 1)
        }
    }

    private func setTLS(_ options: inout Options) {
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // Each connection is a whole handshake, in which the certificate is looked at.
        options.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        options.set(CURLOPT_CA_CACHE_TIMEOUT, Self.authorityLifetime)
        // The library also has a directory of the system's authorities by default, beside the file.
        if let file = request.tls.certificateAuthorityFile {
            options.set(CURLOPT_CAINFO, file)
            options.set(CURLOPT_CAPATH, nil)
        } else if Setup.hasBundle {
            options.set(CURLOPT_CAPATH, nil)
        }
        if let certificate, let key {
            options.set(CURLOPT_SSLCERTTYPE, "PEM")
            options.set(CURLOPT_SSLKEYTYPE, "PEM")
            options.set(CURLOPT_SSLCERT_BLOB, certificate)
            options.set(CURLOPT_SSLKEY_BLOB, key)
        }
    }

    private func setMessage(_ options: inout Options) {
        if let body {
            options.set(CURLOPT_POST, 1)
            options.check(sekisho_set_body(options.easy, body.start, curl_off_t(body.count)))
        } else if request.method == "HEAD" {
            options.set(CURLOPT_NOBODY, 1)
        } else {
            options.set(CURLOPT_HTTPGET, 1)
        }
        if request.method != "HEAD" { options.set(CURLOPT_CUSTOMREQUEST, request.method) }
    }
}

/// Options of one handle, and whether all of them were taken.
struct Options {
    let easy: UnsafeMutableRawPointer
    private(set) var areSet = true

    init(easy: UnsafeMutableRawPointer) {
        self.easy = easy
    }

    mutating func set(_ option: CURLoption, _ value: Int) { check(sekisho_set_number(easy, option, value)) }

    mutating func set(_ option: CURLoption, _ value: String?) { check(sekisho_set_text(easy, option, value)) }

    mutating func set(_ option: CURLoption, _ value: WipedBuffer) {
        check(sekisho_set_bytes(easy, option, value.start, value.count))
    }

    mutating func check(_ code: CURLcode) {
        if code != CURLE_OK { areSet = false }
    }
}
