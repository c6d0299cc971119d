import Configuration
import Cryptography
import Foundation
import JSONTree
import Mdoc
import Trust
import VerificationCore

/// The identity that wallets are asked with, and the keys that they seal to.
struct WalletConfiguration: Sendable {
    /// Two while one replaces another; more is a rotation that was never finished.
    static let mostKeys = 8
    /// The longest identifier: Apple's have fewer than a hundred characters.
    static let longestIdentifier = 255

    let identity: WalletIdentity
    let keys: [WalletKey]

    /// Reads `wallet` and judges every key with its certificate; notes which is wrong, and how.
    init?(_ reader: JSONReader, in context: KindContext) {
        defer { reader.rejectUnknownKeys() }
        let merchant = reader.words("merchant_identifier", limit: WalletConfiguration.longestIdentifier)
        let team = reader.words("team_identifier", limit: WalletConfiguration.longestIdentifier)
        guard let list = reader.required("keys"), let readers = list.elements() else { return nil }
        if readers.isEmpty || readers.count > WalletConfiguration.mostKeys {
            list.report("must hold 1 to \(WalletConfiguration.mostKeys) keys")
        }
        let keys = readers.compactMap { WalletKey($0, resolver: context.resolver) }
        for (index, key) in keys.enumerated()
        where keys[..<index].contains(where: { $0.recipient.hash == key.recipient.hash }) {
            list.report("holds the same key twice")
        }
        // An old key whose certificate has run out still opens what was sealed to it; but one must be in force.
        if !keys.isEmpty, keys.count == readers.count, !keys.contains(where: { $0.isCurrent(at: context.now) }) {
            for key in keys { list.report("\(key.name): \(key.datesInWords(at: context.now)); no key is in force") }
        }
        guard let merchant, let team, !keys.isEmpty else { return nil }
        identity = WalletIdentity(merchantIdentifier: merchant, teamIdentifier: team)
        self.keys = keys
    }
}

/// One key that wallets seal to.
struct WalletKey: Sendable {
    let recipient: RecipientKey
    /// The certificate that Apple issued for it, where the configuration names it.
    let certificate: Certificate?
    /// What an alarm calls it: the file of the certificate or the beginning of the key's hash.
    let name: String

    init?(_ reader: JSONReader, resolver: SecretResolver) {
        guard reader.isObject() else { return nil }
        defer { reader.rejectUnknownKeys() }
        let place = reader.optional("certificate")
        let path = place.flatMap { $0.path($0.string()) }
        guard let key = WalletKey.key(reader, resolver) else { return nil }
        recipient = RecipientKey(key)
        name = path ?? "key " + ByteText.hex(recipient.hash.prefix(4))
        guard let place, let path else {
            certificate = nil
            return
        }
        guard let certificate = WalletKey.certificate(at: path, place) else { return nil }
        guard case .ec(let certified) = certificate.publicKey, certified.curve == .p256 else {
            place.report("is a certificate for a key that is not on P-256: not an identity certificate for wallets")
            return nil
        }
        guard certified == key.publicKey else {
            place.report("is a certificate for another key than the one beside it")
            return nil
        }
        self.certificate = certificate
    }

    private static func key(_ reader: JSONReader, _ resolver: SecretResolver) -> P256PrivateKey? {
        guard let place = reader.required("key"), let reference = SecretReference(place) else { return nil }
        do throws(SecretProblem) {
            let bytes = try reference.resolve(using: resolver)
            do throws(PrivateKeyError) {
                return try bytes.withValue { (bytes: [UInt8]) throws(PrivateKeyError) in try P256PrivateKey(bytes) }
            } catch {
                place.report("cannot be used: \(error)")
            }
        } catch {
            place.report(error.words)
        }
        return nil
    }

    private static func certificate(at path: String, _ place: JSONReader) -> Certificate? {
        guard let data = FileManager.default.contents(atPath: path) else {
            place.report("cannot be read")
            return nil
        }
        var bytes = Array(data)
        if PEM.isPresent(in: bytes) {
            guard let blocks = try? PEM.blocks(bytes), blocks.count == 1, let block = blocks.first,
                block.label == "CERTIFICATE"
            else {
                place.report("must hold one certificate and nothing else")
                return nil
            }
            bytes = block.bytes
        }
        do throws(CertificateError) {
            return try Certificate(der: bytes)
        } catch {
            place.report("is no certificate: it \(error)")
            return nil
        }
    }

    /// Whether its certificate is in force; a key without one is taken to be.
    func isCurrent(at now: Timestamp) -> Bool { certificate?.validity.contains(now) ?? true }

    func datesInWords(at now: Timestamp) -> String {
        guard let validity = certificate?.validity else { return "its certificate is not known" }
        return now < validity.notBefore
            ? "its certificate is not valid before \(RFC3339.text(validity.notBefore, fraction: false))"
            : "its certificate ran out at \(RFC3339.text(validity.notAfter, fraction: false))"
    }
}
