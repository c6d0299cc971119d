import Cryptography
import JSONTree
import VerificationCore

/// Makes the signed assertions by which a client proves who it is (RFC 7523 section 2.2, `private_key_jwt`).
struct ClientAssertion: Sendable {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// 128 bits: no two assertions have the same `jti`.
    static let identifierLength = 16

    let identifier: Sensitive<String>
    let key: SigningPrivateKey
    let keyIdentifier: String?
    let audience: String
    let lifetime: Duration
    /// Random bytes for `jti`.
    let random: @Sendable (Int) -> [UInt8]

    /// An assertion that is good from `now` for its lifetime, and for one use.
    func text(at now: Timestamp) throws(VerificationError) -> Sensitive<String> {
        var header: [(String, JSONValue)] = [("alg", .string(key.algorithm.rawValue)), ("typ", .string("JWT"))]
        if let keyIdentifier { header.append(("kid", .string(keyIdentifier))) }
        let issued = now.milliseconds / 1000
        let claims = identifier.withValue { identifier in
            JSONValue.object([
                ("iss", .string(identifier)), ("sub", .string(identifier)), ("aud", .string(audience)),
                ("jti", .string(ByteText.base64URL(random(ClientAssertion.identifierLength)))),
                ("iat", .integer(issued)), ("exp", .integer(issued + lifetime.components.seconds)),
            ])
        }
        let input =
            ByteText.base64URL(JSONValue.object(header).encoded()) + "." + ByteText.base64URL(claims.encoded())
        do throws(CryptographyError) {
            return Sensitive(input + "." + ByteText.base64URL(try key.signature(of: Array(input.utf8))))
        } catch {
            throw VerificationError(.internal, "a client assertion could not be signed")
        }
    }
}
