import JSONTree
import WalletKit

/// A card as JSON that can be edited by hand: each value as an object whose one key names its type.
enum CardText {
    static func write(_ card: Card) throws -> String {
        let head = "{\"document_type\":\(JSONValue.string(card.documentType).text),\n \"elements\":[\n"
        let lines = try card.elements.map { element in
            "  "
                + JSONValue.object([
                    ("namespace", .string(element.namespace)), ("identifier", .string(element.identifier)),
                    ("value", try json(element.value)),
                ]).text
        }
        return head + lines.joined(separator: ",\n") + "\n ]}\n"
    }

    static func read(_ node: JSONNode, key: PrivateKey, named name: String) throws -> Card {
        guard let type = node["document_type"]?.string, let elements = node["elements"]?.elements else {
            throw CommandFailure.failed("\(name) is not a card")
        }
        return Card(
            documentType: type,
            elements: try elements.map { element in
                guard let namespace = element["namespace"]?.string, let identifier = element["identifier"]?.string,
                    let value = element["value"].flatMap(item)
                else { throw CommandFailure.failed("\(name) (\(element.line)): not a data element") }
                return Card.Element(namespace, identifier, value)
            }, deviceKey: key)
    }

    private static func json(_ item: Item) throws -> JSONValue {
        switch item {
        case .text(let text): return .object([("text", .string(text))])
        case .unsigned(let value): return .object([("unsigned", .integer(Int64(clamping: value)))])
        case .boolean(let value): return .object([("boolean", .boolean(value))])
        case .tag(0, .text(let text)): return .object([("date_time", .string(text))])
        case .tag(1004, .text(let text)): return .object([("full_date", .string(text))])
        case .array(let items): return .object([("array", .array(try items.map(json)))])
        case .map(let pairs):
            let members = try pairs.map { pair in
                guard case .text(let name) = pair.key else { throw CommandFailure.failed("a map key is not text") }
                return (name, try json(pair.value))
            }
            return .object([("map", .object(members))])
        case .bytes(let bytes):
            if let portrait = Portrait.allCases.first(where: { $0.bytes == bytes }) {
                return .object([("portrait", .string(portrait.rawValue))])
            }
            return .object([("hex", .string(bytes.map { hexByte($0) }.joined()))])
        case .integer, .tag, .null, .undefined, .raw:
            throw CommandFailure.failed("a value of the card has no text form")
        }
    }

    private static func item(_ node: JSONNode) -> Item? {
        guard let member = node.members?.first, node.members?.count == 1 else { return nil }
        let value = member.value
        switch (member.name, value.kind) {
        case ("text", .string(let text)): return .text(text)
        case ("date_time", .string(let text)): return .tag(0, .text(text))
        case ("full_date", .string(let text)): return .tag(1004, .text(text))
        case ("boolean", .boolean(let flag)): return .boolean(flag)
        case ("unsigned", .number(let number)): return number.integer.flatMap { UInt64(exactly: $0) }.map(Item.unsigned)
        case ("portrait", .string(let name)): return Portrait(rawValue: name).map { .bytes($0.bytes) }
        case ("hex", .string(let text)): return bytes(hex: text).map(Item.bytes)
        case ("array", .array(let nodes)):
            let items = nodes.compactMap(item)
            return items.count == nodes.count ? .array(items) : nil
        case ("map", .object(let members)):
            let pairs = members.compactMap { member in
                item(member.value).map { Item.Pair(.text(member.name), $0) }
            }
            return pairs.count == members.count ? .map(pairs) : nil
        default: return nil
        }
    }
}

func hexByte(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0" + text : text
}

func bytes(hex text: String) -> [UInt8]? {
    let digits = Array(text)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
        bytes.append(byte)
    }
    return bytes
}
