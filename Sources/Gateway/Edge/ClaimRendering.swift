import JSONTree
import VerificationCore

/// Claims as JSON: OpenID Connect's names, `address.…` as members of one `address` (OpenID Connect Core 5.1.1).
enum ClaimRendering {
    static func claims(_ claims: ClaimSet) -> JSONValue {
        var members: [(String, JSONValue)] = []
        var address: [(String, JSONValue)] = []
        for (name, claim) in claims.sorted(by: { $0.key < $1.key }) {
            let prefix = "address."
            if name.rawValue.hasPrefix(prefix) {
                address.append((String(name.rawValue.dropFirst(prefix.count)), value(claim)))
            } else {
                members.append((name.rawValue, value(claim)))
            }
        }
        if !address.isEmpty { members.append(("address", .object(address))) }
        return .object(members)
    }

    static func value(_ claim: ClaimValue) -> JSONValue {
        switch claim {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let flag): .boolean(flag)
        case .image(let mediaType, let data):
            .object([("media_type", .string(mediaType)), ("data", .string(ByteText.base64URL(data)))])
        case .list(let values): .array(values.map(value))
        case .record(let members): .object(members.map { ($0.name, value($0.value)) })
        }
    }
}
