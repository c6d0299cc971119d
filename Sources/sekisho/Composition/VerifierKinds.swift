import Billing
import Certified
import Configuration
import Gateway
import InHouse
import JSONTree
import VerificationCore

/// A kind of verifier that a configuration can name: how it is judged and how it is opened.
struct VerifierKind: Sendable {
    /// Its name in a configuration.
    let name: String
    /// Notes what is wrong with a declaration.
    let check: KindChecker
    /// What a declaration's verifier can verify, told without a secret and without opening it.
    let offer: @Sendable (VerifierDeclaration) throws(JSONProblems) -> VerifierOffer
    /// What the invoices of its provider look like, if it has any.
    var invoice: @Sendable (VerifierDeclaration) -> InvoiceFormat? = { _ in nil }
    /// Opens a declaration.
    let open: @Sendable (VerifierDeclaration, KindContext, Outbound) throws(JSONProblems) -> OpenedVerifier
}

/// The one place that knows every kind. Nothing registers itself.
enum VerifierKinds {
    static let all: [VerifierKind] = [inHouse, certified]

    static var checkers: [String: KindChecker] {
        Dictionary(all.map { ($0.name, $0.check) }, uniquingKeysWith: { first, _ in first })
    }

    /// What the invoices of a configuration's verifiers look like.
    static func invoiceFormats(of configuration: GatewayConfiguration) -> [VerifierID: InvoiceFormat] {
        configuration.verifiers.compactMapValues { invoiceFormat(of: $0) }
    }

    /// What the invoices of a verifier look like.
    static func invoiceFormat(of declaration: VerifierDeclaration) -> InvoiceFormat? {
        all.first { $0.name == declaration.kind }?.invoice(declaration)
    }

    /// What the verifiers of a configuration can verify. Throws everything that keeps one from being told.
    static func offers(
        of declarations: [VerifierID: VerifierDeclaration]
    ) throws(JSONProblems) -> [VerifierID: VerifierOffer] {
        var offers: [VerifierID: VerifierOffer] = [:]
        var problems: [JSONProblem] = []
        for declaration in declarations.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
            do throws(JSONProblems) {
                guard let kind = all.first(where: { $0.name == declaration.kind }) else {
                    throw JSONProblems([unknown(declaration)])
                }
                offers[declaration.id] = try kind.offer(declaration)
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw JSONProblems(problems) }
        return offers
    }

    /// That a declaration's kind is none of ours.
    static func unknown(_ declaration: VerifierDeclaration) -> JSONProblem {
        JSONProblem(
            path: declaration.path, line: declaration.node.line, problem: "is of a kind that nobody knows")
    }

    private static let inHouse = VerifierKind(
        name: InHouseProvider.kind, check: InHouseProvider.check, offer: InHouseProvider.offer
    ) {
        declaration, context, outbound throws(JSONProblems) in
        let verifier = try InHouseProvider.open(declaration, in: context, fetching: outbound.revocation)
        return OpenedVerifier(
            description: verifier.description, verifier: verifier, health: verifier, parts: verifier.parts)
    }

    private static let certified = VerifierKind(
        name: CertifiedProvider.kind, check: CertifiedProvider.check, offer: CertifiedProvider.offer,
        invoice: CertifiedProvider.invoiceFormat
    ) {
        declaration, context, outbound throws(JSONProblems) in
        let verifier = try CertifiedProvider.open(
            declaration, in: context, client: outbound.sender(of: declaration.id))
        return OpenedVerifier(
            description: verifier.description, verifier: verifier, health: verifier, parts: verifier.parts)
    }
}
