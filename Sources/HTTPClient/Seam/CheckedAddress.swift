import CCurl

/// An address that was parsed once; libcurl gets what was checked, not the text again.
///
/// `@unchecked Sendable`: the handle is written while it is made and only read afterwards, by one loop.
final class CheckedAddress: @unchecked Sendable {
    let handle: OpaquePointer

    /// Nothing where the text is not an address with a known scheme and a host, or has userinfo.
    init?(_ text: String) {
        guard let handle = curl_url() else { return nil }
        self.handle = handle
        let flags = UInt32(CURLU_DISALLOW_USER)
        guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK else { return nil }
    }

    var scheme: String? { part(CURLUPART_SCHEME) }
    var host: String? { part(CURLUPART_HOST) }

    private func part(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    deinit {
        curl_url_cleanup(handle)
    }
}
