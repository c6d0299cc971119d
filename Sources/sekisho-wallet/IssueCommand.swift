import Foundation
import WalletKit

/// `issue`: makes what the gateway and the wallet need of each other.
enum IssueCommand {
    static func run(_ arguments: [String]) throws {
        let options = try Options(
            arguments, values: ["directory", "document", "profile", "team-id"], flags: ["force"])
        let folder = WalletFolder(path: try options.required("directory"))
        let document = try options.choice("document", Card.Kind.self)
        let profile = try options.choice("profile", IssuerOptions.Profile.self)
        let now = Moment(seconds: Int64(Date().timeIntervalSince1970))
        try Files.makeDirectory(folder.path)
        if options.has("force") {
            for name in WalletFolder.names { try? FileManager.default.removeItem(atPath: folder.file(name)) }
        }
        try issuer(in: folder, profile: profile, team: options["team-id"], at: now)
        if try make("merchant.key", in: folder, { try Merchant().key.pem }) {
            print("made \(folder.file("merchant.key")): the merchant's key, P-256; the gateway opens answers with it")
        }
        let sealing = { Randomness.system.bytes(32).map { hexByte($0) }.joined() + "\n" }
        if try make("sealing.key", in: folder, sealing) {
            print("made \(folder.file("sealing.key")): 32 random bytes in hex; the gateway seals claims under it")
        }
        for kind in document.map({ [$0] }) ?? Card.Kind.allCases
        where !Files.exists(folder.file("card-\(kind.rawValue).json")) {
            try folder.write(try Card.sample(kind, at: now), kind)
            print("made \(folder.file("card-\(kind.rawValue).json")): a card of type \(kind.documentType)")
        }
    }

    private static func issuer(
        in folder: WalletFolder, profile: IssuerOptions.Profile?, team: String?, at now: Moment
    ) throws {
        if folder.exists {
            let (issuer, record) = try folder.issuer()
            if let profile, profile != record.options.profile {
                throw CommandFailure.failed(
                    "the issuer has profile \(record.options.profile.rawValue); --force replaces it")
            }
            if let team, team != record.teamIdentifier {
                throw CommandFailure.failed("the team is \(record.teamIdentifier); --force replaces it")
            }
            if issuer.signer.template.notAfter < now {
                throw CommandFailure.failed("the signer's certificate has expired; --force makes everything anew")
            }
            return
        }
        // An anchor without its record may be somebody's own: never overwritten.
        guard !Files.exists(folder.file("iaca.pem")) else {
            throw CommandFailure.failed(
                "\(folder.file("iaca.pem")) is there without issuer.json; --force replaces both")
        }
        var options = IssuerOptions()
        options.profile = profile ?? .annexB
        try folder.write(try Issuer(options, at: now), teamIdentifier: team ?? RequestCommand.team)
        print("made \(folder.file("iaca.pem")): the issuer's root; the gateway's trust anchor")
        print("made \(folder.file("iaca.crl")): its revocation list, with one signer on it")
    }

    /// Writes a key that is not there yet.
    private static func make(_ name: String, in folder: WalletFolder, _ content: () throws -> String) throws -> Bool {
        guard !Files.exists(folder.file(name)) else { return false }
        try Files.write(try content(), to: folder.file(name), secret: true)
        return true
    }
}
