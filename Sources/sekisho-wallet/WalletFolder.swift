import Foundation
import JSONTree
import WalletKit

/// The folder of a test wallet: an issuer, a merchant's key, the gateway's sealing key, and cards.
struct WalletFolder {
    /// Where it is.
    let path: String

    /// What `issuer.json` keeps: what the certificates cannot say themselves.
    struct Record {
        var options: IssuerOptions
        var created: Moment
        var teamIdentifier: String
    }

    func file(_ name: String) -> String { path + "/" + name }

    var exists: Bool { Files.exists(file("issuer.json")) }

    /// Everything that `issue` may write, so that `--force` can remove it.
    static let names = [
        "issuer.json", "iaca.pem", "iaca.key", "iaca.crl", "signer.pem", "signer.key", "revoked-signer.pem",
        "revoked-signer.key", "merchant.key", "sealing.key", "card-jp.json", "card-jp.key", "card-mdl.json",
        "card-mdl.key",
    ]

    /// Writes a new issuer; the record comes last, so that a folder with a record is whole.
    func write(_ issuer: Issuer, teamIdentifier: String) throws {
        try Files.write(issuer.rootKey.pem, to: file("iaca.key"), secret: true)
        try Files.write(issuer.signer.key.pem, to: file("signer.key"), secret: true)
        try Files.write(issuer.revokedSigner.key.pem, to: file("revoked-signer.key"), secret: true)
        try Files.write(PEM.encode(issuer.root, label: "CERTIFICATE"), to: file("iaca.pem"))
        try Files.write(PEM.encode(issuer.signer.chain[0], label: "CERTIFICATE"), to: file("signer.pem"))
        try Files.write(PEM.encode(issuer.revokedSigner.chain[0], label: "CERTIFICATE"), to: file("revoked-signer.pem"))
        try Files.write(PEM.encode(issuer.revocationList(), label: "X509 CRL"), to: file("iaca.crl"))
        let record: JSONValue = .object([
            ("created", .integer(issuer.created.seconds)),
            ("profile", .string(issuer.options.profile.rawValue)),
            ("organisation", .string(issuer.options.organisation)),
            ("team_identifier", .string(teamIdentifier)),
        ])
        try Files.write(record.text + "\n", to: file("issuer.json"))
    }

    /// Reads the issuer back.
    func issuer() throws -> (Issuer, Record) {
        let record = try readRecord()
        func pair(_ name: String) throws -> Issuer.Kept.Pair {
            let certificate = try PEM.decode(Files.text(file(name + ".pem")), label: "CERTIFICATE").first
            guard let certificate else { throw CommandFailure.failed("no certificate in \(file(name + ".pem"))") }
            return (try PrivateKey(pem: Files.text(file(name + ".key"))), certificate)
        }
        let kept = Issuer.Kept(
            root: try pair("iaca"), signer: try pair("signer"), revokedSigner: try pair("revoked-signer"))
        return (try Issuer(restoring: kept, record.options, created: record.created), record)
    }

    private func readRecord() throws -> Record {
        guard exists else {
            throw CommandFailure.failed("\(path) holds no issuer; `sekisho-wallet issue --directory \(path)` makes one")
        }
        let node = try parse(Files.read(file("issuer.json")), named: file("issuer.json"))
        var options = IssuerOptions()
        guard case .number(let created) = node["created"]?.kind, let seconds = created.integer,
            let profile = IssuerOptions.Profile(rawValue: node["profile"]?.string ?? ""),
            let organisation = node["organisation"]?.string, let team = node["team_identifier"]?.string
        else { throw CommandFailure.failed("\(file("issuer.json")) is not what `issue` wrote") }
        options.profile = profile
        options.organisation = organisation
        return Record(options: options, created: Moment(seconds: seconds), teamIdentifier: team)
    }

    /// Writes a card: what it says, and apart from it the device's key.
    func write(_ card: Card, _ kind: Card.Kind) throws {
        try Files.write(card.deviceKey.pem, to: file("card-\(kind.rawValue).key"), secret: true)
        try Files.write(CardText.write(card), to: file("card-\(kind.rawValue).json"))
    }

    /// Reads a card; its text may have been edited by hand.
    func card(_ kind: Card.Kind) throws -> Card {
        let name = file("card-\(kind.rawValue).json")
        guard Files.exists(name) else { throw WalletError.documentUnavailable(kind.documentType) }
        let key = try PrivateKey(pem: Files.text(file("card-\(kind.rawValue).key")))
        return try CardText.read(parse(Files.read(name), named: name), key: key, named: name)
    }

    private func parse(_ bytes: [UInt8], named name: String) throws -> JSONNode {
        do {
            return try JSONNode.parse(bytes, syntax: .json)
        } catch {
            throw CommandFailure.failed("\(name): \(error)")
        }
    }
}
