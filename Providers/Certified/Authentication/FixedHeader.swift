import VerificationCore

/// A header that is the same on every request: a bearer token, a key, basic authentication.
struct FixedHeader: RequestAuthenticator {
    let name: String
    let value: Sensitive<String>

    /// `Authorization: Bearer …` (RFC 6750).
    static func bearer(_ token: Sensitive<String>) -> FixedHeader {
        FixedHeader(name: "Authorization", value: token.map { "Bearer " + $0 })
    }

    /// `Authorization: Basic …` (RFC 7617) of a user's name and password in UTF-8.
    static func basic(_ username: Sensitive<String>, _ password: Sensitive<String>) -> FixedHeader {
        let value = username.withValue { username in
            password.map { "Basic " + ByteText.base64(Array((username + ":" + $0).utf8)) }
        }
        return FixedHeader(name: "Authorization", value: value)
    }

    func authorize(_ request: inout DraftRequest, at now: Timestamp) async throws(VerificationError) {
        request.set(name, value)
    }

    func refused(_ request: DraftRequest, at now: Timestamp) async -> Bool { false }
}
