import HTTPServer

/// The console's cookies.
///
/// Both are named `__Host-`: a browser takes such a one only with `Secure`, for the whole path and without a domain, so
/// no neighbour under another name can plant one (RFC 6265bis, 4.1.3.2). Browsers count http on loopback as secure.
enum ConsoleCookies {
    static let session = "__Host-sekisho-console"
    static let language = "__Host-sekisho-language"
    /// A year: what language somebody reads does not change.
    private static let languageSeconds = 31_536_000

    /// The value of a cookie; `nil` where it is missing or stands there twice, as one that was planted would.
    static func value(_ name: String, in headers: HTTPHeaders) -> String? {
        let values = headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { return nil }
            return String(parts[1])
        }
        return values.count == 1 ? values.first : nil
    }

    /// Sets the session's cookie; it ends with the browser, and earlier where the session does.
    static func begin(_ token: String) -> (String, String) {
        ("Set-Cookie", "\(session)=\(token); Path=/; Secure; HttpOnly; SameSite=Strict")
    }

    /// Takes the session's cookie away.
    static func end() -> (String, String) {
        ("Set-Cookie", "\(session)=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0")
    }

    /// Remembers the language.
    static func remember(_ language: ConsoleLanguage) -> (String, String) {
        (
            "Set-Cookie",
            "\(self.language)=\(language.rawValue); Path=/; Secure; HttpOnly; SameSite=Strict; "
                + "Max-Age=\(languageSeconds)"
        )
    }
}
