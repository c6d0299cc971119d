import Cryptography
import VerificationCore

extension Examination {
    /// The fewest bytes that `random` may have (ISO/IEC 18013-5 section 9.1.2.5): below that, an undisclosed value could be
    /// guessed from its digest.
    static let minimumRandomLength = 16

    /// `digests` (ISO/IEC 18013-5 sections 9.1.2.5 and 9.3.1): every received item, hashed as received, stands in ValueDigests, and no
    /// element comes twice. Digests without an item are the elements that the holder keeps to himself.
    mutating func checkDigests(_ issuerSigned: IssuerSigned, _ object: MobileSecurityObject) {
        guard let algorithm = object.digestAlgorithm else { return }
        if DigestCount(issuerSigned.items, object.valueDigests, algorithm).matching < issuerSigned.items.count {
            report.fail(.digests, .digestMismatch)
        }
        if issuerSigned.items.contains(where: { $0.randomLength < Examination.minimumRandomLength }) {
            report.fail(.digests, .digestMismatch)
        }
        let names = Set(
            issuerSigned.items.map { ElementName(namespace: $0.namespace, identifier: $0.elementIdentifier) })
        if names.count < issuerSigned.items.count { report.fail(.digests, .elementDuplicated) }
        report.pass(.digests)
    }
}

/// How many items there are and how many of them are in ValueDigests.
struct DigestCount: Equatable {
    let items: Int
    let matching: Int

    init(_ items: [IssuerSignedItem], _ digests: ValueDigests, _ algorithm: HashAlgorithm) {
        self.items = items.count
        var matching = 0
        for namespace in digests.namespaces {
            // One pass over either side: a hostile document cannot make the product of their sizes count.
            var wanted: [UInt64: [Int]] = [:]
            for index in items.indices where items[index].namespace == namespace.name {
                wanted[items[index].digestID, default: []].append(index)
            }
            guard !wanted.isEmpty else { continue }
            for entry in namespace.entries {
                guard let indices = wanted[entry.id] else { continue }
                for index in indices {
                    let digest = Hash.digest(items[index].encoded, algorithm)
                    if constantTimeEquals(digest, entry.digest) { matching += 1 }
                }
            }
        }
        self.matching = matching
    }
}
