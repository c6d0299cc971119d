/// Floating-point numbers of 16, 32 and 64 bits (RFC 8949 §3.3 and appendix D).
enum CBORFloat {
    /// The value of a number whose bits are the argument of a head of that many bytes.
    static func value(_ bits: UInt64, head: Int) -> Double {
        switch head {
        case 3: half(UInt16(truncatingIfNeeded: bits))
        case 5: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        default: Double(bitPattern: bits)
        }
    }

    /// The value of a number in half precision (IEEE 754 binary16).
    static func half(_ bits: UInt16) -> Double {
        let exponent = Int(bits >> 10 & 0x1F)
        let mantissa = UInt64(bits & 0x3FF)
        let sign = UInt64(bits >> 15) << 63
        switch exponent {
        case 0:
            // Zero and the subnormal numbers: mantissa times 2^-24, exact in a double.
            let magnitude = Double(mantissa) * 0x1p-24
            return Double(bitPattern: magnitude.bitPattern | sign)
        case 31: return Double(bitPattern: sign | 0x7FF0_0000_0000_0000 | mantissa << 42)
        default: return Double(bitPattern: sign | UInt64(exponent - 15 + 1023) << 52 | mantissa << 42)
        }
    }

    /// The bits in half precision, where the value can be told in it exactly.
    static func halfBits(_ value: Double) -> UInt16? {
        let sign = UInt16(value.sign == .minus ? 0x8000 : 0)
        if value.isInfinite { return sign | 0x7C00 }
        let bits = value.magnitude.bitPattern
        let exponent = Int(bits >> 52) - 1023
        if bits == 0 { return sign }
        switch exponent {
        case -24 ... -15:
            // Subnormal: so many times 2^-24. Done in bits, for rounding would ask for the C library's mathematics.
            let significand = bits & (1 << 52 - 1) | 1 << 52
            let shift = UInt64(28 - exponent)
            guard significand & (1 << shift - 1) == 0 else { return nil }
            return sign | UInt16(truncatingIfNeeded: significand >> shift)
        case -14...15:
            guard bits & (1 << 42 - 1) == 0 else { return nil }
            return sign | UInt16(exponent + 15) << 10 | UInt16(truncatingIfNeeded: bits >> 42 & 0x3FF)
        default:
            return nil
        }
    }
}
