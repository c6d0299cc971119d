import Glibc

/// A socket address.
struct Endpoint: Sendable {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    init() {}

    /// A numeric address; `nil` where it is none.
    init?(_ address: String, port: UInt16) {
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, address, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: Swift.withUnsafeBytes(of: four, Array.init)) }
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
        } else if inet_pton(AF_INET6, address, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: Swift.withUnsafeBytes(of: six, Array.init)) }
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        } else {
            return nil
        }
    }

    static func ofSocket(_ socket: Int32) -> Endpoint? {
        var endpoint = Endpoint()
        return endpoint.withMutableAddress { getsockname(socket, $0, $1) } == 0 ? endpoint : nil
    }

    var family: Int32 { Int32(storage.ss_family) }

    var port: UInt16 {
        // Both families keep it in the same place.
        withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self)) }
    }

    /// The numeric address; an IPv4 address that came through IPv6 is written as what it is.
    var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let found = withUnsafeBytes(of: storage) { bytes in
            // The address begins after family and port, and in IPv6 after the flow label too.
            let offset = family == AF_INET6 ? 8 : 4
            return inet_ntop(family, bytes.baseAddress?.advanced(by: offset), &buffer, socklen_t(buffer.count)) != nil
        }
        guard found else { return "unknown" }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }

    var isLoopback: Bool { text == "::1" || (text.hasPrefix("127.") && !text.contains(":")) }

    mutating func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let length = length
        return withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    mutating func withMutableAddress<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &length) { length in
            withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
            }
        }
    }
}
