import Cryptography
import JSONTree
import VerificationCore
import WebhookSignatures

/// Authenticates what a provider sends: first the signature over the bytes as they came, then the reading.
struct SignedReceiver: NotificationReceiver {
    /// A notification names one verification and at most its result; the gateway bounds the bytes already.
    static let limits = JSONLimits(bytes: 1 << 20, depth: 32, values: 20_000)

    let declaration: WebhooksDeclaration
    let secrets: WebhookSecrets

    func receive(_ notification: Notification, at now: Timestamp) throws(NotificationError) -> Notice {
        let headers = WebhookHeaders(notification.headers)
        return try notification.body.withValue { body throws(NotificationError) in
            let signedIdentifier: String?
            do throws(WebhookError) {
                signedIdentifier = try authenticate(headers, body, at: now)
            } catch {
                throw NotificationError(error)
            }
            guard let tree = try? JSONNode.parse(body, syntax: .json, limits: SignedReceiver.limits),
                let reference = try? AnswerValues.identifier(declaration.reference, in: tree)
            else { throw .malformed }
            let id = try identifier(headers, body, tree, signed: signedIdentifier)
            return Notice(id: id, providerReference: reference, body: notification.body)
        }
    }

    /// Throws where the notification is not the provider's; gives the identifier that the scheme itself signs.
    private func authenticate(
        _ headers: WebhookHeaders, _ body: [UInt8], at now: Timestamp
    ) throws(WebhookError) -> String? {
        switch declaration.signature {
        case .standard:
            return try StandardWebhooks().verify(
                headers, body: body, secrets: secrets, at: now, tolerance: declaration.tolerance
            ).id
        case .timestamped(let header):
            _ = try TimestampedSignature(header: header).verify(
                headers, body: body, secrets: secrets, at: now, tolerance: declaration.tolerance)
            return nil
        case .hmac(let hmac):
            try authenticate(hmac, headers, body, at: now)
            return nil
        }
    }

    private func authenticate(
        _ hmac: WebhooksDeclaration.HMAC, _ headers: WebhookHeaders, _ body: [UInt8], at now: Timestamp
    ) throws(WebhookError) {
        var timestamp = ""
        var time: Timestamp?
        if let name = hmac.timestampHeader {
            timestamp = try headers.value(of: name)
            time = try SignedReceiver.time(timestamp, hmac.timestampForm)
        }
        let parts = hmac.parts.map { part -> ArraySlice<UInt8> in
            switch part {
            case .timestamp: Array(timestamp.utf8)[...]
            case .body: body[...]
            case .bodyDigest: Array(ByteText.hex(Hash.sha256(body)).utf8)[...]
            case .text(let text): Array(text.utf8)[...]
            // The reading of a manifest refuses these: a notification has none of them.
            case .method, .path, .target, .reference: []
            }
        }
        let scheme = BodySignature(
            header: hmac.header, encoding: hmac.encoding == .hex ? .hex : .base64, prefix: hmac.prefix)
        try scheme.verify(headers, parts: parts, secrets: secrets)
        // The time is judged only where it was signed, and only after the signature was.
        if let time, hmac.parts.contains(.timestamp) {
            try SignedTime.check(time, at: now, tolerance: declaration.tolerance)
        }
    }

    private static func time(_ text: String, _ form: TimeForm) throws(WebhookError) -> Timestamp {
        switch form {
        case .epochSeconds: return try SignedTime.seconds(text)
        case .epochMilliseconds: return try SignedTime.milliseconds(text)
        case .rfc3339:
            guard let time = RFC3339.timestamp(text) else { throw .timestampMalformed }
            return time
        }
    }

    /// The identifier by which a repeat is known.
    ///
    /// One from a header that no signature covers counts only together with the body: whoever caught one genuine
    /// notification could otherwise send it again under the identifier of the next, which would then pass for a repeat.
    private func identifier(
        _ headers: WebhookHeaders, _ body: [UInt8], _ tree: JSONNode, signed: String?
    ) throws(NotificationError) -> String {
        switch declaration.identifier {
        case nil: return signed ?? ByteText.hex(Hash.sha256(body))
        case .body(let pointer):
            guard let name = try? AnswerValues.identifier(pointer, in: tree) else { throw .malformed }
            return name
        case .header(let header):
            guard let value = try? headers.value(of: header), value.utf8.count <= AnswerValues.longestIdentifier else {
                throw .malformed
            }
            if value == signed { return value }
            return ByteText.hex(Hash.sha256(Array(value.utf8) + [0] + Hash.sha256(body)))
        }
    }
}

extension NotificationError {
    /// What the gateway says of a signature that was not accepted: which part of it was wrong is nobody's business.
    init(_ error: WebhookError) {
        switch error {
        case .headerMissing, .headerDuplicated, .headerMalformed, .timestampMalformed, .signatureMismatch:
            self = .signatureInvalid
        case .outsideTolerance: self = .outsideTolerance
        }
    }
}
