import COpenSSL

/// AES in Galois/Counter Mode (NIST SP 800-38D) with 128- or 256-bit keys, 96-bit nonces and 128-bit tags.
///
/// Other nonce and tag lengths, and 192-bit keys, are refused: nothing we speak uses them, and a short tag or a nonce
/// that is hashed first are weaknesses to no purpose.
public enum AESGCM {
    /// The number of bytes of a nonce.
    public static let nonceLength = 12
    /// The number of bytes of the tag at the end of what is sealed.
    public static let tagLength = 16

    /// The ciphertext of `plaintext` with its tag after it. A nonce must never be used twice with one key.
    public static func seal(
        _ plaintext: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        aad: some Collection<UInt8> = [UInt8]()
    ) throws(CryptographyError) -> [UInt8] {
        try withBytes(of: plaintext) { plaintext in
            withBytes(of: aad) { aad in
                withBytes(of: key) { key in
                    withBytes(of: nonce) { nonce in
                        seal(Input(text: plaintext, aad: aad, key: key, nonce: nonce))
                    }
                }
            }
        }.get()
    }

    /// The plaintext of what ``seal(_:key:nonce:aad:)`` made, or `authenticationFailed` and nothing else.
    public static func open(
        _ sealed: some Collection<UInt8>, key: some Collection<UInt8>, nonce: some Collection<UInt8>,
        aad: some Collection<UInt8> = [UInt8]()
    ) throws(CryptographyError) -> [UInt8] {
        try withBytes(of: sealed) { sealed in
            withBytes(of: aad) { aad in
                withBytes(of: key) { key in
                    withBytes(of: nonce) { nonce in
                        open(Input(text: sealed, aad: aad, key: key, nonce: nonce))
                    }
                }
            }
        }.get()
    }

    private typealias Output = Result<[UInt8], CryptographyError>

    private struct Input {
        let text: UnsafeBufferPointer<UInt8>
        let aad: UnsafeBufferPointer<UInt8>
        let key: UnsafeBufferPointer<UInt8>
        let nonce: UnsafeBufferPointer<UInt8>

        /// Keys of other lengths are not keys; the library beneath counts in 32-bit integers.
        func cipher() throws(CryptographyError) -> Fetched {
            guard nonce.count == nonceLength, text.count <= Int(Int32.max) - tagLength, aad.count <= Int(Int32.max)
            else { throw .unsupported }
            switch key.count {
            case 16: return .aes128GCM
            case 32: return .aes256GCM
            default: throw .invalidKey
            }
        }

        func addAAD(_ context: OpaquePointer, _ update: Update) -> Bool {
            var written: Int32 = 0
            return aad.isEmpty || update(context, nil, &written, aad.baseAddress, Int32(aad.count)) == 1
        }
    }

    private typealias Update = (
        OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?, UnsafePointer<UInt8>?, Int32
    ) -> Int32

    private static func seal(_ input: Input) -> Output {
        let cipher: Fetched
        do { cipher = try input.cipher() } catch { return .failure(error) }
        let context = ThreadContexts.current.cipher
        // The reset wipes the key schedule.
        defer { EVP_CIPHER_CTX_reset(context) }
        let length = input.text.count
        var done = false
        let sealed = [UInt8](unsafeUninitializedCapacity: length + tagLength) { out, filled in
            var written: Int32 = 0
            done =
                EVP_EncryptInit_ex2(context, cipher.pointer, input.key.baseAddress, input.nonce.baseAddress, nil) == 1
                && input.addAAD(context, EVP_EncryptUpdate)
                && (length == 0
                    || EVP_EncryptUpdate(context, out.baseAddress, &written, input.text.baseAddress, Int32(length)) == 1)
                && Int(written) == length && finish(context, EVP_EncryptFinal_ex)
                && EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), out.baseAddress.map { $0 + length }) == 1
            filled = done ? length + tagLength : 0
        }
        return done ? .success(sealed) : .failure(.failure)
    }

    private static func open(_ input: Input) -> Output {
        let cipher: Fetched
        do { cipher = try input.cipher() } catch { return .failure(error) }
        guard input.text.count >= tagLength else { return .failure(.authenticationFailed) }
        let context = ThreadContexts.current.cipher
        defer { EVP_CIPHER_CTX_reset(context) }
        let length = input.text.count - tagLength
        let tag = UnsafeMutablePointer(mutating: input.text.baseAddress.map { $0 + length })
        var done = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: length) { out, filled in
            var written: Int32 = 0
            done =
                EVP_DecryptInit_ex2(context, cipher.pointer, input.key.baseAddress, input.nonce.baseAddress, nil) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), tag) == 1
                && input.addAAD(context, EVP_DecryptUpdate)
                && (length == 0
                    || EVP_DecryptUpdate(context, out.baseAddress, &written, input.text.baseAddress, Int32(length)) == 1)
                && Int(written) == length && finish(context, EVP_DecryptFinal_ex)
            // What was decrypted before the tag was found wrong is nobody's plaintext: it does not stay in memory.
            if !done, length > 0 { OPENSSL_cleanse(out.baseAddress, length) }
            filled = done ? length : 0
        }
        if done { return .success(plaintext) }
        ERR_clear_error()
        return .failure(.authenticationFailed)
    }

    /// GCM gives no bytes at the end; the call makes or checks the tag.
    private static func finish(
        _ context: OpaquePointer,
        _ final: (OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?) -> Int32
    ) -> Bool {
        var none: UInt8 = 0
        var written: Int32 = 0
        return final(context, &none, &written) == 1 && written == 0
    }
}
