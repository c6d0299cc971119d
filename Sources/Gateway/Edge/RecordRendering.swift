import JSONTree
import VerificationCore

/// The facts for a 確認記録, and by name those that the gateway does not know.
struct RecordRendering {
    let view: SessionView
    let endedAt: Timestamp
    /// Whether the reader may see the values of claims.
    let showsClaims: Bool

    private var session: SessionRecord { view.record }
    private var method: LegalMethod? { session.legalMethod ?? view.purpose?.legalMethod(at: endedAt) }

    var record: JSONValue {
        .object([
            ("session", .string(session.id.rawValue)),
            ("client", .string(session.client.rawValue)),
            ("purpose", .string(session.purpose.rawValue)),
            ("simulated", .boolean(session.isSimulated)),
            ("received_at", OperatorRendering.time(session.claimedAt)),
            ("received_on", day(session.claimedAt)),
            ("verified_at", SessionRendering.time(endedAt)),
            ("verified_on", day(endedAt)),
            ("method", method.map(rendered) ?? .null),
            ("program", session.certification.map { SessionRendering.certification($0) } ?? .null),
            ("verifier", .string((session.answeredBy ?? session.verifier).rawValue)),
            ("verifier_kind", .string(session.verifierKind)),
            ("provider_reference", .string(orNull: session.providerReference)),
            ("configuration_version", .string(session.configurationVersion)),
            ("checks", session.report.map { SessionRendering.checks($0, kind: session.verifierKind) } ?? .array([])),
            ("document", document),
            ("claims", claims),
            ("unknown", .array(unknown.map { .object([("item", .string($0.item)), ("why", .string($0.why))]) })),
        ])
    }

    private func day(_ time: Timestamp?) -> JSONValue {
        .string(orNull: time.map { LegalCalendar.day(of: $0).description })
    }

    private func rendered(_ method: LegalMethod) -> JSONValue {
        .object([
            ("code", .string(orNull: method.code)),
            ("policy", .string(orNull: method.policy)),
            ("procedure", .string(method.procedure)),
            ("law_as_of", .string(method.lawAsOf.description)),
        ])
    }

    private var facts: DocumentFacts? { view.result.withValue { $0?.document } }
    private var values: ClaimSet? { view.result.withValue { $0?.claims } }

    /// What identifies the document without its holder's マイナンバー, and without claims.
    private var document: JSONValue {
        var members: [(String, JSONValue)] = [("type", .string(session.documentType))]
        guard let facts else { return .object(members) }
        members.append(("issuing_country", .string(orNull: facts.issuingCountry)))
        members.append(("issuing_authority", .string(orNull: facts.issuingAuthority)))
        members.append(("issuer_certificate_subject", .string(orNull: facts.signer?.subject)))
        members.append(("issuer_certificate_serial_number", .string(orNull: facts.signer?.serialNumber)))
        members.append(("signed", OperatorRendering.time(facts.signed)))
        members.append(("valid_until", OperatorRendering.time(facts.validUntil)))
        members.append(("mso_sha256", .string(orNull: facts.mobileSecurityObjectDigest.map { ByteText.hex($0) })))
        return .object(members)
    }

    private var claims: JSONValue {
        .object([
            ("confirmed", .array(session.confirmedClaims.map { .string($0.rawValue) })),
            ("values", showsClaims ? values.map(ClaimRendering.claims) ?? .null : .null),
        ])
    }

    /// What a record asks for and the gateway cannot say, with the reason why it cannot.
    private var unknown: [(item: String, why: String)] {
        var items = [
            ("person_who_confirmed", "relying_party"), ("person_who_made_the_record", "relying_party"),
            ("transaction_type", "relying_party"), ("transaction_purpose", "relying_party"),
            ("occupation", "relying_party"), ("customer_identifier", "relying_party"),
            ("date_of_the_record", "relying_party"),
            // The card discloses no number of its own, and the holder's must not be kept.
            ("document_number", "not_disclosed"),
        ]
        if method == nil { items.append(("method", "not_configured")) }
        if session.certification == nil { items.append(("program", "not_certified")) }
        let gone = session.erasedAt == nil ? "not_kept" : "erased"
        if let facts {
            if facts.signer == nil { items.append(("issuer_certificate", "not_told")) }
            if facts.signed == nil || facts.validUntil == nil { items.append(("document_validity", "not_told")) }
            if facts.mobileSecurityObjectDigest == nil { items.append(("mso_sha256", "not_told")) }
        } else {
            items.append(("document", gone))
        }
        if !showsClaims {
            items.append(("claim_values", "withheld"))
        } else if values == nil {
            items.append(("claim_values", gone))
        }
        if session.confirmedClaims.isEmpty { items.append(("claims_confirmed", "not_kept")) }
        for check in CheckName.allCases where session.report?[check] == .notChecked && check != .providerVerdict {
            items.append(("check_\(check.rawValue)", "not_checked"))
        }
        return items
    }
}
