public import CBOR

/// ValueDigests (ISO/IEC 18013-5 section 9.1.2.4): for each namespace the digests by digestID.
public struct ValueDigests: Sendable {
    /// The digests of one namespace. Their order is the issuer's; identifiers are sparse, and the same one may stand in two
    /// namespaces.
    public struct Namespace: Sendable {
        /// The namespace.
        public let name: String
        /// The digests, in the order received.
        public let entries: [Entry]
    }

    /// One digest.
    public struct Entry: Sendable {
        /// The digestID.
        public let id: UInt64
        /// The digest.
        public let digest: ArraySlice<UInt8>
    }

    /// The namespaces.
    public let namespaces: [Namespace]

    /// Reads a ValueDigests.
    public init(_ map: CBORItem) throws(MdocError) {
        do {
            guard map.kind == .map else { throw MdocError.malformed }
            var namespaces: [Namespace] = []
            for (key, value) in map.pairs {
                guard value.kind == .map else { throw MdocError.malformed }
                var entries: [Entry] = []
                entries.reserveCapacity(value.count)
                for (id, digest) in value.pairs {
                    entries.append(Entry(id: try id.unsigned(), digest: try digest.bytes()))
                }
                namespaces.append(Namespace(name: try key.text(), entries: entries))
            }
            self.namespaces = namespaces
        } catch {
            throw .malformed
        }
    }
}
