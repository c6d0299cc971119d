import JSONTree
import Mdoc
import VerificationCore

/// The result of `sekisho verify --json`: checks, claims and document in the shape of the gateway's own answers.
enum VerifyJSON {
    static func text(_ result: MdocResult) -> String {
        JSONValue.object([
            ("status", .string(status(result))),
            ("checks", .array(CheckName.inHouse.map { check($0, result.report[$0]) })),
            ("reasons", .array(result.report.reasons.map { .string($0.rawValue) })),
            ("claims", result.claims.withValue(claims)),
            ("document", result.document.map { $0.withValue(document) } ?? .null),
        ]).text + "\n"
    }

    static func status(_ result: MdocResult) -> String {
        switch result.verdict {
        case .verified: "verified"
        case .rejected: "rejected"
        case nil: "undetermined"
        }
    }

    private static func check(_ name: CheckName, _ outcome: CheckOutcome) -> JSONValue {
        .object([
            ("name", .string(name.rawValue)), ("status", .string(outcome.status)),
            ("reason", .string(orNull: outcome.reason?.rawValue)),
        ])
    }

    /// Members of one claim, such as `address.locality`, are gathered under its name.
    private static func claims(_ claims: ClaimSet) -> JSONValue {
        var members: [(String, JSONValue)] = []
        var groups: [String: [(String, JSONValue)]] = [:]
        for (claim, content) in claims.sorted(by: { $0.key < $1.key }) {
            let parts = claim.rawValue.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                members.append((claim.rawValue, value(content)))
                continue
            }
            if groups[parts[0]] == nil { members.append((parts[0], .null)) }
            groups[parts[0], default: []].append((parts[1], value(content)))
        }
        return .object(members.map { name, value in (name, groups[name].map(JSONValue.object) ?? value) })
    }

    private static func value(_ value: ClaimValue) -> JSONValue {
        switch value {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let flag): .boolean(flag)
        case .image(let mediaType, let data):
            .object([("media_type", .string(mediaType)), ("data", .string(ByteText.base64URL(data)))])
        case .list(let values): .array(values.map(Self.value))
        case .record(let members): .object(members.map { ($0.name, Self.value($0.value)) })
        }
    }

    private static func document(_ facts: DocumentFacts) -> JSONValue {
        .object([
            ("type", .string(facts.type)),
            ("issuing_country", .string(orNull: facts.issuingCountry)),
            ("issuing_authority", .string(orNull: facts.issuingAuthority)),
            ("signed", time(facts.signed)), ("valid_from", time(facts.validFrom)),
            ("valid_until", time(facts.validUntil)),
            ("mso_digest", .string(orNull: facts.mobileSecurityObjectDigest.map { ByteText.hex($0) })),
            ("signer_certificate", facts.signer.map(signer) ?? .null),
        ])
    }

    private static func signer(_ facts: SignerFacts) -> JSONValue {
        .object([
            ("subject", .string(facts.subject)), ("issuer", .string(facts.issuer)),
            ("serial_number", .string(facts.serialNumber)),
            ("sha256", .string(ByteText.hex(facts.fingerprint))),
            ("not_after", time(facts.notAfter)),
        ])
    }

    private static func time(_ time: Timestamp?) -> JSONValue {
        .string(orNull: time.map { RFC3339.text($0) })
    }
}
