import JSONTree
import VerificationCore

/// The one JSON shape of a session, whichever verifier is behind it.
enum SessionRendering {
    static func session(_ view: SessionView) -> JSONValue {
        let record = view.record
        var members: [(String, JSONValue)] = [
            ("id", .string(record.id.rawValue)),
            ("status", .string(record.status.rawValue)),
            ("purpose", .string(record.purpose.rawValue)),
            ("doc_type", .string(record.documentType)),
            ("reference", view.reference.withValue { $0.map { .string($0) } ?? .null }),
            (
                "verifier",
                .object([("id", .string(record.verifier.rawValue)), ("kind", .string(record.verifierKind))])
            ),
            ("nonce", .string(record.nonce.base64URL)),
            ("created_at", time(record.createdAt)),
            ("expires_at", time(record.expiresAt)),
        ]
        if let at = record.claimedAt { members.append(("submitted_at", time(at))) }
        if let at = record.endedAt { members.append(("ended_at", time(at))) }
        if let at = record.erasedAt { members.append(("erased_at", time(at))) }
        if let outcome = record.cancelReason { members.append(("cancel_outcome", .string(outcome))) }
        if let failure = record.failure {
            members.append(
                (
                    "failure",
                    .object([("code", .string(failure.rawValue)), ("new_session_may_help", .boolean(true))])
                ))
        }
        if record.status == .created, let purpose = view.purpose {
            members.append(("wallet_request", WalletRequestBuilder().request(for: record, purpose: purpose)))
        }
        if record.report != nil { members.append(("result", result(view))) }
        return .object(members)
    }

    static func result(_ view: SessionView) -> JSONValue {
        let record = view.record
        let report = record.report ?? Report()
        var members: [(String, JSONValue)] = [
            ("status", .string(record.status.rawValue)),
            ("checks", checks(report, kind: record.verifierKind)),
            ("reasons", .array(report.reasons.map { .string($0.rawValue) })),
        ]
        view.result.withValue { sealed in
            members.append(("claims", sealed?.claims.map(ClaimRendering.claims) ?? .null))
            members.append(("document", sealed?.document.map(document) ?? .null))
        }
        members.append(("verifier", verifier(record, report)))
        members.append(("simulated", .boolean(record.isSimulated)))
        return .object(members)
    }

    static func time(_ time: Timestamp) -> JSONValue { .string(RFC3339.text(time)) }

    static func checks(_ report: Report, kind: String) -> JSONValue {
        .array(
            CheckName.allCases.filter { $0 != .providerVerdict || report[$0] != .notChecked }.map { check in
                .object([
                    ("name", .string(check.rawValue)), ("status", .string(report[check].status)),
                    ("reason", report[check].reason.map { .string($0.rawValue) } ?? .null),
                ])
            })
    }

    /// Who gave the verdict: after an error that may be another than the session was given to.
    private static func verifier(_ record: SessionRecord, _ report: Report) -> JSONValue {
        // Only the report tells the kind of the other one for ever: a provider's own verdict is `certified`'s alone.
        let other = report[.providerVerdict] == .notChecked ? "in_house" : "certified"
        return .object([
            ("id", .string((record.answeredBy ?? record.verifier).rawValue)),
            ("kind", .string(record.answeredBy == nil ? record.verifierKind : other)),
            ("certification", record.certification.map { certification($0) } ?? .null),
            ("provider_reference", record.providerReference.map { .string($0) } ?? .null),
        ])
    }

    static func certification(
        _ certification: Certification, and more: [(String, JSONValue)] = []
    ) -> JSONValue {
        .object(
            [
                ("regime", .string(certification.regime)), ("holder", .string(certification.holder)),
                ("program", .string(certification.program)), ("version", .string(certification.version)),
                ("number", .string(certification.number)), ("valid_from", time(certification.validFrom)),
                ("valid_until", time(certification.validUntil)),
            ] + more)
    }

    private static func document(_ facts: DocumentFacts) -> JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        let signer: JSONValue =
            facts.signer.map { signer in
                .object([
                    ("subject", .string(signer.subject)), ("issuer", .string(signer.issuer)),
                    ("serial_number", .string(signer.serialNumber)),
                    ("sha256", .string(ByteText.hex(signer.fingerprint))), ("not_after", time(signer.notAfter)),
                ])
            } ?? .null
        return .object([
            ("type", .string(facts.type)),
            ("issuing_country", text(facts.issuingCountry)),
            ("issuing_authority", text(facts.issuingAuthority)),
            ("signed", facts.signed.map(time) ?? .null),
            ("valid_from", facts.validFrom.map(time) ?? .null),
            ("valid_until", facts.validUntil.map(time) ?? .null),
            ("mso_digest", text(facts.mobileSecurityObjectDigest.map { ByteText.hex($0) })),
            ("signer_certificate", signer),
        ])
    }
}
