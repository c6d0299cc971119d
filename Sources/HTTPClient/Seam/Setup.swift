import CCurl
import Glibc

/// libcurl's own setting up, once in a process.
enum Setup {
    /// Whether libcurl can be used. It must be able to do TLS and to resolve names without blocking the loop.
    static let isDone: Bool = {
        // libcurl would write the keys of every connection to the file this names, and with them every credential and
        // every document that went over it.
        unsetenv("SSLKEYLOGFILE")
        guard sekisho_curl_setup() == CURLE_OK, let version = sekisho_curl_version() else { return false }
        let needed = CURL_VERSION_SSL | CURL_VERSION_ASYNCHDNS
        return version.pointee.features & needed == needed
    }()

    /// Whether the library was built with a bundle of authorities: then its directory of them is not needed.
    static let hasBundle: Bool = {
        sekisho_curl_version()?.pointee.cainfo != nil
    }()
}
