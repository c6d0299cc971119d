import CCurl

/// Bytes at a fixed place while they do not grow, overwritten before the memory goes back.
final class WipedBuffer {
    private var memory: UnsafeMutableRawBufferPointer
    private(set) var count: Int

    init() {
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        count = 0
    }

    /// A copy of `bytes`.
    init(_ bytes: [UInt8]) {
        memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
        memory.copyBytes(from: bytes)
        count = bytes.count
    }

    /// Where the bytes are, until the buffer grows or goes.
    var start: UnsafeMutableRawPointer? { memory.baseAddress }

    /// The bytes, copied.
    var bytes: [UInt8] { Array(UnsafeRawBufferPointer(rebasing: memory[0..<count])) }

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if count + bytes.count > memory.count { grow(to: count + bytes.count) }
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    private func grow(to needed: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(needed, memory.count * 2), alignment: 1)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[0..<count]))
        release()
        memory = larger
    }

    private func release() {
        guard let start = memory.baseAddress else { return }
        sekisho_client_wipe(start, count)
        memory.deallocate()
    }

    deinit {
        release()
    }
}
