import Cryptography
import VerificationCore

/// Signs requests with an HMAC over declared parts of them.
struct SignatureAuthenticator: RequestAuthenticator {
    let declaration: SignatureDeclaration
    let key: Sensitive<[UInt8]>

    func authorize(_ request: inout DraftRequest, at now: Timestamp) async throws(VerificationError) {
        if let methods = declaration.methods, !methods.contains(request.method) { return }
        let timestamp = declaration.timestampForm.text(now)
        let signed = try Self.content(declaration.parts, of: request, timestamp: timestamp)
        let code = key.withValue { key in
            signed.withValue { HMACSHA256.authenticationCode(ofParts: $0.map { $0[...] }, key: key) }
        }
        if let header = declaration.timestampHeader { request.set(header, Sensitive(timestamp)) }
        request.set(declaration.header, Sensitive(declaration.prefix + declaration.encoding.text(code)))
    }

    func refused(_ request: DraftRequest, at now: Timestamp) async -> Bool { false }

    private static func content(
        _ parts: [SignatureDeclaration.Part], of request: DraftRequest, timestamp: String
    ) throws(VerificationError) -> Sensitive<[[UInt8]]> {
        let body = request.body ?? Sensitive([])
        return try body.map { body throws(VerificationError) in
            var content: [[UInt8]] = []
            for part in parts {
                switch part {
                case .timestamp: content.append(Array(timestamp.utf8))
                case .method: content.append(Array(request.method.rawValue.utf8))
                case .path: content.append(Array(request.path.utf8))
                case .target: content.append(Array(request.target.utf8))
                case .body: content.append(body)
                case .bodyDigest: content.append(Array(ByteText.hex(Hash.sha256(body)).utf8))
                case .reference:
                    guard let reference = request.reference else {
                        // An empty reference would be signed as if it were the provider's.
                        throw VerificationError(.internal, "a request is signed by a reference that is not known yet")
                    }
                    content.append(Array(reference.utf8))
                case .text(let text): content.append(Array(text.utf8))
                }
            }
            return content
        }
    }
}

extension SignatureDeclaration.Encoding {
    /// How a code is written.
    func text(_ code: [UInt8]) -> String {
        switch self {
        case .hex: ByteText.hex(code)
        case .base64: ByteText.base64(code)
        case .base64URL: ByteText.base64URL(code)
        }
    }
}

extension TimeForm {
    /// How an instant is written; parts of a second are dropped where the form has none.
    func text(_ time: Timestamp) -> String {
        switch self {
        case .rfc3339: RFC3339.text(Timestamp(seconds: time.milliseconds / 1000), fraction: false)
        case .epochSeconds: String(time.milliseconds / 1000)
        case .epochMilliseconds: String(time.milliseconds)
        }
    }
}
