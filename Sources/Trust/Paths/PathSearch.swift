/// Finds the ways from a signer to the anchors, by key and signature alone.
///
/// A name or a key identifier proves nothing: authorities in the field share names with different keys, write one name
/// in two orders, and a forged root copies both. They only decide which candidate is tried first.
struct PathSearch {
    private let signer: Certificate
    private let following: [ArraySlice<UInt8>]
    private let anchors: [TrustAnchor]
    /// What follows the signer, read only when it is needed: it may be anything, and a signer that an anchor issued must
    /// not fail by it.
    private lazy var intermediates = following.compactMap { try? Certificate(der: $0) }.filter { $0 != signer }
    /// What is known of a signature: each pair is verified once, however many paths go through it.
    private var signedByIntermediate: [Pair: Bool] = [:]
    private var anchorsAbove: [Int: [TrustAnchor]] = [:]

    private struct Pair: Hashable {
        let child: Int
        let parent: Int
    }

    init(signer: Certificate, following: [ArraySlice<UInt8>], anchors: [TrustAnchor]) {
        self.signer = signer
        self.following = following
        self.anchors = anchors
    }

    /// Calls `body` with each path, the shortest first, until it returns `false`.
    mutating func forEachPath(_ body: (CertificatePath) -> Bool) {
        // Each entry is the intermediates of a path so far, nearest to the signer first. At most four intermediates are
        // ever given, so that there are at most 65 entries.
        var open: [[Int]] = [[]]
        var next = 0
        while next < open.count {
            let steps = open[next]
            next += 1
            let certificates = [signer] + steps.map { intermediates[$0] }
            for anchor in anchors(above: steps.last ?? PathSearch.signerIndex) {
                guard body(CertificatePath(certificates: certificates, anchor: anchor)) else { return }
            }
            for index in intermediates.indices where !steps.contains(index) {
                guard isSigned(steps.last ?? PathSearch.signerIndex, by: index) else { continue }
                open.append(steps + [index])
            }
        }
    }

    private static let signerIndex = -1

    private mutating func certificate(_ index: Int) -> Certificate {
        index == PathSearch.signerIndex ? signer : intermediates[index]
    }

    private mutating func isSigned(_ child: Int, by parent: Int) -> Bool {
        let pair = Pair(child: child, parent: parent)
        if let known = signedByIntermediate[pair] { return known }
        let signed = intermediates[parent].issued(certificate(child))
        signedByIntermediate[pair] = signed
        return signed
    }

    private mutating func anchors(above index: Int) -> [TrustAnchor] {
        if let known = anchorsAbove[index] { return known }
        let child = certificate(index)
        let hinted = anchors.filter { PathSearch.isHinted($0.certificate, for: child) }
        let others = anchors.filter { !PathSearch.isHinted($0.certificate, for: child) }
        let found = (hinted + others).filter { $0.certificate.issued(child) }
        anchorsAbove[index] = found
        return found
    }

    private static func isHinted(_ authority: Certificate, for child: Certificate) -> Bool {
        child.authorityKeyIdentifier != nil && child.authorityKeyIdentifier == authority.subjectKeyIdentifier
    }
}
