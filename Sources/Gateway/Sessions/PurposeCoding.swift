import CBOR
import VerificationCore

/// How a purpose stands inside a sealed part: as it was when the session was created.
enum PurposeCoding {
    static func encode(_ purpose: Purpose, into encoder: inout CBOREncoder) {
        encoder.map(count: 11)
        encoder.text("id")
        encoder.text(purpose.id.rawValue)
        encoder.text("documents")
        encode(purpose.documentTypes, into: &encoder)
        encoder.text("claims")
        encode(purpose.claims.map(\.rawValue).sorted(), into: &encoder)
        encoder.text("required")
        encode(purpose.requiredClaims.map(\.rawValue).sorted(), into: &encoder)
        encoder.text("retention")
        encoder.integer(purpose.retention.components.seconds)
        encoder.text("relying_party")
        switch purpose.relyingPartyRetention {
        case .none: encoder.integer(0)
        case .days(let days): encoder.integer(Int64(days))
        case .unbounded: encoder.null()
        }
        encoder.text("method")
        if let method = purpose.legalMethod {
            encoder.array(count: 3)
            if let policy = method.policy { encoder.text(policy) } else { encoder.null() }
            encoder.text(method.procedure)
            encoder.text(method.lawAsOf.description)
        } else {
            encoder.null()
        }
        encoder.text("framework")
        if let framework = purpose.trustFramework { encoder.text(framework) } else { encoder.null() }
        encoder.text("regimes")
        if let regimes = purpose.regimes { encode(regimes.sorted(), into: &encoder) } else { encoder.null() }
        encoder.text("methods")
        if let table = purpose.legalMethods { LegalMethodCoding.encode(table, into: &encoder) } else { encoder.null() }
        encoder.text("event")
        if let rule = purpose.eventRetention {
            LegalMethodCoding.encode(rule, into: &encoder)
        } else {
            encoder.null()
        }
    }

    static func purpose(_ item: CBORItem) throws(CBORError) -> Purpose {
        let party = try item.require("relying_party")
        let days = party.kind == .null ? nil : try party.integer()
        return Purpose(
            id: PurposeID(try item.require("id").text()),
            documentTypes: try texts(try item.require("documents")),
            claims: Set(try texts(try item.require("claims")).map { ClaimName($0) }),
            requiredClaims: Set(try texts(try item.require("required")).map { ClaimName($0) }),
            retention: .seconds(try item.require("retention").integer()),
            relyingPartyRetention: days.map { $0 == 0 ? .none : .days(Int($0)) } ?? .unbounded,
            legalMethod: try method(try item.require("method")),
            trustFramework: try optionalText(try item.require("framework")),
            regimes: try regimes(item["regimes"]), legalMethods: try LegalMethodCoding.table(item["methods"]),
            eventRetention: try LegalMethodCoding.eventRetention(item["event"]))
    }

    /// Sessions sealed by the first version have no such member: no purpose spoke of regimes then.
    private static func regimes(_ item: CBORItem?) throws(CBORError) -> Set<String>? {
        guard let item, item.kind != .null else { return nil }
        return Set(try texts(item))
    }

    private static func encode(_ texts: [String], into encoder: inout CBOREncoder) {
        encoder.array(count: texts.count)
        for text in texts { encoder.text(text) }
    }

    private static func method(_ item: CBORItem) throws(CBORError) -> LegalMethod? {
        guard item.kind != .null else { return nil }
        let parts = Array(item.items)
        guard parts.count == 3, let date = CivilDate(try parts[2].text()) else { throw .wrongType }
        return LegalMethod(policy: try optionalText(parts[0]), procedure: try parts[1].text(), lawAsOf: date)
    }

    private static func texts(_ item: CBORItem) throws(CBORError) -> [String] {
        var texts: [String] = []
        for element in item.items { texts.append(try element.text()) }
        return texts
    }
}

func optionalText(_ item: CBORItem) throws(CBORError) -> String? {
    item.kind == .null ? nil : try item.text()
}
