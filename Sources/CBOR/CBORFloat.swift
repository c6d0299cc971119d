/// Floating-point numbers of 16, 32 and 64 bits (RFC 8949 §3.3 and appendix D).
enum CBORFloat {
    /// The value of a number whose bits are the argument of a head of that many bytes.
    static func value(_ bits: UInt64, head: UInt8) -> Double {
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
        let magnitude = value.magnitude
        if magnitude < 0x1p-14 {
            let scaled = magnitude * 0x1p24
            guard scaled == scaled.rounded(.towardZero) else { return nil }
            return sign | UInt16(scaled)
        }
        guard magnitude <= 65504 else { return nil }
        let bits = magnitude.bitPattern
        guard bits & (1 << 42 - 1) == 0 else { return nil }
        let exponent = Int(bits >> 52) - 1023 + 15
        return sign | UInt16(exponent << 10) | UInt16(truncatingIfNeeded: bits >> 42 & 0x3FF)
    }
}
