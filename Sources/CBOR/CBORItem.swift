/// A view of one item of a document.
public struct CBORItem: Sendable {
    /// What an item can be.
    public enum Kind: UInt8, Sendable, Equatable, CaseIterable {
        /// An unsigned number (major type 0).
        case unsigned
        /// A negative number (major type 1).
        case negative
        /// A byte string (major type 2).
        case bytes
        /// A text string (major type 3).
        case text
        /// An array (major type 4).
        case array
        /// A map (major type 5).
        case map
        /// A tagged item (major type 6).
        case tag
        /// False or true.
        case boolean
        /// Null.
        case null
        /// Undefined.
        case undefined
        /// A simple value without a name.
        case simple
        /// A floating-point number of any width.
        case float

        /// What an initial byte announces (RFC 8949 §3.1 and §3.3).
        @inline(__always)
        init(initial: UInt8) {
            switch initial >> 5 {
            case 0: self = .unsigned
            case 1: self = .negative
            case 2: self = .bytes
            case 3: self = .text
            case 4: self = .array
            case 5: self = .map
            case 6: self = .tag
            default:
                switch initial & 0x1F {
                case 20, 21: self = .boolean
                case 22: self = .null
                case 23: self = .undefined
                case 25, 26, 27: self = .float
                default: self = .simple
                }
            }
        }

        /// Whether it holds no other item.
        var isScalar: Bool { self != .array && self != .map && self != .tag }
    }

    let storage: CBORStorage
    let index: Int

    var node: CBORNode { storage.nodes[index] }

    var argument: UInt64 {
        let node = node
        let bytes = storage.bytes
        return CBORHead.argument(bytes.span, at: Int(node.start), head: node.head)
    }

    /// What the item is.
    public var kind: Kind { node.kind }

    /// The bytes of the item, exactly as received, with its head and all it holds.
    public var encoded: ArraySlice<UInt8> {
        let node = node
        return storage.bytes[Int(node.start)..<Int(node.end)]
    }

    /// Whether it is null.
    public var isNull: Bool { kind == .null }
}
