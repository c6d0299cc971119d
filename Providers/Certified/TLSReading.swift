import Configuration
import Cryptography
import Foundation
import HTTPClient
import JSONTree
import Trust
import VerificationCore

/// Reads `tls`: whom we trust at the other end, and what we show there.
struct TLSReading {
    /// What was read.
    struct Result: Sendable {
        var settings = TLSSettings()
        /// The certificates of the file that we show, our own first.
        var certificates: [HeldCertificate] = []
        var parts: [LoadedPart] = []
    }

    let reader: JSONReader
    let context: KindContext

    func result() -> Result {
        defer { reader.rejectUnknownKeys() }
        var result = Result()
        if let member = reader.optional("ca_file"), let path = member.path(member.string()) {
            if let file = TLSReading.file(at: path, labels: ["CERTIFICATE", "TRUSTED CERTIFICATE"]) {
                result.parts.append(LoadedPart(.certificateAuthority, path, .digest(Hash.sha256(file.bytes))))
            } else {
                member.report("is no file of certificates in PEM")
            }
            result.settings.certificateAuthorityFile = path
        }
        let certificate = reader.optional("client_certificate")
        let key = reader.optional("client_key")
        guard certificate != nil || key != nil else { return result }
        guard let certificate, let key else {
            reader.report("needs client_certificate and client_key together")
            return result
        }
        guard let path = certificate.path(certificate.string()) else { return result }
        let file = TLSReading.file(at: path, labels: ["CERTIFICATE"])
        if file == nil { certificate.report("is no certificate in PEM") }
        let chain = file.map { self.chain($0.blocks, certificate) } ?? []
        guard let secret = secret(key) else { return result }
        guard let file, let own = chain.first else { return result }
        judge(own, secret, certificate, key)
        result.settings.clientCertificate = ClientCertificate(certificate: file.bytes, key: secret)
        result.certificates = chain.enumerated().map { index, certificate in
            HeldCertificate(
                use: .client, name: index == 0 ? path : "\(path): \(certificate.subject.text)",
                validFrom: certificate.validity.notBefore, validUntil: certificate.validity.notAfter)
        }
        result.parts.append(LoadedPart(.clientCertificate, path, .digest(Hash.sha256(file.bytes))))
        result.parts.append(LoadedPart(.clientKey, "client_key", .secret(secret)))
        return result
    }

    /// The certificates of a file; nothing where one of them cannot be read.
    private func chain(_ blocks: [PEM.Block], _ place: JSONReader) -> [Certificate] {
        do throws(CertificateError) {
            return try blocks.map { block throws(CertificateError) in try Certificate(der: block.bytes) }
        } catch {
            place.report("holds something that is no certificate: it \(error)")
            return []
        }
    }

    private func secret(_ place: JSONReader) -> Sensitive<[UInt8]>? {
        guard let reference = SecretReference(place) else { return nil }
        do throws(SecretProblem) {
            let secret = try reference.resolve(using: context.resolver)
            guard secret.withValue({ PEM.isPresent(in: $0) }) else {
                place.report("is no key in PEM")
                return nil
            }
            return secret
        } catch {
            place.report(error.words)
            return nil
        }
    }

    /// What would be found out only when the provider refuses every handshake.
    private func judge(
        _ certificate: Certificate, _ key: Sensitive<[UInt8]>, _ place: JSONReader, _ keyPlace: JSONReader
    ) {
        do throws(PrivateKeyError) {
            let isOwn = try key.withValue { (bytes: [UInt8]) throws(PrivateKeyError) in
                try CertificateKey.matches(bytes, certificate: certificate.der)
            }
            if !isOwn { place.report("is a certificate for another key than client_key; our own must be the first") }
        } catch {
            keyPlace.report("cannot be used: \(error)")
        }
        let validity = certificate.validity
        if context.now < validity.notBefore {
            place.report("is not valid before \(RFC3339.text(validity.notBefore, fraction: false))")
        } else if context.now > validity.notAfter {
            place.report("ran out at \(RFC3339.text(validity.notAfter, fraction: false))")
        }
    }

    private static func file(at path: String, labels: Set<String>) -> (bytes: [UInt8], blocks: [PEM.Block])? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let bytes = Array(data)
        guard let blocks = try? PEM.blocks(bytes), !blocks.isEmpty, blocks.allSatisfy({ labels.contains($0.label) })
        else { return nil }
        return (bytes, blocks)
    }
}
