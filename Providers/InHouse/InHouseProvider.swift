public import Configuration
public import JSONTree
import Trust
public import VerificationCore

/// The kind `in_house`: this program verifies by itself, with a key and trust anchors of its own.
public enum InHouseProvider {
    /// The kind's name in a configuration.
    public static let kind = "in_house"

    /// Notes everything that is wrong with a declaration; a `KindChecker`. It reads the files that the declaration names.
    public static func check(_ declaration: VerifierDeclaration, in context: KindContext, problems: JSONProblemList) {
        _ = InHouseConfiguration(declaration, in: context, problems: problems)
    }

    /// Opens a verifier, or throws everything that is wrong with its declaration. Where it names lists to be fetched,
    /// they are fetched from now on, for as long as the verifier is held; without `fetching` there are none.
    public static func open(
        _ declaration: VerifierDeclaration, in context: KindContext, fetching: RevocationFetching? = nil
    ) throws(JSONProblems) -> InHouseVerifier {
        let problems = JSONProblemList()
        let configuration = InHouseConfiguration(
            declaration, in: context, lists: fetching?.lists ?? FetchedLists(), problems: problems)
        try problems.throwIfAny()
        guard let configuration else {
            throw JSONProblems([
                JSONProblem(path: declaration.path, line: declaration.node.line, problem: "is incomplete")
            ])
        }
        return InHouseVerifier(declaration, configuration, fetching: fetching)
    }

    /// What a declaration's verifier can verify, without a look at any file: a trust anchor may be named for some
    /// documents only. Throws where it does not say.
    public static func offer(of declaration: VerifierDeclaration) throws(JSONProblems) -> VerifierOffer {
        let known = Set(DocumentCatalog.documents.map(\.type))
        guard let entries = declaration.node["trust"]?.elements, !entries.isEmpty else {
            if declaration.isSimulated { return VerifierOffer(documentTypes: known) }
            throw JSONProblems([
                JSONProblem(
                    path: declaration.path, line: declaration.node.line, problem: "has no trust: it verifies nothing")
            ])
        }
        var types: Set<String> = []
        for entry in entries {
            let named = entry["document_types"]?.elements.map { Set($0.compactMap(\.string)) }
            types.formUnion(named ?? known)
        }
        return VerifierOffer(documentTypes: types.intersection(known))
    }
}
