import CBOR
import VerificationCore

/// How claims stand inside a sealed part: CBOR with one letter for the kind, so that bytes stay bytes.
enum ClaimCoding {
    /// Claims nest a few levels (driving privileges: list, record, list, record); more is not ours.
    static let maximumDepth = 12

    static func encode(_ claims: ClaimSet, into encoder: inout CBOREncoder) {
        encoder.map(count: claims.count)
        for (name, value) in claims.sorted(by: { $0.key < $1.key }) {
            encoder.text(name.rawValue)
            encode(value, into: &encoder)
        }
    }

    static func encode(_ value: ClaimValue, into encoder: inout CBOREncoder) {
        switch value {
        case .text(let text):
            encoder.text(text)
        case .integer(let number):
            encoder.integer(number)
        case .boolean(let flag):
            encoder.boolean(flag)
        case .image(let mediaType, let data):
            encoder.map(count: 1)
            encoder.text(mediaType)
            encoder.byteString(data)
        case .list(let values):
            encoder.array(count: values.count)
            for value in values { encode(value, into: &encoder) }
        case .record(let members):
            // A tag keeps a record apart from an image; members are pairs, since a document may order them.
            encoder.tag(recordTag)
            encoder.array(count: members.count * 2)
            for member in members {
                encoder.text(member.name)
                encode(member.value, into: &encoder)
            }
        }
    }

    static func claims(_ item: CBORItem) throws(CBORError) -> ClaimSet {
        var claims: ClaimSet = [:]
        for (key, value) in item.pairs {
            claims[ClaimName(try key.text())] = try self.value(value, depth: 0)
        }
        return claims
    }

    private static let recordTag: UInt64 = 40_960

    private static func value(_ item: CBORItem, depth: Int) throws(CBORError) -> ClaimValue {
        guard depth < maximumDepth else { throw .tooDeep }
        switch item.kind {
        case .text: return .text(try item.text())
        case .unsigned, .negative: return .integer(try item.integer())
        case .boolean: return .boolean(try item.boolean())
        case .map:
            for (key, value) in item.pairs {
                return .image(mediaType: try key.text(), data: Array(try value.bytes()))
            }
            throw .missingKey
        case .array:
            var values: [ClaimValue] = []
            for element in item.items { values.append(try value(element, depth: depth + 1)) }
            return .list(values)
        case .tag:
            var members: [ClaimMember] = []
            var name: String?
            for element in try item.tag(recordTag).items {
                if let known = name {
                    members.append(ClaimMember(name: known, value: try value(element, depth: depth + 1)))
                    name = nil
                } else {
                    name = try element.text()
                }
            }
            return .record(members)
        case .bytes, .null, .undefined, .simple, .float:
            throw .wrongType
        }
    }
}
