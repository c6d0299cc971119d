import CBOR

/// The two buckets of header parameters (RFC 9052 §3), judged together.
struct COSEHeader {
    /// The content of the protected byte string, as received.
    let protectedBytes: ArraySlice<UInt8>
    /// Whether the protected bucket has no parameter, spelt as an empty string or as an empty map.
    let protectedIsEmpty: Bool
    /// What `alg` says, in the protected bucket only.
    let algorithm: Result<COSEAlgorithm, COSEError>
    /// The certificates of `x5chain` in either bucket, leaf first.
    let certificateChain: [ArraySlice<UInt8>]?
    /// What `kid` says, in either bucket.
    let keyIdentifier: ArraySlice<UInt8>?

    /// More parameters than this in one bucket are not a header; three are usual.
    static let greatestCount = 64
    /// A longer chain is not read; ISO/IEC 18013-5 has two levels, and signed lists of issuers have three.
    static let greatestChain = 16

    init(protected: CBORItem, unprotected: CBORItem) throws(COSEError) {
        guard let bytes = try? protected.bytes(), unprotected.kind == .map else { throw .malformed }
        protectedBytes = bytes
        let document = try COSEHeader.protectedMap(protected, bytes)
        let map = document?.root
        protectedIsEmpty = (map?.count ?? 0) == 0
        try COSEHeader.checkLabels(unprotected)
        if let map {
            try COSEHeader.checkLabels(map)
            // RFC 9052 §3: a label must not be in both buckets. Otherwise an unsigned value could stand in.
            for (label, _) in map.pairs where COSELabel.value(in: unprotected, under: label) != nil {
                throw .malformed
            }
            try COSEHeader.checkCritical(map)
        }
        guard unprotected[COSELabel.critical] == nil else { throw .malformed }
        algorithm = try COSEHeader.algorithm(map)
        certificateChain = try COSEHeader.chain(COSEHeader.either(map, unprotected, COSELabel.certificateChain))
        keyIdentifier = try COSEHeader.bytes(COSEHeader.either(map, unprotected, COSELabel.keyIdentifier))
        _ = try COSEHeader.bytes(COSEHeader.either(map, unprotected, COSELabel.initializationVector))
        _ = try COSEHeader.bytes(COSEHeader.either(map, unprotected, COSELabel.partialInitializationVector))
    }

    /// RFC 9052 §3: the bucket is `bstr .cbor header_map` or an empty string.
    private static func protectedMap(
        _ item: CBORItem, _ bytes: ArraySlice<UInt8>
    ) throws(COSEError) -> CBORDocument? {
        if bytes.isEmpty { return nil }
        guard let document = try? item.contents(), document.root.kind == .map else { throw .malformed }
        return document
    }

    private static func checkLabels(_ map: CBORItem) throws(COSEError) {
        guard map.count <= greatestCount else { throw .malformed }
        for (label, _) in map.pairs where !COSELabel.isLabel(label) { throw .malformed }
    }

    /// RFC 9052 §3.1: whoever does not understand a critical parameter must refuse the structure.
    private static func checkCritical(_ map: CBORItem) throws(COSEError) {
        guard let critical = map[COSELabel.critical] else { return }
        guard critical.kind == .array, (1...greatestCount).contains(critical.count) else { throw .malformed }
        for label in critical.items {
            guard let number = try? label.integer(), COSELabel.understood.contains(number), map[number] != nil else {
                throw .malformed
            }
        }
    }

    private static func algorithm(_ map: CBORItem?) throws(COSEError) -> Result<COSEAlgorithm, COSEError> {
        guard let item = map?[COSELabel.algorithm] else { return .failure(.algorithmMissing) }
        do throws(COSEError) {
            return .success(try COSEAlgorithm(item: item))
        } catch .algorithmUnsupported {
            // The structure is whole; only its signature cannot be judged.
            return .failure(.algorithmUnsupported)
        }
    }

    private static func either(_ protected: CBORItem?, _ unprotected: CBORItem, _ label: Int64) -> CBORItem? {
        protected?[label] ?? unprotected[label]
    }

    /// RFC 9360 §2: one certificate is a byte string, several are an array. An array of one is in the field, and read;
    /// an empty one is what a developer's wallet sends, and is no certificate.
    private static func chain(_ item: CBORItem?) throws(COSEError) -> [ArraySlice<UInt8>]? {
        guard let item else { return nil }
        if item.kind == .array {
            guard item.count <= greatestChain else { throw .malformed }
            var chain: [ArraySlice<UInt8>] = []
            for certificate in item.items {
                guard let bytes = try bytes(certificate) else { throw .malformed }
                chain.append(bytes)
            }
            return chain
        }
        return try bytes(item).map { [$0] }
    }

    private static func bytes(_ item: CBORItem?) throws(COSEError) -> ArraySlice<UInt8>? {
        guard let item else { return nil }
        guard let bytes = try? item.bytes() else { throw .malformed }
        return bytes
    }
}
