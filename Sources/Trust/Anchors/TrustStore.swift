import Cryptography
public import VerificationCore

/// The configured trust anchors. Immutable: a reload makes a new one.
public struct TrustStore: Sendable {
    /// Every anchor, those outside their dates too: they are judged whenever a path leads to them, and never trusted.
    public let anchors: [TrustAnchor]
    /// Names the content: two stores with the same anchors for the same documents have the same generation.
    public let generation: String

    /// A store of anchors; the same certificate twice is one anchor. At least one must not have run out.
    public init(anchors: [TrustAnchor], at now: Timestamp) throws(TrustError) {
        var merged: [TrustAnchor] = []
        var positions: [Certificate: Int] = [:]
        for anchor in anchors {
            if let position = positions[anchor.certificate] {
                merged[position] = merged[position].merged(with: anchor)
            } else {
                positions[anchor.certificate] = merged.count
                merged.append(anchor)
            }
        }
        guard merged.contains(where: { now <= $0.certificate.validity.notAfter }) else {
            throw TrustError([TrustProblem(path: "", fault: .noUsableAnchor)])
        }
        self.anchors = merged
        generation = TrustStore.generation(of: merged)
    }

    /// Reads anchors, PEM bundles or DER, from files or folders; every file must be good, and one anchor usable.
    ///
    /// An anchor that has run out is disabled, and an alarm tells of it.
    public static func load(
        paths: [(path: String, documentTypes: Set<String>?)], profile: CertificateProfile = .basic, at now: Timestamp
    ) throws(TrustError) -> (store: TrustStore, alarms: [TrustAlarm]) {
        var anchors: [TrustAnchor] = []
        var problems: [TrustProblem] = []
        for (path, documentTypes) in paths {
            for file in TrustFiles.expand(path, maximumLength: maximumFileLength, &problems) {
                anchors += read(file, documentTypes, profile, &problems)
            }
        }
        if !problems.isEmpty { throw TrustError(problems) }
        let store = try TrustStore(anchors: anchors, at: now)
        return (store, store.alarms(at: now))
    }

    /// Longer files are refused unread: the largest public list of roots is a tenth of it.
    public static let maximumFileLength = 1024 * 1024

    /// The anchors that are configured for a document type.
    public func anchors(for documentType: String) -> [TrustAnchor] {
        anchors.filter { $0.covers(documentType) }
    }

    /// Whether an anchor can be used at an instant.
    public func isUsable(at now: Timestamp) -> Bool {
        anchors.contains { $0.certificate.validity.contains(now) }
    }

    /// What has to be told of the anchors at an instant.
    public func alarms(at now: Timestamp) -> [TrustAlarm] {
        anchors.compactMap { $0.alarm(at: now) }
    }

    private static func read(
        _ file: TrustFiles.File, _ documentTypes: Set<String>?, _ profile: CertificateProfile,
        _ problems: inout [TrustProblem]
    ) -> [TrustAnchor] {
        var anchors: [TrustAnchor] = []
        for block in TrustBlocks.blocks(of: file, label: "CERTIFICATE", &problems) {
            do throws(CertificateError) {
                let certificate = try Certificate(der: block.der)
                do throws(TrustProblem) {
                    anchors.append(
                        try TrustAnchor(
                            certificate: certificate, documentTypes: documentTypes, source: file.path, profile: profile)
                    )
                } catch {
                    problems.append(TrustProblem(path: file.path, block: block.number, fault: error.fault))
                }
            } catch {
                problems.append(TrustProblem(path: file.path, block: block.number, fault: .certificate(error)))
            }
        }
        return anchors
    }

    private static func generation(of anchors: [TrustAnchor]) -> String {
        let lines = anchors.map { anchor in
            let types = anchor.documentTypes.map { $0.sorted().joined(separator: "\u{0}") } ?? "*"
            return ByteText.hex(anchor.certificate.fingerprint) + " " + types
        }
        let digest = Hash.digest(Array(lines.sorted().joined(separator: "\n").utf8), .sha256)
        return ByteText.hex(digest.prefix(8))
    }
}
