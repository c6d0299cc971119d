import COpenSSL

/// Raw ECDSA signatures, as COSE and JOSE have them, from and into the form that the library beneath has.
enum ECDSASignature {
    /// Enough for P-521: a SEQUENCE head of three bytes, two INTEGER heads of two, two values of 66 and a sign byte each.
    static let maximumLength = 3 + 2 * (2 + 1 + 66)

    /// Lends the DER form (SEQUENCE of two INTEGERs) of r and s, each half of `raw`.
    ///
    /// Written by hand into memory on the stack: the library's own types would allocate five times for one signature.
    /// Whether r and s are in range is the verifier's question; zero is encoded like any other number.
    static func withDER<Result>(
        raw: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumLength) { out in
            let half = raw.count / 2
            let r = significant(raw[..<half])
            let s = significant(raw[half...])
            let content = 4 + width(r) + width(s)
            var end = 0
            func append(_ byte: Int) {
                out[end] = UInt8(truncatingIfNeeded: byte)
                end += 1
            }
            append(0x30)
            if content > 0x7f { append(0x81) }
            append(content)
            for number in [r, s] {
                append(0x02)
                append(width(number))
                // An INTEGER is signed: a leading one bit needs a zero byte before it.
                if number.first.map({ $0 > 0x7f }) ?? true { append(0) }
                for byte in number { append(Int(byte)) }
            }
            return body(UnsafeBufferPointer(rebasing: out[..<end]))
        }
    }

    /// r and s of fixed width one after the other, of the DER form; `nil` where they do not fit.
    static func raw(der: [UInt8], width: Int) -> [UInt8]? {
        let read = der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &cursor, bytes.count)
        }
        guard let read else {
            ERR_clear_error()
            return nil
        }
        defer { ECDSA_SIG_free(read) }
        let half = Int32(width)
        var raw = [UInt8](repeating: 0, count: 2 * width)
        let fits = raw.withUnsafeMutableBufferPointer { out in
            BN_bn2binpad(ECDSA_SIG_get0_r(read), out.baseAddress, half) == half
                && BN_bn2binpad(ECDSA_SIG_get0_s(read), out.baseAddress.map { $0 + width }, half) == half
        }
        return fits ? raw : nil
    }

    private static func significant(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        number.drop { $0 == 0 }
    }

    /// The content length of the INTEGER; zero is one zero byte.
    private static func width(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        number.count + (number.first.map { $0 > 0x7f ? 1 : 0 } ?? 1)
    }
}
