/// Lends the bytes of any collection as one run of memory, without a copy where the collection has such a run.
///
/// The memory is valid inside `body` only. This is the one door through which bytes reach the library beneath.
func withBytes<Result>(
    of bytes: some Collection<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    if let result = bytes.withContiguousStorageIfAvailable(body) { return result }
    return Array(bytes).withUnsafeBufferPointer(body)
}
