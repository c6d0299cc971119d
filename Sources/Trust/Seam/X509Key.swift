import COpenSSL
import Cryptography

extension X509Handle {
    /// The key of a certificate: its kind, and its value where COSE can use it.
    static func key(of certificate: OpaquePointer) -> (KeyAlgorithm, SubjectPublicKey) {
        var kind: OpaquePointer?
        var bits: UnsafePointer<UInt8>?
        var length: Int32 = 0
        var parameters: UnsafeMutablePointer<X509_ALGOR>?
        guard let key = X509_get0_pubkey(certificate),
            X509_PUBKEY_get0_param(&kind, &bits, &length, &parameters, X509_get_X509_PUBKEY(certificate)) == 1
        else { return (.other, .unsupported) }
        switch OBJ_obj2nid(kind) {
        case NID_X9_62_id_ecPublicKey:
            return curveKey(key, curve: namedCurve(parameters))
        case NID_ED25519:
            let raw = Array(UnsafeBufferPointer(start: bits, count: Int(length)))
            guard let key = try? Ed25519PublicKey(raw) else { return (.other, .unsupported) }
            return (.ed25519, .ed25519(key))
        case NID_ED448: return (.ed448, .unsupported)
        case NID_rsaEncryption, NID_rsassaPss: return (.rsa, .unsupported)
        default: return (.other, .unsupported)
        }
    }

    /// The curve, only where it is given by name: explicit parameters can imitate a known curve (CVE-2020-0601).
    private static func namedCurve(_ parameters: UnsafePointer<X509_ALGOR>?) -> Int32 {
        var value: UnsafeRawPointer?
        var type: Int32 = 0
        X509_ALGOR_get0(nil, &type, &value, parameters)
        guard type == V_ASN1_OBJECT, let value else { return NID_undef }
        return OBJ_obj2nid(OpaquePointer(value))
    }

    private static func curveKey(_ key: OpaquePointer, curve: Int32) -> (KeyAlgorithm, SubjectPublicKey) {
        switch curve {
        case NID_X9_62_prime256v1: point(key, .p256, .p256, width: 32)
        case NID_secp384r1: point(key, .p384, .p384, width: 48)
        case NID_secp521r1: point(key, .p521, .p521, width: 66)
        case NID_brainpoolP256r1: (.brainpoolP256r1, .unsupported)
        case NID_brainpoolP320r1: (.brainpoolP320r1, .unsupported)
        case NID_brainpoolP384r1: (.brainpoolP384r1, .unsupported)
        case NID_brainpoolP512r1: (.brainpoolP512r1, .unsupported)
        default: (.other, .unsupported)
        }
    }

    private static func point(
        _ key: OpaquePointer, _ algorithm: KeyAlgorithm, _ curve: Curve, width: Int
    ) -> (KeyAlgorithm, SubjectPublicKey) {
        guard let x = coordinate(key, OSSL_PKEY_PARAM_EC_PUB_X, width: width),
            let y = coordinate(key, OSSL_PKEY_PARAM_EC_PUB_Y, width: width),
            let point = try? ECPublicKey(curve: curve, x: x[...], y: y[...])
        else { return (.other, .unsupported) }
        return (algorithm, .ec(point))
    }

    private static func coordinate(_ key: OpaquePointer, _ name: String, width: Int) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { return nil }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: width)
        return BN_bn2binpad(number, &bytes, Int32(width)) == Int32(width) ? bytes : nil
    }
}
