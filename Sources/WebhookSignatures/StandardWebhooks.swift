public import VerificationCore

/// The scheme of standardwebhooks.com: three headers, HMAC-SHA256 over `id.timestamp.body`.
///
/// Only the symmetric version `v1` is read; entries of other versions are passed over, as the specification wants.
public struct StandardWebhooks: Sendable, Hashable {
    /// The most signatures that are looked at.
    public static let mostSignatures = 16
    /// The most bytes of an identifier.
    public static let longestIdentifier = 256

    /// The name of the header with the identifier.
    public let idHeader: String
    /// The name of the header with the time.
    public let timestampHeader: String
    /// The name of the header with the signatures.
    public let signatureHeader: String

    /// The scheme under the names of its specification, or under those of a sender that uses others.
    public init(
        idHeader: String = "webhook-id", timestampHeader: String = "webhook-timestamp",
        signatureHeader: String = "webhook-signature"
    ) {
        self.idHeader = idHeader
        self.timestampHeader = timestampHeader
        self.signatureHeader = signatureHeader
    }

    /// What a genuine webhook says of itself.
    public struct Authenticated: Sendable, Hashable {
        /// Its identifier, the same for every repeat.
        public let id: String
        /// When it was sent.
        public let time: Timestamp
    }

    /// Checks a webhook. `body` is what came over the wire, byte for byte.
    ///
    /// The signature is judged before the time: what a stranger wrote is never told how far its time is off.
    public func verify(
        _ headers: WebhookHeaders, body: [UInt8], secrets: WebhookSecrets, at now: Timestamp,
        tolerance: Duration = SignedTime.standardTolerance
    ) throws(WebhookError) -> Authenticated {
        let id = try headers.value(of: idHeader)
        let timestamp = try headers.value(of: timestampHeader)
        let signatures = try headers.value(of: signatureHeader)
        guard StandardWebhooks.isIdentifier(id) else { throw .headerMalformed }
        let time = try SignedTime.seconds(timestamp)
        let entries = signatures.split(separator: " ")
        guard entries.count <= StandardWebhooks.mostSignatures else { throw .headerMalformed }
        let candidates = entries.compactMap { entry in
            entry.hasPrefix("v1,") ? ByteText.bytes(base64: entry.dropFirst(3)) : nil
        }
        guard secrets.anyMatches(candidates, over: StandardWebhooks.parts(id, timestamp, body)) else {
            throw .signatureMismatch
        }
        try SignedTime.check(time, at: now, tolerance: tolerance)
        return Authenticated(id: id, time: time)
    }

    /// The headers of a webhook, signed with each of the secrets in their order; `nil` where `id` is not one that may
    /// be signed. A repeat has the same identifier and its own time.
    public func headers(
        id: String, at time: Timestamp, body: [UInt8], secrets: WebhookSecrets
    ) -> [(name: String, value: String)]? {
        let seconds = time.milliseconds / 1000
        guard StandardWebhooks.isIdentifier(id), seconds >= 0 else { return nil }
        let timestamp = String(seconds)
        let parts = StandardWebhooks.parts(id, timestamp, body)
        let signatures = secrets.secrets.map { "v1," + ByteText.base64($0.code(of: parts)) }
        return [
            (idHeader, id), (timestampHeader, timestamp), (signatureHeader, signatures.joined(separator: " ")),
        ]
    }

    /// A full stop would let `a.1` with the time 2 be read as `a` with the time 1 and another body.
    private static func isIdentifier(_ text: String) -> Bool {
        (1...longestIdentifier).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x2E }
    }

    private static func parts(_ id: String, _ timestamp: String, _ body: [UInt8]) -> [ArraySlice<UInt8>] {
        [Array((id + "." + timestamp + ".").utf8)[...], body[...]]
    }
}
