import Configuration
import JSONTree
import VerificationCore

extension ManifestReading {
    private enum SchemeName: String, CaseIterable {
        case standard, timestamped, hmac
    }

    func webhooks(_ reader: JSONReader) -> WebhooksDeclaration? {
        defer { reader.rejectUnknownKeys() }
        let scheme = reader.object("signature").flatMap(scheme)
        let names = (reader.array("credentials") ?? []).compactMap { $0.credential(among: credentials) }
        if reader.node["credentials"]?.elements?.isEmpty == true {
            reader.report("must not be empty: anybody could send notifications", member: "credentials")
        }
        let tolerance = reader.duration("tolerance", in: .seconds(1) ... .seconds(3600), default: .seconds(300))
        let identifier = reader.optionalObject("id").flatMap(place)
        let reference = reader.required("reference")?.pointer()
        var result: WebhooksDeclaration.Result?
        if reader.node["outcomes"] != nil {
            let scope = TemplateScope(
                place: "a notification", credentials: [], variables: Set(variables.keys),
                refusal: { variable in
                    switch variable {
                    case .evidence, .evidenceDigest: "is known to submit only"
                    case .idempotencyKey: "belongs to a call, and a notification is none"
                    default: nil
                    }
                }, nonceForm: nonce.form)
            let answer = reader.optionalObject("answer").map { self.answer($0, of: nil, scope: scope) }
            result = WebhooksDeclaration.Result(
                answer: answer ?? AnswerDeclaration(), outcomes: outcomes(reader, of: nil))
        } else if reader.optional("answer") != nil {
            reader.report("needs outcomes; without them a notification carries no result", member: "answer")
        }
        guard let scheme, let reference else { return nil }
        return WebhooksDeclaration(
            signature: scheme, credentials: names, tolerance: tolerance, identifier: identifier, reference: reference,
            result: result)
    }

    private func place(_ reader: JSONReader) -> WebhooksDeclaration.Place? {
        defer { reader.rejectUnknownKeys() }
        let header = reader.optional("header")
        let pointer = reader.optional("at")
        if (header == nil) == (pointer == nil) { reader.report("needs exactly one of header and at") }
        if let header { return header.headerName().map(WebhooksDeclaration.Place.header) }
        return pointer?.pointer().map(WebhooksDeclaration.Place.body)
    }

    private func scheme(_ reader: JSONReader) -> WebhooksDeclaration.Scheme? {
        defer { reader.rejectUnknownKeys() }
        switch reader.enumeration("scheme", as: SchemeName.self) {
        case .standard: return .standard
        case .timestamped: return reader.headerName("header").map { .timestamped(header: $0) }
        case .hmac:
            let header = reader.headerName("header")
            let prefix = reader.prefix()
            let encoding = reader.enumeration("encoding", as: SignatureDeclaration.Encoding.self)
            let parts = reader.optionalArray("parts").map(SignatureReading.notificationParts) ?? [.body]
            let timestampHeader = reader.optional("timestamp_header")?.headerName()
            let timestampForm = reader.optionalEnumeration("timestamp_format", as: TimeForm.self) ?? .epochSeconds
            if !parts.contains(.body) { reader.report("does not sign the body", member: "parts") }
            if parts.contains(.timestamp) != (timestampHeader != nil) {
                reader.report("timestamp among parts and timestamp_header go together", member: "parts")
            }
            guard let header, let encoding else { return nil }
            return .hmac(
                WebhooksDeclaration.HMAC(
                    header: header, prefix: prefix, encoding: encoding, parts: parts, timestampHeader: timestampHeader,
                    timestampForm: timestampForm))
        case nil:
            reader.leave(["header", "prefix", "encoding", "parts", "timestamp_header", "timestamp_format"])
            return nil
        }
    }
}
