import Cryptography
import VerificationCore

/// Secrets as the declarations need them. What is wrong is said without anything of the secret.
struct CredentialReading {
    let access: ProviderAccess

    /// The bytes of a secret.
    func bytes(_ name: CredentialName) throws(CredentialProblem) -> Sensitive<[UInt8]> {
        guard let secret = access.credentials[name] else {
            throw CredentialProblem(credential: name, problem: "is missing")
        }
        return secret
    }

    /// A secret as text.
    func text(_ name: CredentialName) throws(CredentialProblem) -> Sensitive<String> {
        try bytes(name).map { bytes throws(CredentialProblem) in
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CredentialProblem(credential: name, problem: "is not UTF-8")
            }
            return text
        }
    }

    /// A secret that goes into a header as it is, after a fixed text.
    func headerText(_ name: CredentialName, after prefix: String) throws(CredentialProblem) -> Sensitive<String> {
        try text(name).map { text throws(CredentialProblem) in
            guard !text.isEmpty, HeaderField.isValue(prefix + text), HeaderField.isValue(text) else {
                throw CredentialProblem(
                    credential: name,
                    problem: "cannot stand in a header: a line end, a space at an end, a sign beyond ASCII, or too long"
                )
            }
            return prefix + text
        }
    }

    /// A user's name for basic authentication, which ends at its first colon (RFC 7617 section 2).
    func username(_ name: CredentialName) throws(CredentialProblem) -> Sensitive<String> {
        let text = try password(name)
        if text.withValue({ $0.utf8.contains(0x3A) }) {
            throw CredentialProblem(credential: name, problem: "holds a colon, which a user's name cannot")
        }
        return text
    }

    /// A password for basic authentication.
    func password(_ name: CredentialName) throws(CredentialProblem) -> Sensitive<String> {
        let text = try text(name)
        if text.withValue({ $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
            throw CredentialProblem(credential: name, problem: "holds a control character, such as a line end")
        }
        return text
    }

    /// The key of an HMAC in the form in which the secret has it.
    func key(_ name: CredentialName, _ form: SignatureDeclaration.KeyForm) throws(CredentialProblem) -> Sensitive<
        [UInt8]
    > {
        switch form {
        case .utf8: return try bytes(name)
        case .hex:
            return try text(name).map { text throws(CredentialProblem) in
                guard let key = ByteText.bytes(hex: text), !key.isEmpty else {
                    throw CredentialProblem(credential: name, problem: "is not hexadecimal")
                }
                return key
            }
        case .base64:
            return try text(name).map { text throws(CredentialProblem) in
                guard let key = ByteText.bytes(base64: text), !key.isEmpty else {
                    throw CredentialProblem(credential: name, problem: "is not base64")
                }
                return key
            }
        }
    }

    /// A private key that signs.
    func signingKey(
        _ name: CredentialName, _ algorithm: SignatureAlgorithm
    ) throws(CredentialProblem) -> SigningPrivateKey {
        try bytes(name).withValue { bytes throws(CredentialProblem) in
            do throws(PrivateKeyError) {
                return try SigningPrivateKey(bytes, for: algorithm)
            } catch {
                throw CredentialProblem(credential: name, problem: "does not sign with \(algorithm.rawValue): \(error)")
            }
        }
    }
}
