import COpenSSL

/// Overwrites secrets in memory.
public enum Wipe {
    /// Overwrites every byte with zero, in a way that no compiler leaves out, and keeps the length.
    ///
    /// It reaches this array's own storage: the caller must hold the only copy, else the copy is what stays behind.
    public static func bytes(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { OPENSSL_cleanse(start, buffer.count) }
        }
    }
}
