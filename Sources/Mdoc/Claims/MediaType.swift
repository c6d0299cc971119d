/// Finds an image's media type by its first bytes: documents do not say it.
enum MediaType {
    private static let jpeg2000Box: [UInt8] = [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    private static let jpeg2000Codestream: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]

    /// The media type, `application/octet-stream` where the bytes are of no kind that is known.
    static func of(_ data: ArraySlice<UInt8>) -> String {
        if data.starts(with: jpeg) { return "image/jpeg" }
        if data.starts(with: jpeg2000Box) || data.starts(with: jpeg2000Codestream) { return "image/jp2" }
        if data.starts(with: png) { return "image/png" }
        if data.starts(with: Array("RIFF".utf8)), data.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return "application/octet-stream"
    }
}
