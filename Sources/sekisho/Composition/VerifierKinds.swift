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

    private static let inHouse = VerifierKind(name: InHouseProvider.kind, check: InHouseProvider.check) {
        declaration, context, outbound throws(JSONProblems) in
        let verifier = try InHouseProvider.open(declaration, in: context, fetching: outbound.revocation)
        return OpenedVerifier(description: verifier.description, verifier: verifier, health: verifier)
    }

    private static let certified = VerifierKind(
        name: CertifiedProvider.kind, check: CertifiedProvider.check, invoice: CertifiedProvider.invoiceFormat
    ) {
        declaration, context, outbound throws(JSONProblems) in
        let verifier = try CertifiedProvider.open(
            declaration, in: context, client: outbound.sender(of: declaration.id))
        return OpenedVerifier(description: verifier.description, verifier: verifier, health: verifier)
    }
}
