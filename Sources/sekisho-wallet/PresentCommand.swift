import Foundation
import JSONTree
import WalletKit

/// `present`: answers a request as the phone would.
enum PresentCommand {
    static func run(_ arguments: [String]) throws {
        let options = try Options(
            arguments,
            values: ["directory", "request", "fault", "variant", "portrait", "team-id", "merchant-key", "at", "raw"])
        let folder = WalletFolder(path: try options.required("directory"))
        let (issuer, record) = try folder.issuer()
        let team = options["team-id"] ?? record.teamIdentifier
        let request = try RequestText.read(Files.input(options.required("request")), team: team)
        guard let kind = request.cardKind else { throw WalletError.documentUnavailable(request.documentType) }
        var card = try folder.card(kind)
        if let portrait = try options.choice("portrait", Portrait.self) {
            for index in card.elements.indices where card.elements[index].identifier == "portrait" {
                card.elements[index].value = .bytes(portrait.bytes)
            }
        }
        let merchant = Merchant(
            identifier: request.merchantIdentifier, teamIdentifier: team,
            key: try PrivateKey(pem: Files.text(options["merchant-key"] ?? folder.file("merchant.key"))))
        let wallet = Wallet(issuer: issuer, card: card, merchant: merchant)
        let envelope = try wallet.present(
            request, fault: options["fault"].map { try Fault.named($0) },
            variant: options["variant"].map { try Variant.named($0) }, at: try time(options["at"]))
        if let raw = options["raw"] {
            try Files.write(envelope, to: raw, secret: true)
        } else {
            print(JSONValue.object([("encrypted_data", .string(RequestText.base64URL(envelope)))]).text)
        }
    }

    private static func time(_ text: String?) throws -> Moment {
        guard let text else { return Moment(seconds: Int64(Date().timeIntervalSince1970)) }
        let parts = text.split(whereSeparator: { "-T:Z".contains($0) }).compactMap { Int($0) }
        guard text.count == 20, text.hasSuffix("Z"), parts.count == 6, parts[0] >= 1970, (1...12).contains(parts[1]),
            (1...31).contains(parts[2])
        else { throw CommandFailure.usage("`--at` is a time such as 2026-11-30T07:00:00Z") }
        return Moment(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5])
    }
}
