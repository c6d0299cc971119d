import COpenSSL

/// A public key on a NIST curve, known to be a point of that curve.
///
/// The library beneath also reads compressed and hybrid points and the point at infinity, and does not check a peer
/// again when a secret is derived. So the form is checked here, before the import: exactly `04`, x, y, each coordinate
/// of full width (RFC 9180 §7.1.1, §7.1.4); the import itself refuses what is not on the curve.
public struct ECPublicKey: Sendable {
    /// The curve.
    public let curve: Curve
    /// The point as `04`, x, y.
    public let uncompressed: [UInt8]
    let key: PKey

    /// Reads an uncompressed point (SEC 1 §2.3.3).
    public init(curve: Curve, uncompressed point: some Collection<UInt8>) throws(CryptographyError) {
        guard point.count == curve.pointLength, point.first == 0x04 else { throw .invalidPoint }
        self.curve = curve
        self.uncompressed = Array(point)
        self.key = try Self.imported(self.uncompressed, curve)
    }

    /// Reads the two coordinates of a COSE_Key (RFC 9053 §7.1.1), each of exactly the curve's width.
    public init(
        curve: Curve, x: some Collection<UInt8>, y: some Collection<UInt8>
    ) throws(CryptographyError) {
        guard x.count == curve.coordinateLength, y.count == curve.coordinateLength else { throw .invalidPoint }
        var point: [UInt8] = [0x04]
        point.reserveCapacity(curve.pointLength)
        point.append(contentsOf: x)
        point.append(contentsOf: y)
        try self.init(curve: curve, uncompressed: point)
    }

    private static func imported(_ point: [UInt8], _ curve: Curve) throws(CryptographyError) -> PKey {
        guard let made = EVP_PKEY_new() else { throw .failure }
        let key = PKey(owning: made)
        guard EVP_PKEY_copy_parameters(made, PKey.template(curve).pointer) == 1 else { throw .failure }
        guard EVP_PKEY_set1_encoded_public_key(made, point, point.count) == 1 else {
            ERR_clear_error()
            throw .invalidPoint
        }
        return key
    }

    /// Whether `signature`, r and s of fixed width one after the other (RFC 9053 §2.1), is this key's over `message`.
    ///
    /// (r, n−s) is accepted as (r, s) is: COSE has no rule of low s.
    public func verify(
        signature: some Collection<UInt8>, over message: some Collection<UInt8>, hash: HashAlgorithm
    ) -> Bool {
        verify(signature: signature, digest: Hash.digest(message, hash), hash: hash)
    }

    /// Whether `signature` is this key's over a message with this digest.
    public func verify(
        signature: some Collection<UInt8>, digest: some Collection<UInt8>, hash: HashAlgorithm
    ) -> Bool {
        guard digest.count == hash.length, signature.count == 2 * curve.coordinateLength else { return false }
        return withBytes(of: signature) { signature in
            withBytes(of: digest) { digest in
                ECDSASignature.withDER(raw: signature) { encoded in verify(encoded, digest) }
            }
        }
    }

    private func verify(_ encoded: UnsafeBufferPointer<UInt8>, _ digest: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_verify_init(context) == 1 else { return false }
        // Exactly 1 is a good signature; 0 is a bad one and a negative number one that could not be judged.
        if EVP_PKEY_verify(context, encoded.baseAddress, encoded.count, digest.baseAddress, digest.count) == 1 {
            return true
        }
        ERR_clear_error()
        return false
    }
}

extension ECPublicKey: Hashable {
    /// Two keys are equal when curve and point are.
    public static func == (left: ECPublicKey, right: ECPublicKey) -> Bool {
        left.curve == right.curve && left.uncompressed == right.uncompressed
    }

    /// Hashes curve and point.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(curve)
        hasher.combine(uncompressed)
    }
}
