/// Whether bytes are UTF-8.
enum CBORText {
    /// Whether the bytes of a range are well-formed UTF-8 (RFC 3629): no overlong form, no surrogate.
    @inline(__always)
    static func isUTF8(_ bytes: borrowing Span<UInt8>, in range: Range<Int>) -> Bool {
        var high: UInt8 = 0
        for index in range { high |= bytes[index] }
        return high < 0x80 || isUTF8BeyondASCII(bytes, in: range)
    }

    private static func isUTF8BeyondASCII(_ bytes: borrowing Span<UInt8>, in range: Range<Int>) -> Bool {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.extracting(range))
            return true
        } catch {
            return false
        }
    }
}
