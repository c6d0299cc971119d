import JSONTree
import WalletKit

/// `request`: a sample `wallet_request`, for a wallet without a gateway.
enum RequestCommand {
    /// The merchant and the team of `Config/development.json5`.
    static let merchant = "merchant.example.sekisho"
    static let team = "SEKISHO123"

    static func run(_ arguments: [String]) throws {
        let options = try Options(arguments, values: ["document", "merchant-id", "elements"])
        let kind = try options.choice("document", Card.Kind.self) ?? .jp
        let elements =
            options["elements"].map { $0.split(separator: ",").map(String.init) }
            ?? ["givenName", "familyName", "address", "dateOfBirth", "portrait"]
        print(
            JSONValue.object([
                ("protocol", .string("apple_wallet")),
                ("merchant_identifier", .string(options["merchant-id"] ?? merchant)),
                ("nonce", .string(RequestText.base64URL(Randomness.system.bytes(32)))),
                ("document_type", .string(kind == .jp ? "jp-national-id-card" : "us-drivers-license")),
                ("region", .string(kind == .jp ? "JP" : "US")),
                ("elements", .array(elements.map { .string($0) })),
            ]).text)
    }
}
