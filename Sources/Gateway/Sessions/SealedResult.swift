import CBOR
import VerificationCore

/// What a verdict knows of the person and the document; gone when the session is erased.
struct SealedResult: Sendable {
    var claims: ClaimSet?
    var document: DocumentFacts?

    func encoded() -> [UInt8] {
        var encoder = CBOREncoder()
        encoder.map(count: 2)
        encoder.text("claims")
        if let claims { ClaimCoding.encode(claims, into: &encoder) } else { encoder.null() }
        encoder.text("document")
        if let document { encode(document, into: &encoder) } else { encoder.null() }
        return encoder.bytes
    }

    init(claims: ClaimSet?, document: DocumentFacts?) {
        self.claims = claims
        self.document = document
    }

    init(decoding bytes: [UInt8]) throws(CBORError) {
        let root = try CBORDocument(bytes).root
        let claims = try root.require("claims")
        self.claims = claims.kind == .null ? nil : try ClaimCoding.claims(claims)
        let document = try root.require("document")
        self.document = document.kind == .null ? nil : try Self.document(document)
    }

    private func encode(_ facts: DocumentFacts, into encoder: inout CBOREncoder) {
        encoder.map(count: 8)
        encoder.text("type")
        encoder.text(facts.type)
        for (name, text) in [("country", facts.issuingCountry), ("authority", facts.issuingAuthority)] {
            encoder.text(name)
            if let text { encoder.text(text) } else { encoder.null() }
        }
        let times = [("signed", facts.signed), ("from", facts.validFrom), ("until", facts.validUntil)]
        for (name, time) in times {
            encoder.text(name)
            if let time { encoder.integer(time.milliseconds) } else { encoder.null() }
        }
        encoder.text("digest")
        if let digest = facts.mobileSecurityObjectDigest { encoder.byteString(digest) } else { encoder.null() }
        encoder.text("signer")
        guard let signer = facts.signer else { return encoder.null() }
        encoder.array(count: 5)
        encoder.text(signer.subject)
        encoder.text(signer.issuer)
        encoder.text(signer.serialNumber)
        encoder.byteString(signer.fingerprint)
        encoder.integer(signer.notAfter.milliseconds)
    }

    private static func document(_ item: CBORItem) throws(CBORError) -> DocumentFacts {
        var facts = DocumentFacts(type: try item.require("type").text())
        facts.issuingCountry = try optionalText(try item.require("country"))
        facts.issuingAuthority = try optionalText(try item.require("authority"))
        facts.signed = try time(try item.require("signed"))
        facts.validFrom = try time(try item.require("from"))
        facts.validUntil = try time(try item.require("until"))
        let digest = try item.require("digest")
        facts.mobileSecurityObjectDigest = digest.kind == .null ? nil : Array(try digest.bytes())
        let signer = try item.require("signer")
        guard signer.kind != .null else { return facts }
        let parts = Array(signer.items)
        guard parts.count == 5 else { throw .missingKey }
        facts.signer = SignerFacts(
            subject: try parts[0].text(), issuer: try parts[1].text(), serialNumber: try parts[2].text(),
            fingerprint: Array(try parts[3].bytes()), notAfter: Timestamp(milliseconds: try parts[4].integer()))
        return facts
    }

    private static func time(_ item: CBORItem) throws(CBORError) -> Timestamp? {
        item.kind == .null ? nil : Timestamp(milliseconds: try item.integer())
    }
}
