import VerificationCore

/// The plainest scheme: one header with the HMAC-SHA256 of the body, or of the body among other parts. Where no time is
/// among them, nothing but the caller's memory of what came before tells a replay.
public struct BodySignature: Sendable, Hashable {
    /// How the code is written.
    public enum Encoding: String, Sendable, CaseIterable, Hashable {
        /// Hexadecimal of either case.
        case hex
        /// Base64, or base64url; padded or not.
        case base64
    }

    /// The most codes in one header, with commas or spaces between them, as some senders write during a rotation.
    public static let mostSignatures = 16

    /// The name of the header.
    public let header: String
    /// How the code is written.
    public let encoding: Encoding
    /// What stands before each code, such as `sha256=`; empty for nothing.
    public let prefix: String

    /// The scheme under a header's name.
    public init(header: String, encoding: Encoding, prefix: String = "") {
        self.header = header
        self.encoding = encoding
        self.prefix = prefix
    }

    /// Checks a webhook. `body` is what came over the wire, byte for byte.
    public func verify(_ headers: WebhookHeaders, body: [UInt8], secrets: WebhookSecrets) throws(WebhookError) {
        try verify(headers, parts: [body[...]], secrets: secrets)
    }

    /// Checks a webhook whose signature is over these parts, one after another.
    public func verify(
        _ headers: WebhookHeaders, parts: [ArraySlice<UInt8>], secrets: WebhookSecrets
    ) throws(WebhookError) {
        let entries = try headers.value(of: header).split { $0 == "," || $0 == " " }
        guard entries.count <= BodySignature.mostSignatures else { throw .headerMalformed }
        let candidates = entries.compactMap { entry in
            entry.hasPrefix(prefix) ? decoded(entry.dropFirst(prefix.count)) : nil
        }
        guard secrets.anyMatches(candidates, over: parts) else { throw .signatureMismatch }
    }

    /// The header of a webhook, signed with each of the secrets in their order.
    public func header(body: [UInt8], secrets: WebhookSecrets) -> (name: String, value: String) {
        header(parts: [body[...]], secrets: secrets)
    }

    /// The header of a webhook whose signature is over these parts, one after another.
    public func header(parts: [ArraySlice<UInt8>], secrets: WebhookSecrets) -> (name: String, value: String) {
        let codes = secrets.secrets.map { secret in
            let code = secret.code(of: parts)
            switch encoding {
            case .hex: return prefix + ByteText.hex(code)
            case .base64: return prefix + ByteText.base64(code)
            }
        }
        return (header, codes.joined(separator: ","))
    }

    private func decoded(_ text: Substring) -> [UInt8]? {
        switch encoding {
        case .hex: ByteText.bytes(hex: text)
        case .base64: ByteText.bytes(base64: text)
        }
    }
}
