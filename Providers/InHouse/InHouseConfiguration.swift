import Configuration
import JSONTree
import Mdoc
import Trust
import VerificationCore

/// What a declaration of the kind says, with the files that it names read and judged.
struct InHouseConfiguration: Sendable {
    let mode: VerificationMode
    let profile: CertificateProfile
    let wallet: WalletConfiguration
    /// `nil` in a simulator that names no anchors.
    let trust: TrustStore?
    let revocation: RevocationSources?

    /// Reads a declaration and notes every problem; `nil` where a part is missing without which there is no verifier.
    init?(
        _ declaration: VerifierDeclaration, in context: KindContext, lists: FetchedLists = FetchedLists(),
        problems: JSONProblemList
    ) {
        let reader = declaration.reader(problems: problems)
        let mode = reader.optional("mode").map { $0.enumeration(as: VerificationMode.self) } ?? .live
        let profile =
            reader.optional("certificate_profile").map { $0.enumeration(as: CertificateProfile.self) } ?? .basic
        let wallet = reader.object("wallet").flatMap { WalletConfiguration($0, in: context) }
        let trust = InHouseConfiguration.trust(reader, mode: mode, profile: profile ?? .basic, at: context.now)
        let revocation = reader.optionalObject("revocation").flatMap {
            RevocationReading(reader: $0, lists: lists).sources()
        }
        reader.rejectUnknownKeys()
        guard let mode, let profile, let wallet, mode == .simulator || trust != nil else { return nil }
        self.mode = mode
        self.profile = profile
        self.wallet = wallet
        self.trust = trust
        self.revocation = revocation
    }

    private static func trust(
        _ reader: JSONReader, mode: VerificationMode?, profile: CertificateProfile, at now: Timestamp
    ) -> TrustStore? {
        // A simulator has no issuer to trust; everything else fails closed.
        guard let list = mode == .simulator ? reader.optional("trust") : reader.required("trust") else { return nil }
        let entries = (list.elements() ?? []).compactMap(TrustEntry.init)
        guard !entries.isEmpty else {
            if list.node.elements?.isEmpty == true { list.report("must not be empty: nothing could be verified") }
            return nil
        }
        do throws(TrustError) {
            let paths = entries.map { (path: $0.path, documentTypes: $0.documentTypes) }
            return try TrustStore.load(paths: paths, profile: profile, at: now).store
        } catch {
            for problem in error.problems {
                (entries.first { problem.isIn($0.path) }?.reader ?? list).report(problem.description)
            }
            return nil
        }
    }
}

/// One entry of `trust`.
private struct TrustEntry {
    let path: String
    let documentTypes: Set<String>?
    let reader: JSONReader

    init?(_ reader: JSONReader) {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let place = reader.required("path")
        documentTypes = reader.optional("document_types").flatMap(TrustEntry.types)
        guard let place, let path = place.path(place.string()) else { return nil }
        self.path = path
        self.reader = place
    }

    private static func types(_ reader: JSONReader) -> Set<String>? {
        guard let elements = reader.elements() else { return nil }
        if elements.isEmpty { reader.report("must not be empty; leave it out to trust the anchors for every document") }
        var types: Set<String> = []
        for element in elements {
            guard let type = element.string() else { continue }
            if DocumentCatalog.definition(of: type) == nil { element.report("is not a known document type") }
            types.insert(type)
        }
        return types
    }
}

extension TrustProblem {
    /// Whether the problem lies in a configured file or in a file of a configured folder.
    func isIn(_ configured: String) -> Bool {
        path == configured || path.hasPrefix(configured.hasSuffix("/") ? configured : configured + "/")
    }
}
