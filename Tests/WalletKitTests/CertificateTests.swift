import Foundation
import Testing

@testable import WalletKit

private let now = Moment(2026, 11, 30, 7)

@Suite struct `Certificates of the test issuer` {
    @Test(.enabled(if: Tool.available("openssl")), arguments: IssuerOptions.Profile.allCases, KeyKind.allCases)
    func `OpenSSL reads the signer and builds its chain to the root`(
        profile: IssuerOptions.Profile, kind: KeyKind
    ) throws {
        var options = IssuerOptions()
        options.profile = profile
        options.signerKind = kind
        let issuer = try Issuer(options, at: now)
        let folder = try Folder()
        let root = try folder.write("root.pem", PEM.encode(issuer.root, label: "CERTIFICATE"))
        let leaf = try folder.write("leaf.pem", PEM.encode(issuer.signer.chain[0], label: "CERTIFICATE"))
        let verified = try Tool.run(
            "openssl",
            ["verify", "-x509_strict", "-ignore_critical", "-attime", "\(now.seconds)", "-CAfile", root, leaf])
        #expect(verified.output.contains(": OK"), "\(verified.output)")
        let text = try Tool.run("openssl", ["x509", "-in", leaf, "-noout", "-text"]).output
        #expect(text.contains("1.0.18013.5.1.2"))
        #expect(text.contains("Digital Signature"))
        #expect(text.contains("C = JP"))
        #expect(text.contains("CRL Distribution Points") == (profile == .annexB))
        #expect(text.contains("Issuer Alternative Name") == (profile == .annexB))
        #expect(text.contains("Extended Key Usage: critical") == (profile == .annexB))
        #expect(!text.contains("CA:TRUE"))
        // Another issuer of the same name signs nothing here.
        let other = try folder.write("other.pem", PEM.encode(Issuer(options, at: now).root, label: "CERTIFICATE"))
        let foreign = try Tool.run("openssl", ["verify", "-attime", "\(now.seconds)", "-CAfile", other, leaf])
        #expect(!foreign.output.contains(": OK"))
    }

    @Test(.enabled(if: Tool.available("openssl")), arguments: [false, true])
    func `OpenSSL accepts the revocation list and finds the revoked signer on it`(intermediate: Bool) throws {
        var options = IssuerOptions()
        options.intermediate = intermediate
        let issuer = try Issuer(options, at: now)
        let folder = try Folder()
        let authority = issuer.intermediate.map { $0.chain[0] } ?? issuer.root
        let root = try folder.write("root.pem", PEM.encode(authority, label: "CERTIFICATE"))
        let list = try folder.write("list.pem", PEM.encode(issuer.revocationList(), label: "X509 CRL"))
        let text = try Tool.run("openssl", ["crl", "-in", list, "-CAfile", root, "-noout", "-text"]).output
        #expect(text.contains("verify OK"), "\(text)")
        func serial(_ signer: Signer) throws -> String {
            let file = try folder.write("s.pem", PEM.encode(signer.chain[0], label: "CERTIFICATE"))
            return try Tool.run("openssl", ["x509", "-in", file, "-noout", "-serial"]).output
                .replacingOccurrences(of: "serial=", with: "").trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(text.contains("Serial Number: \(try serial(issuer.revokedSigner))"))
        #expect(!text.contains(try serial(issuer.signer)))
    }

    @Test(.enabled(if: Tool.available("openssl")))
    func `OpenSSL reads every kind of private key, and the wallet reads OpenSSL's`() throws {
        for kind in KeyKind.allCases {
            let key = try PrivateKey(kind)
            let folder = try Folder()
            let file = try folder.write("key.pem", key.pem)
            let read = try Tool.run("openssl", ["pkey", "-in", file, "-pubout"])
            #expect(read.output == PEM.encode(key.publicKeyInfo, label: "PUBLIC KEY"))
            let rewritten = try Tool.run("openssl", ["pkey", "-in", file]).output
            #expect(try PrivateKey(pem: rewritten).publicBytes == key.publicBytes)
            #expect(try PrivateKey(pem: rewritten).kind == kind)
        }
        let made = try Tool.run("openssl", ["ecparam", "-name", "prime256v1", "-genkey", "-noout"]).output
        #expect(try PrivateKey(pem: made).kind == .p256)
        #expect(throws: WalletError.self) {
            try PrivateKey(pem: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")
        }
    }

    @Test func `an issuer that was kept is the same issuer`() throws {
        let issuer = try Issuer(at: now)
        let kept = Issuer.Kept(
            root: (issuer.rootKey, issuer.root), signer: (issuer.signer.key, issuer.signer.chain[0]),
            revokedSigner: (issuer.revokedSigner.key, issuer.revokedSigner.chain[0]))
        let again = try Issuer(restoring: kept, issuer.options, created: now)
        #expect(again.signer.chain == issuer.signer.chain)
        #expect(again.signer.template.serial == issuer.signer.template.serial)
        #expect(again.signer.template.extensions == issuer.signer.template.extensions)
        #expect(again.revokedSigner.template.serial == issuer.revokedSigner.template.serial)
        #expect(again.revokedSigner.template.serial != again.signer.template.serial)
    }

    @Test func `moments are written as RFC 3339 and X.509 have them`() {
        #expect(Moment(2024, 2, 29, 23, 59, 59).text == "2024-02-29T23:59:59Z")
        #expect(Moment(2024, 2, 29, 23, 59, 59).adding(seconds: 1).text == "2024-03-01T00:00:00Z")
        #expect(Moment(2100, 3, 1).adding(days: -1).text == "2100-02-28T00:00:00Z")
        #expect(Moment(2049, 12, 31).x509.text == "491231000000Z")
        #expect(Moment(2050, 1, 1).x509.text == "20500101000000Z")
        #expect(Moment(seconds: 1_700_000_000).text == "2023-11-14T22:13:20Z")
    }
}
