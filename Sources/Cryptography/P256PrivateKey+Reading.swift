import COpenSSL

extension P256PrivateKey {
    /// A coordinate at full width, independent of the form in which the file had the point.
    static func number(_ key: OpaquePointer, _ name: String) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, name, &number) == 1 else { return nil }
        defer { BN_free(number) }
        let width = Curve.p256.coordinateLength
        var bytes = [UInt8](repeating: 0, count: width)
        return BN_bn2binpad(number, &bytes, Int32(width)) == Int32(width) ? bytes : nil
    }
}
