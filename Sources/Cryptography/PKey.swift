import COpenSSL

/// One reference to a key of the library beneath.
///
/// `@unchecked Sendable` is sound: the key is complete before the object exists, nothing changes it afterwards, its
/// count of references is atomic, and OpenSSL allows one EVP_PKEY in the contexts of many threads at once.
final class PKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over a reference that the caller owns.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    /// A key with the parameters of a curve and no point, for each curve once: a point is imported into a copy of it,
    /// which costs a quarter of any other way in.
    static func template(_ curve: Curve) -> PKey {
        switch curve {
        case .p256: p256
        case .p384: p384
        case .p521: p521
        }
    }

    private static let p256 = parameters(.p256)
    private static let p384 = parameters(.p384)
    private static let p521 = parameters(.p521)

    private static func parameters(_ curve: Curve) -> PKey {
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard let context, EVP_PKEY_paramgen_init(context) == 1,
            EVP_PKEY_CTX_set_group_name(context, curve.groupName) == 1, EVP_PKEY_paramgen(context, &made) == 1,
            let made
        else { fatalError("the OpenSSL installation offers no \(curve.groupName)") }
        return PKey(owning: made)
    }
}
