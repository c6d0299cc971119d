import Cryptography
import Foundation
import Mdoc
import Trust
import VerificationCore

/// The files that `sekisho verify` reads.
enum VerifyFiles {
    /// A wallet's answer, a DeviceResponse or a transcript: raw, or as hexadecimal or base64url text.
    ///
    /// All of them are CBOR arrays or maps, whose first byte is no ASCII: no text can be taken for raw bytes.
    static func evidence(_ path: String) throws(VerifyProblem) -> [UInt8] {
        let bytes = try contents(path)
        guard let first = bytes.first else { throw VerifyProblem("\(path) is empty") }
        if first >= 0x80 { return bytes }
        let white: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        let text = String(decoding: bytes.filter { !white.contains($0) }, as: UTF8.self)
        // What is none of the three is judged as it is, and rejected as malformed.
        return ByteText.bytes(hex: text) ?? ByteText.bytes(base64: text) ?? bytes
    }

    /// A SessionTranscript, or SessionTranscriptBytes (the same in tag 24).
    static func transcript(_ path: String) throws(VerifyProblem) -> SessionTranscript {
        let bytes = try evidence(path)
        guard let transcript = (try? SessionTranscript(raw: bytes)) ?? (try? SessionTranscript(wrapped: bytes)) else {
            throw VerifyProblem("\(path) is no SessionTranscript")
        }
        return transcript
    }

    /// Private keys that wallets seal to.
    static func keys(_ paths: [String]) throws(VerifyProblem) -> [RecipientKey] {
        var keys: [RecipientKey] = []
        for path in paths {
            let file = try contents(path)
            do throws(PrivateKeyError) {
                keys.append(RecipientKey(try P256PrivateKey(file)))
            } catch {
                throw VerifyProblem("\(path): \(error)")
            }
        }
        return keys
    }

    /// The trust anchors.
    static func trust(
        _ paths: [String], _ profile: CertificateProfile, at now: Timestamp
    ) throws(VerifyProblem) -> TrustStore {
        do throws(TrustError) {
            return try TrustStore.load(paths: paths.map { ($0, nil) }, profile: profile, at: now).store
        } catch {
            throw VerifyProblem("\(error)")
        }
    }

    private static func contents(_ path: String) throws(VerifyProblem) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw VerifyProblem("\(path) cannot be read")
        }
        return Array(data)
    }
}
